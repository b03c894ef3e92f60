package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSeats.Status;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.domain.RtcReports.Fact;
import dev.roomcell.domain.RtcReports.Outcome;
import dev.roomcell.sim.MemoryRtc;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two nodes and an RTC, and Ben on seat 2 of a room of the first. */
abstract class RtcScene {
    /** A timer is seen at most so late, ms. */
    static final long LATE_MS = 2_000;

    final MemoryRtc rtc = new MemoryRtc();
    final CellWorld world = CellWorld.with(rtc);
    final CellNode a = world.node("a");
    final CellNode b = world.node("b");
    private final List<TimeoutWorker> workers = new ArrayList<>();

    @BeforeEach
    void benSits() {
        a.createWith(ROOM, "ben", "cid");
        Answers.assertDone(a.ask(ROOM, "up", new MicSeats.MicUp("ben", 2)));
    }

    @AfterEach
    void stop() {
        workers.forEach(TimeoutWorker::stop);
    }

    void watchTimers(CellNode node) {
        workers.add(node.watchTimers(Limits.TTL_MS));
    }

    /** What the seat is doing that Ben took. */
    static Status seat(CellNode node) {
        return node.room(ROOM).seats().get(1).status();
    }

    Outcome report(String id, String userId, Fact fact, long eventAtMs) {
        Answer answer = a.ask(ROOM, "~rtc:" + id, new RtcReports.ReportRtc(userId, fact, eventAtMs));
        return CellWorld.CODEC.decodeRtcOutcome(((Answer.Done) answer).result());
    }
}
