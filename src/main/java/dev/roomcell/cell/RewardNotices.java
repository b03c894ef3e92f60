package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.GiftMeter;
import dev.roomcell.port.GiftMeter.NoticeFate;
import dev.roomcell.port.UserNotices;
import dev.roomcell.port.UserNotices.LateReward;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells givers of rewards that came late (GIFT-6). Best effort: each notice is tried once, a few at a time, and what waits has
 * a bound; one more is dropped. Nothing that moves money waits for it, or fails by it. Confined to its loop.
 */
final class RewardNotices {
    private static final Logger log = LoggerFactory.getLogger(RewardNotices.class);

    /** How long one notice may take, ms. */
    static final long TELL_MS = 5_000;
    /** Notices on their way at once. */
    static final int MOST_ON_THEIR_WAY = 8;
    /** Notices that wait. */
    static final int MOST_WAITING = 1_024;

    private final CellLoop loop;
    private final UserNotices notices;
    private final GiftMeter meter;
    private final ArrayDeque<LateReward> waiting = new ArrayDeque<>();
    private int onTheirWay;
    private boolean closed;

    RewardNotices(CellLoop loop, UserNotices notices, GiftMeter meter) {
        this.loop = loop;
        this.notices = notices;
        this.meter = meter;
    }

    /** Takes a notice, and tells nobody before it returns. */
    void tell(LateReward reward) {
        if (closed) {
            meter.noticeEnded(NoticeFate.SHUTDOWN);
        } else if (!notices.isConnected()) {
            meter.noticeEnded(NoticeFate.NOT_CONNECTED);
        } else if (waiting.size() >= MOST_WAITING) {
            meter.noticeEnded(NoticeFate.QUEUE_FULL);
        } else {
            waiting.addLast(reward);
            loop.execute(this::pump);
        }
    }

    private void pump() {
        while (!closed && onTheirWay < MOST_ON_THEIR_WAY && !waiting.isEmpty()) {
            new Telling(waiting.removeFirst()).begin();
        }
    }

    /** One notice on its way. */
    private final class Telling {
        private final LateReward reward;
        private boolean over;

        Telling(LateReward reward) {
            this.reward = reward;
        }

        void begin() {
            onTheirWay++;
            CellLoop.Cancellable deadline = loop.schedule(TELL_MS, () -> end(NoticeFate.FAILED, "no answer in time"));
            Future<Void> told = Future.<Void>succeededFuture().compose(begun -> notices.tell(reward, TELL_MS));
            loop.reenter(told).onComplete(result -> {
                deadline.cancel();
                end(result.succeeded() ? NoticeFate.SENT : NoticeFate.FAILED, String.valueOf(result.cause()));
            });
        }

        private void end(NoticeFate fate, String why) {
            if (over) {
                return;
            }
            over = true;
            onTheirWay--;
            meter.noticeEnded(fate);
            if (fate == NoticeFate.FAILED) {
                log.info("{} not told of a reward of {} coins: {}", reward.key(), reward.coins(), why);
            }
            pump();
        }
    }

    /** Tells nobody more; what waits is dropped. */
    void close() {
        closed = true;
        for (LateReward dropped = waiting.pollFirst(); dropped != null; dropped = waiting.pollFirst()) {
            meter.noticeEnded(NoticeFate.SHUTDOWN);
        }
    }
}
