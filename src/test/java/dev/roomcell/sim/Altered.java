package dev.roomcell.sim;

import dev.roomcell.cell.CellPorts;
import dev.roomcell.cell.GiftPorts;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.GiftStore.State;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.RoomMessenger;
import java.util.List;

/** What planted flaws hand on: the right thing, but for one detail. */
final class Altered {
    private Altered() {}

    /** The same ports but for these. */
    static CellPorts ports(
            CellPorts right,
            LeaseDirectory leases,
            CommandStore commands,
            RoomListStore roomList,
            RoomMessenger messenger) {
        return new CellPorts(
                right.nodeId(),
                right.cluster(),
                leases,
                right.nodes(),
                commands,
                right.gifts(),
                right.displays(),
                right.sideTasks(),
                right.snapshots(),
                roomList,
                right.externals(),
                messenger,
                right.laneMeter(),
                right.cellMeter(),
                right.codec(),
                right.clock(),
                right.tokens());
    }

    /** The same ports but for these. */
    static CellPorts gifts(CellPorts right, GiftPorts gifts) {
        return new CellPorts(
                right.nodeId(),
                right.cluster(),
                right.leases(),
                right.nodes(),
                right.commands(),
                gifts,
                right.displays(),
                right.sideTasks(),
                right.snapshots(),
                right.roomList(),
                right.externals(),
                right.messenger(),
                right.laneMeter(),
                right.cellMeter(),
                right.codec(),
                right.clock(),
                right.tokens());
    }

    /** The same ports but for the clock. */
    static CellPorts clock(CellPorts right, RoomClock clock) {
        return new CellPorts(
                right.nodeId(),
                right.cluster(),
                right.leases(),
                right.nodes(),
                right.commands(),
                right.gifts(),
                right.displays(),
                right.sideTasks(),
                right.snapshots(),
                right.roomList(),
                right.externals(),
                right.messenger(),
                right.laneMeter(),
                right.cellMeter(),
                right.codec(),
                clock,
                right.tokens());
    }

    /** The same intent in another state. */
    static Intent in(Intent intent, State state) {
        return intent.with(state, intent.reward(), intent.rewardCoins());
    }

    /** The same commands, and nobody outside hears of them. */
    static RoomBatch withoutFacts(RoomBatch batch) {
        List<RoomBatch.LogRow> rows = batch.rows().stream()
                .map(row -> new RoomBatch.LogRow(
                        row.version(),
                        row.commandId(),
                        row.payloadHash(),
                        row.kind(),
                        row.actorUserId(),
                        row.atMs(),
                        row.command(),
                        row.events(),
                        row.result(),
                        List.of()))
                .toList();
        return batch(batch, rows);
    }

    /** The same batch with other rows. */
    static RoomBatch batch(RoomBatch right, List<RoomBatch.LogRow> rows) {
        return new RoomBatch(
                right.key(),
                right.expectedVersion(),
                right.epoch(),
                right.nodeId(),
                right.leaseToken(),
                rows,
                right.statusAfter(),
                right.liveAfter(),
                right.clearTimers(),
                right.timers(),
                right.gifts(),
                right.listEntry());
    }

    /** The same batch with other timers. */
    static RoomBatch timers(RoomBatch right, List<RoomBatch.TimerChange> timers) {
        return new RoomBatch(
                right.key(),
                right.expectedVersion(),
                right.epoch(),
                right.nodeId(),
                right.leaseToken(),
                right.rows(),
                right.statusAfter(),
                right.liveAfter(),
                right.clearTimers(),
                timers,
                right.gifts(),
                right.listEntry());
    }

    /** The same row with other events; what is told of them is as it was. */
    static RoomBatch.LogRow events(RoomBatch.LogRow right, byte[] events) {
        return new RoomBatch.LogRow(
                right.version(),
                right.commandId(),
                right.payloadHash(),
                right.kind(),
                right.actorUserId(),
                right.atMs(),
                right.command(),
                events,
                right.result(),
                right.facts());
    }

    /** In a group a fenced room is tried alone, and alone nothing was written. */
    static GroupOutcome neverFenced(GroupOutcome outcome) {
        if (!(outcome instanceof GroupOutcome.Committed committed)) {
            return outcome;
        }
        List<Verdict> verdicts = committed.verdicts().stream()
                .map(verdict -> verdict == Verdict.APPENDED ? verdict : Verdict.BUSY)
                .toList();
        return verdicts.equals(List.of(Verdict.BUSY))
                ? new GroupOutcome.RolledBack(Cause.UNAVAILABLE, "fenced, and not noticed")
                : new GroupOutcome.Committed(verdicts);
    }
}
