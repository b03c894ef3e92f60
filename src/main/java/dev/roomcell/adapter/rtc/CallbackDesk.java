package dev.roomcell.adapter.rtc;

import dev.roomcell.adapter.rtc.RtcCallback.Report;
import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.RtcReports.Fact;
import dev.roomcell.domain.RtcReports.ReportRtc;
import dev.roomcell.port.ExternalRooms;
import dev.roomcell.port.ExternalRooms.Found;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RtcInbox;
import dev.roomcell.port.RtcInbox.Heard;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where callbacks of TRTC are taken: looked through, brought to their rooms, and answered before TRTC gives the answer up,
 * whatever else stands still (B43). What is not handled is said not to be, so that TRTC sends it again, to this node or
 * another. Belongs to one event loop.
 */
public final class CallbackDesk {
    /** Of TRTC's five seconds: what the room's answer may take, ms. */
    public static final long HANDLED_WITHIN_MS = 3_000;
    /** When the answer is given up all the same, ms: TRTC's five seconds began when the callback was sent. */
    private static final long ANSWERED_WITHIN_MS = 3_500;
    /** Callbacks that are being handled; one more is to be sent again. */
    private static final int MOST_AT_ONCE = 1_000;

    private static final Logger log = LoggerFactory.getLogger(CallbackDesk.class);

    private final int sdkAppId;
    private final CallbackSignature signature;
    private final ExternalRooms rooms;
    private final RtcInbox inbox;
    private final RoomClock clock;
    private final ClockOffset offset;
    private final AtomicInteger atOnce = new AtomicInteger();

    /**
     * A desk for one app.
     *
     * @param sdkAppId its number at TRTC
     * @param callbackKey what TRTC signs with
     * @param offset hears when callbacks were sent
     */
    public CallbackDesk(
            int sdkAppId,
            String callbackKey,
            ExternalRooms rooms,
            RtcInbox inbox,
            RoomClock clock,
            ClockOffset offset) {
        this.sdkAppId = sdkAppId;
        this.signature = new CallbackSignature(callbackKey);
        this.rooms = rooms;
        this.inbox = inbox;
        this.clock = clock;
        this.offset = offset;
    }

    /**
     * What becomes of a callback.
     *
     * @param fact what it said; empty if it was not read, or says nothing that matters
     * @param outcome what became of it
     * @param reason more about that, as errors are named in the API; may be empty
     */
    public record Verdict(Optional<Fact> fact, CallbackOutcome outcome, String reason) {
        /** Of a callback that was not read. */
        public static Verdict of(CallbackOutcome outcome) {
            return new Verdict(Optional.empty(), outcome, "");
        }
    }

    /**
     * Takes a callback that began to arrive at {@code arrivedMs}, on the monotonic clock; never fails.
     *
     * @param sign the header {@code Sign}; empty if there is none
     * @param app the header {@code SdkAppId}; empty if there is none
     * @param body as it came
     */
    public Future<Verdict> take(String sign, String app, Buffer body, long arrivedMs) {
        if (!signature.isOf(sign, body.getBytes())) {
            return answer(CallbackOutcome.UNSIGNED);
        }
        if (!app.equals(Integer.toString(sdkAppId))) {
            return answer(CallbackOutcome.OTHER_APP);
        }
        RtcCallback callback;
        try {
            callback = RtcCallback.read(body);
        } catch (MalformedCallbackException malformed) {
            log.warn("a callback of TRTC can't be understood: {}", malformed.getMessage());
            return answer(CallbackOutcome.MALFORMED);
        }
        callback.sentAtMs().ifPresent(offset::heard);
        return callback.report()
                .map(report -> handle(callback.eventType(), report, arrivedMs))
                .orElseGet(() -> answer(CallbackOutcome.IGNORED));
    }

    private static Future<Verdict> answer(CallbackOutcome outcome) {
        return Future.succeededFuture(Verdict.of(outcome));
    }

    private Future<Verdict> handle(long eventType, Report report, long arrivedMs) {
        Optional<Fact> fact = Optional.of(report.fact());
        if (!RtcIds.canBeOurs(report.userId())) {
            return Future.succeededFuture(new Verdict(fact, CallbackOutcome.NO_SUCH_USER, ""));
        }
        if (atOnce.get() >= MOST_AT_ONCE) {
            return Future.succeededFuture(new Verdict(fact, CallbackOutcome.BUSY, "OVERLOADED"));
        }
        atOnce.incrementAndGet();
        return rooms.find(report.roomId())
                .compose(found -> found.map(room -> bring(eventType, report, room, arrivedMs))
                        .orElseGet(() -> ended(report, CallbackOutcome.NO_SUCH_ROOM)))
                .timeout(leftMs(arrivedMs, ANSWERED_WITHIN_MS), TimeUnit.MILLISECONDS)
                .otherwise(failure -> failed(report, failure))
                .onComplete(over -> atOnce.decrementAndGet());
    }

    private long leftMs(long arrivedMs, long withinMs) {
        return Math.max(1, arrivedMs + withinMs - clock.monotonicMs());
    }

    private static Future<Verdict> ended(Report report, CallbackOutcome outcome) {
        return Future.succeededFuture(new Verdict(Optional.of(report.fact()), outcome, ""));
    }

    /** Nothing is loaded for a room in which nobody can have a seat (B46). */
    private Future<Verdict> bring(long eventType, Report report, Found room, long arrivedMs) {
        if (room.status() == Status.CLOSED || room.status() == Status.CLOSING) {
            return ended(report, CallbackOutcome.ROOM_CLOSED);
        }
        if (room.status() == Status.CREATING || !room.live()) {
            return ended(report, CallbackOutcome.ROOM_NOT_LIVE);
        }
        return inbox.report(
                        room.key(),
                        RtcIds.commandId(sdkAppId, eventType, report),
                        new ReportRtc(report.userId(), report.fact(), report.eventAtMs()),
                        leftMs(arrivedMs, HANDLED_WITHIN_MS))
                .map(heard -> verdict(report, heard));
    }

    private static Verdict verdict(Report report, Heard heard) {
        Optional<Fact> fact = Optional.of(report.fact());
        if (heard instanceof Heard.Taken taken) {
            return new Verdict(
                    fact, taken.replayed() ? CallbackOutcome.REPLAYED : CallbackOutcome.of(taken.outcome()), "");
        }
        if (heard instanceof Heard.Rejected rejected) {
            log.debug("{}: the room says {}", report, rejected.reason());
            return new Verdict(fact, CallbackOutcome.REJECTED, rejected.reason());
        }
        return new Verdict(fact, CallbackOutcome.NOT_HANDLED, ((Heard.NotTaken) heard).reason());
    }

    private static Verdict failed(Report report, Throwable failure) {
        if (failure instanceof TimeoutException) {
            return new Verdict(Optional.of(report.fact()), CallbackOutcome.NOT_HANDLED, "OUTCOME_UNKNOWN");
        }
        log.warn("a callback of TRTC is not handled: {}", failure.toString());
        return new Verdict(Optional.of(report.fact()), CallbackOutcome.NOT_HANDLED, "STORE_UNAVAILABLE");
    }
}
