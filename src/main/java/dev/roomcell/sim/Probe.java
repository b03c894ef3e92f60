package dev.roomcell.sim;

import dev.roomcell.cell.Answer;
import dev.roomcell.cell.ReadAnswer;
import dev.roomcell.check.Invariant;
import dev.roomcell.check.Violation;
import dev.roomcell.domain.RoomKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks for every room, of one node after the other, until somebody answers; in good weather that is soon (I14). */
final class Probe {
    private static final int ANSWER_MS = 2_000;
    private static final int AGAIN_MS = 200;
    private static final int SLACK_MS = 1_000;

    private final Cluster cluster;
    private final Rooms rooms;
    private final ClientNetwork network;
    private final Map<RoomKey, String> silent = new LinkedHashMap<>();
    private boolean over;

    Probe(Cluster cluster, Rooms rooms) {
        this.cluster = cluster;
        this.rooms = rooms;
        this.network = new ClientNetwork(cluster.around);
        for (RoomKey room : rooms.all()) {
            silent.put(room, "no answer");
            ask(room, rooms.route(room).flatMap(cluster::at));
        }
    }

    /** By then every room must have answered, ms. */
    long limitMs() {
        return cluster.settings.leaseTtlMs() + SLACK_MS;
    }

    private void ask(RoomKey room, Optional<SimulatedNode> there) {
        if (over) {
            return;
        }
        SimulatedNode node = there.orElseGet(() -> cluster.around.dice.any(cluster.nodes()));
        Recorder.Moment asked = cluster.recorder.now();
        network.ask(
                node,
                ANSWER_MS,
                entry -> entry.ask(room, router -> router.read(room)),
                () -> new ReadAnswer.Refused(Answer.Refused.of(Answer.Refusal.DRAINING, "nobody there")),
                answer -> answer.ifPresentOrElse(
                        read -> answered(room, node, asked, read), () -> again(room, Optional.empty())));
    }

    private void answered(RoomKey room, SimulatedNode node, Recorder.Moment asked, ReadAnswer read) {
        cluster.recorder.read(room, asked, read);
        if (read instanceof ReadAnswer.Refused refused) {
            silent.computeIfPresent(room, (key, before) -> node + " said " + refused.refused());
            again(room, refused.refused().owner().flatMap(hint -> cluster.at(hint.advertiseAddr())));
        } else {
            silent.remove(room);
            rooms.route(room, node.address);
        }
    }

    private void again(RoomKey room, Optional<SimulatedNode> there) {
        cluster.around.time.later(AGAIN_MS, () -> ask(room, there));
    }

    /** It asks no more; who has not answered? */
    List<Violation> end() {
        over = true;
        List<Violation> found = new ArrayList<>();
        silent.forEach((room, last) -> found.add(new Violation(
                Invariant.I14,
                room,
                "nothing stands in the way any more, and the room does not answer within " + limitMs() + " ms: "
                        + last)));
        return found;
    }
}
