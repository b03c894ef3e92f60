package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.TimerStore.DueTimer;
import dev.roomcell.port.TimerStore.GivenBack;
import dev.roomcell.port.TimerStore.TimerClaim;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes rooms whose timers are due (TIMER-1). A claim is only a wake-up: the cell decides again, and the commit that acts
 * deletes the row or sets it anew; a node that can't act, as for another node's room, gives the timer back at once.
 */
public final class TimeoutWorker {
    private static final Logger log = LoggerFactory.getLogger(TimeoutWorker.class);
    /** The pause between two looks, ms. */
    private static final long PERIOD_MS = 1_000;
    /** The pause after a look that found as much as it may take and came to something: there is more, ms. */
    private static final long BUSY_PERIOD_MS = 10;
    /** A timer claimed and not acted on is due again after so long, ms. */
    private static final long CLAIM_MS = 10_000;
    /** The most timers of one look. */
    private static final int TIMERS_A_LOOK = 256;

    private final CellLoop loop;
    private final TimerStore timers;
    private final RoomClock clock;
    private final CommandRouter router;
    private final String nodeId;
    private final long lateAfterMs;
    private CellLoop.Cancellable nextLook;
    private boolean paused;
    private boolean stopped;

    /**
     * A worker that looks for the first time after one period.
     *
     * @param nodeId whose rooms' timers it claims
     * @param lateAfterMs a timer overdue for so long is claimed whoever owns its room, ms: the owner may be dead
     */
    public TimeoutWorker(
            CellLoop loop, TimerStore timers, RoomClock clock, CommandRouter router, String nodeId, long lateAfterMs) {
        this.loop = loop;
        this.timers = timers;
        this.clock = clock;
        this.router = router;
        this.nodeId = nodeId;
        this.lateAfterMs = lateAfterMs;
        this.nextLook = loop.schedule(PERIOD_MS, this::look);
    }

    /** Looks no more for a while, or again: a node that drains can act on nothing. */
    public void pause(boolean pause) {
        paused = pause;
    }

    /** Looks no more. */
    public void stop() {
        stopped = true;
        nextLook.cancel();
    }

    private void look() {
        Future.<Void>succeededFuture()
                .compose(begun -> paused ? Future.succeededFuture(false) : claimAndAct())
                .onComplete(looked -> {
                    if (looked.failed()) {
                        log.warn("timers not looked at: {}", looked.cause().toString());
                    }
                    if (!stopped) {
                        boolean more = looked.succeeded() && looked.result();
                        nextLook = loop.schedule(more ? BUSY_PERIOD_MS : PERIOD_MS, this::look);
                    }
                });
    }

    private Future<Boolean> claimAndAct() {
        long nowMs = clock.nowMs();
        TimerClaim claim = new TimerClaim(
                nodeId, nowMs, nowMs - lateAfterMs, nowMs + CLAIM_MS, TIMERS_A_LOOK, router.timerKinds());
        return loop.reenter(timers.claimDue(claim)).compose(due -> new Look(claim).act(due));
    }

    /** One look's timers: most are given back together, those of rooms that were slow to answer one by one. */
    private final class Look {
        private final TimerClaim claim;
        private final List<GivenBack> returns = new ArrayList<>();
        private int actedOn;
        private boolean over;

        Look(TimerClaim claim) {
            this.claim = claim;
        }

        /** Whether to look again at once: there may be more, and it comes to something. */
        Future<Boolean> act(List<DueTimer> due) {
            List<Future<Void>> acts = new ArrayList<>();
            for (DueTimer timer : due) {
                if (timer.timer().kind().isSideTask()) {
                    // Whoever is outside may take their time; the rooms' deadlines have none.
                    actedOn++;
                    loop.reenter(router.timer(timer.timer())).onSuccess(outcome -> taskOver(timer, outcome));
                } else {
                    acts.add(loop.reenter(router.timer(timer.timer())).map(outcome -> {
                        actedOn += outcome instanceof TimerOutcome.NotHere ? 0 : 1;
                        again(timer, outcome).ifPresent(this::giveBack);
                        return null;
                    }));
                }
            }
            return overOrLate(acts).compose(acted -> {
                over = true;
                boolean more = due.size() == TIMERS_A_LOOK && actedOn > 0;
                return giveBack(List.copyOf(returns)).map(more);
            });
        }

        /** One room that does not answer must not hold up all the others. */
        private Future<Void> overOrLate(List<Future<Void>> acts) {
            Promise<Void> overOrLate = Promise.promise();
            CellLoop.Cancellable late = loop.schedule(PERIOD_MS, overOrLate::tryComplete);
            Future.join(acts).onComplete(acted -> {
                late.cancel();
                overOrLate.tryComplete();
            });
            return overOrLate.future();
        }

        /** What is not for this node is due when it was: of two clocks, this node's may be the one that is wrong. */
        private Optional<GivenBack> again(DueTimer timer, TimerOutcome outcome) {
            if (outcome instanceof TimerOutcome.NotHere) {
                return Optional.of(new GivenBack(timer.timer(), timer.dueMs()));
            }
            return outcome instanceof TimerOutcome.Again again
                    ? Optional.of(new GivenBack(timer.timer(), again.atMs()))
                    : Optional.empty();
        }

        /** A row that could not be deleted or given back comes again when its claim is over. */
        private void taskOver(DueTimer timer, TimerOutcome outcome) {
            if (outcome instanceof TimerOutcome.Done) {
                loop.reenter(timers.done(timer.timer(), claim.untilMs()))
                        .onFailure(failure -> log.warn("{} not deleted: {}", timer.timer(), failure.toString()));
            } else {
                again(timer, outcome).ifPresent(given -> giveBack(List.of(given)));
            }
        }

        private void giveBack(GivenBack timer) {
            if (over) {
                giveBack(List.of(timer));
            } else {
                returns.add(timer);
            }
        }

        /** Never fails: what was not given back is due again when its claim is over. */
        private Future<Void> giveBack(List<GivenBack> given) {
            return given.isEmpty()
                    ? Future.succeededFuture()
                    : loop.reenter(timers.giveBack(given, claim.untilMs())).recover(failure -> {
                        log.warn("timers not given back: {}", failure.toString());
                        return Future.succeededFuture();
                    });
        }
    }
}
