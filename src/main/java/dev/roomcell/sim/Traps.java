package dev.roomcell.sim;

import dev.roomcell.sim.Fault.Strike;
import java.util.List;
import java.util.Optional;
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
}
