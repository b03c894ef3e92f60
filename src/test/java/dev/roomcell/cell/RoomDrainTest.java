package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomBatch.LogRow;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** LEASE-10: the rooms of a loop on their way out. */
final class RoomDrainTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");
    private final RoomDrain drain = new RoomDrain();

    /** B02: a node that slept through its leases in the middle of a drain has lost its rooms before their turn came. */
    @Test
    void howeverManyRoomsAreGoneAlreadyTheDrainEnds() {
        RoomCell gone = cell();
        List<Future<Void>> drained = new ArrayList<>();
        node.loop.execute(() -> gone.leave());
        world.run();
        node.loop.execute(() -> drained.add(drain.begin(Collections.nCopies(50_000, gone), List.of())));
        world.run();
        assertThat(drained).singleElement().matches(Future::succeeded);
    }

    private RoomCell cell() {
        CellPorts ports = node.ports();
        CellSettings settings = Limits.usual().settings();
        return new RoomCell(
                node.loop,
                ports,
                settings,
                new GroupCommit(node.loop, ports, settings),
                new LeaseKeeper(node.loop, ports, settings),
                new CellRecovery(node.loop, ports, settings),
                new NobodysHost(),
                new LeaseHold(ROOM, settings.leaseTtlMs(), 2, "token", 0),
                CellWorld.blank(ROOM));
    }

    private static final class NobodysHost implements RoomCell.Host {
        @Override
        public void gone(RoomCell cell, List<PendingCommand> unbegun) {
            assertThat(unbegun).isEmpty();
        }

        @Override
        public void committed(RoomState before, RoomState after, List<LogRow> rows, boolean lineWritten) {
            throw new AssertionError("the room changed");
        }
    }
}
