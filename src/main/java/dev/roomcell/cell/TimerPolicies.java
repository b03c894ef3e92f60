package dev.roomcell.cell;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.TimerStore.DueTimer;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What is to be done when a timer is due (TIMER-1): look at the room, and where something is over, send the room its own
 * command (CMD-5). The look is a read, so the lease was confirmed (LEASE-9). The command may wait in the mailbox: it is
 * decided anew against whatever came before it, and verified and fenced as any other.
 */
final class TimerPolicies {
    private final Rooms rooms;
    private final RoomCodec codec;
    private final RoomClock clock;
    private final CellSettings settings;

    /** The rooms that this node may have. */
    interface Rooms {
        /** As {@link CellRegistry#read}. */
        Future<ReadAnswer> read(RoomKey key);

        /** As {@link CellRegistry#submit}. */
        Future<Answer> submit(CommandRequest request);

        /** As {@link CellRegistry#heal}. */
        Future<Answer> heal(RoomKey key);

        /** As {@link CellRegistry#heardForMs}. */
        long heardForMs(RoomKey key);
    }

    TimerPolicies(Rooms rooms, RoomCodec codec, RoomClock clock, CellSettings settings) {
        this.rooms = rooms;
        this.codec = codec;
        this.clock = clock;
        this.settings = settings;
    }

    Future<TimerOutcome> act(DueTimer timer) {
        return switch (timer.kind()) {
            case CREATE_LIMIT -> rooms.heal(timer.key()).map(TimerPolicies::outcome);
            case MIC_DEADLINE -> looked(timer.key(), this::timeOutMics);
            case STALE_SWEEP -> looked(timer.key(), this::sweepStale);
        };
    }

    private interface Look {
        Future<TimerOutcome> at(RoomState room, long nowMs);
    }

    private Future<TimerOutcome> looked(RoomKey key, Look look) {
        return rooms.read(key).compose(answer -> {
            if (answer instanceof ReadAnswer.Found found) {
                return look.at(found.state(), clock.nowMs());
            }
            return Future.succeededFuture(
                    answer instanceof ReadAnswer.Refused refused
                            ? outcome(refused.refused())
                            : new TimerOutcome.Over());
        });
    }

    /** MIC-3: every seat whose deadline is over, each by a command of its own. */
    private Future<TimerOutcome> timeOutMics(RoomState room, long nowMs) {
        List<Future<Answer>> asked = new ArrayList<>();
        for (MicSeats.Seat seat : MicSeats.pending(room)) {
            long deadlineMs = seat.session().publishDeadlineMs();
            if (deadlineMs <= nowMs) {
                RoomCommand timeOut = new MicSeats.TimeOutMic(seat.micSessionId(), deadlineMs);
                asked.add(submit(room.key(), "~mic:" + seat.micSessionId() + ":" + deadlineMs, timeOut));
            }
        }
        if (asked.isEmpty()) {
            return Future.succeededFuture(again(MicSeats.firstDeadlineMs(room)));
        }
        return Future.join(asked).map(answers -> {
            List<TimerOutcome> outcomes = asked.stream()
                    .map(Future::result)
                    .map(TimerPolicies::outcome)
                    .toList();
            return outcomes.stream()
                    .filter(outcome -> !(outcome instanceof TimerOutcome.Over))
                    .findFirst()
                    .orElse(new TimerOutcome.Over());
        });
    }

    private static TimerOutcome again(OptionalLong atMs) {
        return atMs.isPresent() ? new TimerOutcome.Again(atMs.getAsLong()) : new TimerOutcome.Over();
    }

    /** PRES-6: at most so many users a command; after a load or a pause everybody has one full window (PRES-7). */
    private Future<TimerOutcome> sweepStale(RoomState room, long nowMs) {
        OptionalLong oldestMs = Presence.oldestSignOfLifeMs(room);
        if (oldestMs.isEmpty()) {
            return Future.succeededFuture(new TimerOutcome.Over());
        }
        long heardSinceMs = Math.max(oldestMs.getAsLong(), nowMs - rooms.heardForMs(room.key()));
        long notBeforeMs = heardSinceMs + settings.staleAfterMs() + 1;
        if (nowMs < notBeforeMs) {
            return Future.succeededFuture(new TimerOutcome.Again(Math.max(notBeforeMs, nowMs + leastPauseMs())));
        }
        List<Presence.Silent> silent = Presence.silent(room, nowMs - settings.staleAfterMs(), Presence.MAX_SWEPT);
        return submit(room.key(), "~stale:" + room.version(), new Presence.SweepStale(silent))
                .map(answer -> {
                    TimerOutcome outcome = outcome(answer);
                    boolean perhapsMore = silent.size() == Presence.MAX_SWEPT;
                    return outcome instanceof TimerOutcome.Over
                            ? new TimerOutcome.Again(perhapsMore ? nowMs : nowMs + leastPauseMs())
                            : outcome;
                });
    }

    /** So long at least is between two looks that find nobody: each of them looks at every user. */
    private long leastPauseMs() {
        return settings.staleAfterMs() / 8;
    }

    private Future<Answer> submit(RoomKey key, String commandId, RoomCommand command) {
        long deadlineMs = clock.monotonicMs() + settings.leaseTtlMs();
        return rooms.submit(new CommandRequest(key, commandId, command, codec.encodeCommand(key, command), deadlineMs));
    }

    private static TimerOutcome outcome(Answer answer) {
        return answer instanceof Answer.Refused refused && isForOthers(refused.refusal())
                ? new TimerOutcome.NotHere()
                : new TimerOutcome.Over();
    }

    /** Whoever can't act now must not keep the timer from those who perhaps can. */
    private static boolean isForOthers(Answer.Refusal refusal) {
        return switch (refusal) {
            case NOT_OWNER, OWNER_UNREACHABLE, LEASE_LOST, FENCED, DRAINING, OVERLOADED, STORE_UNAVAILABLE -> true;
            case LOADING, COMMAND_ID_CONFLICT, OUTCOME_UNKNOWN, REWARD_IN_PROGRESS, INTERNAL -> false;
        };
    }
}
