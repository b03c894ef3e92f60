package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.fault.FaultProxy;
import dev.roomcell.fault.FaultProxy.Direction;
import dev.roomcell.it.FaultKind.Strike;

/** What happens to a node, or to its wires. */
final class NodeFaults {
    private NodeFaults() {}

    static void kill(FaultStage stage, Strike strike) {
        stage.node(strike.node()).kill();
        stage.pause(strike.lastsMs());
        stage.startAgain(strike.node());
    }

    static void pause(FaultStage stage, Strike strike) {
        stage.node(strike.node()).signal("STOP");
        try {
            stage.pause(strike.lastsMs());
        } finally {
            stage.node(strike.node()).signal("CONT");
        }
    }

    static void cut(FaultStage stage, FaultProxy wire, Strike strike) {
        switch (strike.variant() % 3) {
            case 0 -> wire.blackHole();
            case 1 -> wire.blackHole(Direction.TO_SERVER);
            default -> wire.blackHole(Direction.TO_CLIENT);
        }
        try {
            stage.pause(strike.lastsMs());
        } finally {
            wire.pass();
        }
    }

    static void restartAll(FaultStage stage) {
        for (int node = 0; node < FaultStage.NODES; node++) {
            NodeProcess stopping = stage.node(node);
            stopping.signal("TERM");
            assertThat(stopping.awaitExit()).as(stopping.tail()).isIn(0, 143);
            stage.startAgain(node);
        }
    }
}
