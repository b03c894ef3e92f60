package dev.roomcell.cell;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Rocket;
import dev.roomcell.domain.Rockets;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RocketCatalog;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.TimerStore.RoomTimer;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be done when a timer is due (TIMER-1): look at the room, and where something is over, send the room its own
 * command (CMD-5). The look is a read, so the lease was confirmed (LEASE-9). The command may wait in the mailbox: it is
 * decided anew against whatever came before it, and verified and fenced as any other.
 */
final class TimerPolicies {
    private static final Logger log = LoggerFactory.getLogger(TimerPolicies.class);

    private final Rooms rooms;
    private final RoomCodec codec;
    private final RoomClock clock;
    private final RocketCatalog rockets;
    private final CellLoop loop;
    private final CellSettings settings;
    private final SideTasks sideTasks;

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

    TimerPolicies(CellLoop loop, Rooms rooms, CellPorts ports, CellSettings settings, SeatlessAudio seatless) {
        this.loop = loop;
        this.rooms = rooms;
        this.codec = ports.codec();
        this.clock = ports.clock();
        this.rockets = ports.gifts().rockets();
        this.settings = settings;
        this.sideTasks = new SideTasks(loop, clock, ports.sideTasks(), rooms::read, seatless);
    }

    Future<TimerOutcome> act(RoomTimer timer) {
        return switch (timer.kind()) {
            case CREATE_LIMIT -> rooms.heal(timer.key()).map(TimerPolicies::outcome);
            case MIC_DEADLINE -> looked(timer.key(), this::timeOutMics);
            case STALE_SWEEP -> looked(timer.key(), this::sweepStale);
            case ROCKET_LAUNCH -> looked(timer.key(), this::launch);
            case RTC_REMOVE_USER, RTC_SILENCE_USER, RTC_DISMISS_ROOM, IM_FORBID_USER, IM_DESTROY_GROUP ->
                sideTasks.act(timer);
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

    /** ROCKET-2: the cell looks again at everything that is said of the rocket here. */
    private Future<TimerOutcome> launch(RoomState room, long nowMs) {
        Optional<Rocket> ignited = room.rocket().filter(Rocket::ignited);
        if (ignited.isEmpty()) {
            return Future.succeededFuture(new TimerOutcome.Over());
        }
        Rocket rocket = ignited.get();
        if (nowMs < rocket.launchAtMs()) {
            return Future.succeededFuture(new TimerOutcome.Again(rocket.launchAtMs()));
        }
        return loop.reenter(rockets.plan(room.key().appCode())).transform(plan -> {
            if (plan.failed()) {
                log.warn(
                        "room {}: its rocket waits: {}",
                        room.key(),
                        plan.cause().toString());
                return Future.succeededFuture(new TimerOutcome.NotHere());
            }
            RoomCommand launch =
                    new Rockets.LaunchRocket(rocket.id(), rocket.level(), rocket.launchAtMs(), plan.result());
            return submit(room.key(), "~launch:" + rocket.id(), launch).map(TimerPolicies::outcome);
        });
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
