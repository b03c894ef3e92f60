package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.TimerStore.DueTimer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns due timers into the rooms' own commands (TIMER-1). A claim is only a wake-up: the cell decides again, and the
 * commit that acts deletes the row; a node that can't act, as for another node's room, gives the timer back at once.
 */
public final class TimeoutWorker {
    private static final Logger log = LoggerFactory.getLogger(TimeoutWorker.class);
    /** The pause between two looks, ms. */
    private static final long PERIOD_MS = 1_000;
    /** A timer claimed and not acted on is due again after so long, ms. */
    private static final long CLAIM_MS = 10_000;
    /** The most timers of one look. */
    private static final int TIMERS_A_LOOK = 64;

    private final CellLoop loop;
    private final TimerStore timers;
    private final RoomClock clock;
    private final CommandRouter router;
    private CellLoop.Cancellable nextLook;
    private boolean stopped;

    /** A worker that looks for the first time after one period. */
    public TimeoutWorker(CellLoop loop, TimerStore timers, RoomClock clock, CommandRouter router) {
        this.loop = loop;
        this.timers = timers;
        this.clock = clock;
        this.router = router;
        this.nextLook = loop.schedule(PERIOD_MS, this::look);
    }

    /** Looks no more. */
    public void stop() {
        stopped = true;
        nextLook.cancel();
    }

    private void look() {
        long nowMs = clock.nowMs();
        long untilMs = nowMs + CLAIM_MS;
        loop.reenter(timers.claimDue(nowMs, untilMs, TIMERS_A_LOOK))
                .compose(due -> overOrLate(due.stream()
                        .map(timer -> act(timer).compose(answer -> answered(timer, answer, untilMs, nowMs)))
                        .toList()))
                .onComplete(looked -> {
                    if (looked.failed()) {
                        log.warn("timers not looked at: {}", looked.cause().toString());
                    }
                    if (!stopped) {
                        nextLook = loop.schedule(PERIOD_MS, this::look);
                    }
                });
    }

    /** One room that does not answer must not hold up all the others. */
    private Future<Void> overOrLate(List<Future<Void>> acts) {
        Promise<Void> over = Promise.promise();
        CellLoop.Cancellable late = loop.schedule(PERIOD_MS, over::tryComplete);
        Future.join(acts).onComplete(acted -> {
            late.cancel();
            over.tryComplete();
        });
        return over.future();
    }

    private Future<Void> answered(DueTimer timer, Answer answer, long untilMs, long dueMs) {
        return answer instanceof Answer.Refused refused && isForOthers(refused.refusal())
                ? loop.reenter(timers.giveBack(List.of(timer), untilMs, dueMs))
                        .onFailure(failure -> log.warn("timer not given back: {}", failure.toString()))
                : Future.succeededFuture();
    }

    /** Whoever can't act now must not keep the timer from those who perhaps can. */
    private static boolean isForOthers(Answer.Refusal refusal) {
        return switch (refusal) {
            case NOT_OWNER, LEASE_LOST, FENCED, DRAINING, OVERLOADED, STORE_UNAVAILABLE -> true;
            case LOADING, COMMAND_ID_CONFLICT, OUTCOME_UNKNOWN, INTERNAL -> false;
        };
    }

    private Future<Answer> act(DueTimer timer) {
        return loop.reenter(
                switch (timer.kind()) {
                    case CREATE_LIMIT -> router.heal(timer.key());
                });
    }
}
