package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.TimerStore;
import dev.roomcell.sim.Fault.Strike;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Traps for nodes: one goes off when a call of a certain kind is on its way. */
final class Traps {
    /** Between these and what follows them lies what must not happen twice, or too late. */
    private static final List<Call> BEFORE_AN_EFFECT = List.of(
            Call.VERIFY,
            Call.COMMIT,
            Call.MINT,
            Call.RECORD_EPOCH,
            Call.CLAIM_DUE,
            Call.CLAIM_FACTS,
            Call.PUBLISH,
            Call.BEGIN_GIFTS,
            Call.CLAIM_GIFTS,
            Call.WALLET);

    /** What a node calls that is asked for rooms, and not for what is stored of them. */
    private static final List<Call> OF_A_NODE = Stream.of(Call.values())
            .filter(call -> call != Call.READ_LIST && call != Call.READ_LOG)
            .toList();

    private static final int LONGEST_TRAP_MS = 20_000;
    private static final int LONGEST_BEFORE_LAUNCH_MS = 5_000;

    private Traps() {}

    /** Sets one, for the next node that makes a call of a kind that chance picks. */
    static Strike set(Cluster cluster, Consumer<SimulatedNode> snap) {
        Dice dice = cluster.around.dice;
        Call call = dice.coin() ? dice.any(BEFORE_AN_EFFECT) : dice.any(OF_A_NODE);
        Optional<Surroundings.Trap> trap = Optional.of(new Surroundings.Trap(call, snap));
        cluster.around.trap = trap;
        return new Strike(call.toString(), LONGEST_TRAP_MS, () -> {
            if (cluster.around.trap.equals(trap)) {
                cluster.around.trap = Optional.empty();
            }
        });
    }

    /** Kills the owner of the room whose rocket is to launch next, if one soon is. */
    static Strike beforeLaunch(Cluster cluster) {
        Surroundings around = cluster.around;
        Optional<RoomKey> room = around.database.rooms().stream()
                .min(Comparator.comparingLong(key -> launchMs(around, key)))
                .filter(key -> launchMs(around, key) < around.databaseNowMs() + LONGEST_TRAP_MS);
        if (room.isEmpty()) {
            return Strike.atOnce("none");
        }
        long inMs = Math.max(0, launchMs(around, room.get()) - around.databaseNowMs());
        long killInMs = Math.max(0, inMs - around.dice.skewed(LONGEST_BEFORE_LAUNCH_MS));
        String owner = around.database.room(room.get()).orElseThrow().ownerNodeId();
        AtomicBoolean calledOff = new AtomicBoolean();
        around.time.later(
                killInMs,
                () -> cluster.nodes().stream()
                        .filter(node -> node.nodeId.equals(owner) && !calledOff.get())
                        .forEach(cluster::kill));
        return new Strike(owner + " in " + killInMs + " ms", killInMs + 1, () -> calledOff.set(true));
    }

    /** Far away where none is to launch. */
    private static long launchMs(Surroundings around, RoomKey room) {
        return around.database.timers(room).getOrDefault(TimerStore.Kind.ROCKET_LAUNCH, Long.MAX_VALUE);
    }
}
