package dev.roomcell.sim;

import dev.roomcell.cell.CellSettings;
import dev.roomcell.cell.OutboxSettings;
import dev.roomcell.cell.PurgeSettings;
import dev.roomcell.port.Peer;
import dev.roomcell.port.RoomCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The nodes of a simulation: each place has one, and a new one after the last was killed or let go. */
final class Cluster {
    static final int PLACES = 3;
    private static final int BOOT_MS = 3_000;

    final Surroundings around;
    final Recorder recorder;
    final CellSettings settings;
    final OutboxSettings outbox;
    final PurgeSettings purge;
    private final Flaw flaw;
    private final RoomCodec codec;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private int boots;

    Cluster(
            Surroundings around,
            Flaw flaw,
            RoomCodec codec,
            CellSettings settings,
            OutboxSettings outbox,
            PurgeSettings purge) {
        this.purge = purge;
        this.around = around;
        this.flaw = flaw;
        this.codec = codec;
        this.settings = settings;
        this.outbox = outbox;
        this.recorder = new Recorder(around, codec);
        for (int i = 0; i < PLACES; i++) {
            nodes.add(boot(i));
        }
    }

    private SimulatedNode boot(int place) {
        boots++;
        String nodeId = "node-" + (place + 1) + "-" + boots;
        around.trace.note(nodeId + " boots");
        return new SimulatedNode(
                around, flaw, nodeId, nodeId + ":7400", this::members, this::process, settings, outbox, purge, codec);
    }

    /** One node a place; some of them may be stopped or booting. */
    List<SimulatedNode> nodes() {
        return List.copyOf(nodes);
    }

    /** The nodes that the others believe to be alive: a short silence is taken for death. */
    private Set<String> members() {
        Set<String> members = new TreeSet<>();
        nodes.stream().filter(node -> !node.isSilent()).forEach(node -> members.add(node.nodeId));
        return members;
    }

    /** The process that is behind a peer; none if it is gone, whatever listens at its address now. */
    private Optional<SimulatedNode> process(Peer peer) {
        return nodes.stream()
                .filter(node ->
                        node.nodeId.equals(peer.nodeId()) && node.router().isPresent())
                .findFirst();
    }

    Optional<SimulatedNode> at(String address) {
        return nodes.stream().filter(node -> node.address.equals(address)).findFirst();
    }

    /** All links of all nodes. */
    List<Link> links() {
        List<Link> links = new ArrayList<>();
        for (SimulatedNode node : nodes) {
            links.add(node.toMysql);
            links.add(node.toRedis);
            links.add(node.toStreams);
            links.add(node.toWallet);
            links.add(node.toPeers);
        }
        return links;
    }

    /** It is killed, and another boots in its place before long. */
    void kill(SimulatedNode node) {
        if (!node.hasCrashed()) {
            node.crash();
            int place = nodes.indexOf(node);
            around.time.later(1L + around.dice.below(BOOT_MS), () -> nodes.set(place, boot(place)));
        }
    }

    /** It is drained and then ended, at the latest after {@code deadlineMs}; another boots in its place. */
    void replace(SimulatedNode node, long deadlineMs) {
        node.drain().onComplete(drained -> around.time.beside(() -> end(node)));
        around.time.later(deadlineMs, () -> end(node));
    }

    private void end(SimulatedNode node) {
        if (!node.hasCrashed()) {
            around.trace.note(node + " ends");
            kill(node);
        }
    }
}
