package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.TimerStore.DueTimer;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns due timers into the rooms' own commands (TIMER-1). A claim is only a wake-up: the cell decides again, and the
 * commit that acts deletes the row; a timer whose room is another node's is given back for that node to find.
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
                .compose(this::act)
                .compose(others -> others.isEmpty()
                        ? Future.succeededFuture()
                        : loop.reenter(timers.giveBack(others, untilMs, nowMs)))
                .onComplete(looked -> {
                    if (looked.failed()) {
                        log.warn("timers not looked at: {}", looked.cause().toString());
                    }
                    if (!stopped) {
                        nextLook = loop.schedule(PERIOD_MS, this::look);
                    }
                });
    }

    /** Returns those whose room another node has: its owner, who looks as often as we do, must find them due. */
    private Future<List<DueTimer>> act(List<DueTimer> due) {
        List<DueTimer> others = new ArrayList<>();
        List<Future<Answer>> acts = due.stream()
                .map(timer -> act(timer).onSuccess(answer -> {
                    if (answer instanceof Answer.Refused refused && refused.refusal() == Answer.Refusal.NOT_OWNER) {
                        others.add(timer);
                    }
                }))
                .toList();
        return Future.join(acts).map(others);
    }

    private Future<Answer> act(DueTimer timer) {
        return loop.reenter(
                switch (timer.kind()) {
                    case CREATE_LIMIT -> router.heal(timer.key());
                });
    }
}
