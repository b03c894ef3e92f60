package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.Members;
import dev.roomcell.port.NodeDirectory.Announced;
import dev.roomcell.port.Peer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What this node knows of the others: which of them seem to live, where they are, and which take no room any more. It
 * may be wrong; who may have a room is for Redis and MySQL to say. Callable from any thread.
 */
public final class ClusterView {
    private final String nodeId;
    private final Members members;
    private volatile List<Announced> others = List.of();

    /** A view in which the others have no address yet. */
    public ClusterView(String nodeId, Members members) {
        this.nodeId = nodeId;
        this.members = members;
    }

    /** The nodes that seem to live. */
    Set<String> members() {
        return members.now();
    }

    /** From now on the nodes are known as they have announced themselves. */
    void learn(List<Announced> announced) {
        others = announced.stream()
                .filter(node -> !node.peer().nodeId().equals(nodeId))
                .toList();
    }

    /** Another node that lives and has announced itself under this address. */
    public Optional<String> holderOf(String advertiseAddr) {
        Set<String> alive = members.now();
        return others.stream()
                .map(Announced::peer)
                .filter(peer -> peer.advertiseAddr().equals(advertiseAddr) && alive.contains(peer.nodeId()))
                .map(Peer::nodeId)
                .findFirst();
    }

    /** The node that a room goes to when this one lets it go: the same one for whoever asks, while the view is the same. */
    Optional<Peer> successorOf(RoomKey key) {
        Optional<Peer> best = Optional.empty();
        for (Peer peer : takers()) {
            if (best.isEmpty() || ranksBefore(peer.nodeId(), best.get().nodeId(), key)) {
                best = Optional.of(peer);
            }
        }
        return best;
    }

    /** Whether this node comes before all others to adopt a room that nobody has (LEASE-14). */
    boolean isFirstFor(RoomKey key) {
        return takers().stream().noneMatch(peer -> ranksBefore(peer.nodeId(), nodeId, key));
    }

    /** Whether that node seems to live and to keep its rooms, so that it sees to them itself. */
    boolean keepsItsRooms(String node) {
        return members.now().contains(node)
                && others.stream()
                        .noneMatch(other ->
                                other.draining() && other.peer().nodeId().equals(node));
    }

    private List<Peer> takers() {
        Set<String> alive = members.now();
        return others.stream()
                .filter(node -> !node.draining() && alive.contains(node.peer().nodeId()))
                .map(Announced::peer)
                .toList();
    }

    /** Rendezvous order: each room has its own order of the nodes, and a node that comes or goes moves only its own rooms. */
    private static boolean ranksBefore(String a, String b, RoomKey key) {
        int compared = Long.compareUnsigned(weight(a, key), weight(b, key));
        return compared == 0 ? a.compareTo(b) < 0 : compared > 0;
    }

    /** The finalizer of SplitMix64: near hash codes have nothing in common behind it. */
    private static long weight(String node, RoomKey key) {
        long mixed = ((long) node.hashCode() << 32) ^ (key.routeKey().hashCode() & 0xffff_ffffL);
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
