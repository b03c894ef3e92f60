package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.RoomRow;
import dev.roomcell.domain.Decision;
import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomPolicy;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.port.RoomCodec;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lives a room's log again, from nothing or a snapshot: decides each command once more (I2), applies the logged events, and looks at
 * the room after each version (I10, I11), at its rockets (I13) and where something else is stored of that version (I2, I12).
 */
final class Replay {
    private final RoomCodec codec;
    private final RoomHistory history;
    private final Findings findings;
    private final EventAccount account;
    private final RocketAccount rockets;
    private final SnapshotMatch snapshots;
    private final ListEntryMatch listEntry;
    /** Null once the log can't be followed: a version is missing, or can't be read or applied. */
    private @Nullable RoomState state;

    /** Not null as long as the log has not come to the state to begin with. */
    private @Nullable RoomState base;

    Replay(RoomCodec codec, RoomHistory history, Findings findings, FirstKept kept) {
        this.codec = codec;
        this.history = history;
        this.findings = findings;
        this.account = new EventAccount(findings);
        this.rockets = new RocketAccount(findings);
        this.snapshots = new SnapshotMatch(codec, history, findings);
        this.listEntry = new ListEntryMatch(history, findings);
        this.base = kept.base();
        if (kept.version() <= kept.base().version()) {
            return;
        }
        begins(kept.base());
    }

    private void begins(RoomState first) {
        base = null;
        if (first.version() == 0) {
            snapshots.reached(first);
        } else {
            snapshots.begins(first);
            account.begins(first);
            rockets.begins(first);
            listEntry.reached(first);
        }
        state = first;
    }

    /** The log goes on with {@code row}, which is no repetition. */
    void next(DecodedRow row, LogOrder.Place place) {
        listEntry.passed(row.version());
        RoomState first = base;
        if (first != null) {
            beforeBase(row, place, first);
            return;
        }
        RoomState before = state;
        if (before == null) {
            return;
        }
        if (place == LogOrder.Place.AFTER_GAP || row.events().isEmpty()) {
            state = null;
            return;
        }
        List<RoomEvent> events = row.events().get();
        row.command().ifPresent(command -> decideAgain(before, command, row, events));
        snapshots.leaving(row.row());
        account.apply(row.version(), events);
        rockets.apply(row.stamp(), events);
        state = evolved(before, row, events);
        if (state != null) {
            look(state);
        }
    }

    /** Until the state to begin with is reached nothing can be decided again; but versions may be missing. */
    private void beforeBase(DecodedRow row, LogOrder.Place place, RoomState first) {
        if (place == LogOrder.Place.AFTER_GAP && row.version() > first.version()) {
            base = null;
        } else if (row.version() == first.version()) {
            begins(first);
        }
    }

    private void decideAgain(RoomState before, RoomCommand command, DecodedRow row, List<RoomEvent> logged) {
        String at = "version " + row.version() + ": ";
        Decision decision =
                RoomDecider.decide(asItWas(before, command, logged), command, row.stamp(), policyOf(row, logged));
        if (!(decision instanceof Decision.Accepted accepted)) {
            findings.add(Invariant.I2, at + command.kind() + " is logged; decided again it is " + decision);
            return;
        }
        findings.require(
                accepted.events().equals(logged),
                Invariant.I2,
                () -> at + "the logged events are " + logged + "; " + command.kind() + " makes " + accepted.events());
        findings.require(
                Arrays.equals(
                        codec.encodeResult(before.key(), accepted.result()),
                        row.row().result()),
                Invariant.I2,
                () -> at + "the logged result is not " + accepted.result() + ", the answer to " + command.kind());
    }

    /** How long the node that wrote the row gave a seat to publish, which no table keeps: by the deadline it set. */
    private static RoomPolicy policyOf(DecodedRow row, List<RoomEvent> logged) {
        long withinMs = 0;
        for (RoomEvent event : logged) {
            if (event instanceof MicSeats.RoomMicChanged changed) {
                // A seat that waited before keeps its deadline, which is the earlier one.
                withinMs = Math.max(
                        withinMs,
                        changed.session().publishDeadlineMs() - row.stamp().atMs());
            }
        }
        return withinMs > 0 ? new RoomPolicy(withinMs, withinMs) : RoomPolicy.STANDARD;
    }

    /**
     * What no event tells: that a closing had begun, which only the room's row knew until it was finished (ROOM-5); and
     * who gave a sign of life before a sweep was decided, and so stayed, or after RTC saw them leave, and so kept the seat
     * for the time being (PRES-7, MIC-4).
     */
    private static RoomState asItWas(RoomState before, RoomCommand command, List<RoomEvent> logged) {
        if (command.kind() == RoomCommand.Kind.HEAL_ROOM && before.status() == Status.ACTIVE) {
            return before.closingBegun();
        }
        RoomState state = before;
        if (command instanceof RtcReports.ReportRtc report && logged.stream().noneMatch(Replay::freesASeat)) {
            return Presence.seen(before, report.userId(), Long.MAX_VALUE);
        }
        if (command instanceof Presence.SweepStale sweep) {
            Set<String> gone = new HashSet<>();
            for (RoomEvent event : logged) {
                if (event instanceof Presence.RoomUserLeft left) {
                    gone.add(left.userId());
                }
            }
            for (Presence.Silent silent : sweep.silent()) {
                if (!gone.contains(silent.userId())) {
                    state = Presence.seen(state, silent.userId(), Long.MAX_VALUE);
                }
            }
        }
        return state;
    }

    private static boolean freesASeat(RoomEvent event) {
        return event instanceof MicSeats.RoomMicChanged changed && changed.to() == MicSeats.Status.IDLE;
    }

    private @Nullable RoomState evolved(RoomState before, DecodedRow row, List<RoomEvent> events) {
        try {
            return RoomDecider.evolve(before, events, row.stamp());
        } catch (RuntimeException fault) {
            findings.add(Invariant.I2, "version " + row.version() + ": its events can't be applied: " + fault);
            return null;
        }
    }

    private void look(RoomState now) {
        try {
            now.checked();
        } catch (IllegalStateException broken) {
            findings.add(Invariant.I10, String.valueOf(broken.getMessage()));
        }
        if (!account.counts(now)) {
            account.compare(now);
        }
        snapshots.reached(now);
        listEntry.reached(now);
    }

    void end() {
        RoomState last = state;
        snapshots.end(last);
        listEntry.end();
        if (last != null) {
            account.compare(last);
            history.row().ifPresent(row -> compare(row, last));
        }
    }

    private void compare(RoomRow row, RoomState last) {
        RoomState told = row.status().equals(Status.CLOSING.name()) && last.status() == Status.ACTIVE
                ? last.closingBegun()
                : last;
        findings.require(
                row.status().equals(told.status().name()),
                Invariant.I1,
                () -> "the row's state is " + row.status() + ", by its log the room is " + told.status());
        findings.require(
                row.live() == told.live(),
                Invariant.I12,
                () -> "the row says live=" + row.live() + ", by its log it is " + told.live());
    }
}
