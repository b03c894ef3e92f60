package dev.roomcell.adapter.rtc;

import com.tencentcloudapi.common.Credential;
import com.tencentcloudapi.common.exception.TencentCloudSDKException;
import com.tencentcloudapi.common.profile.ClientProfile;
import com.tencentcloudapi.common.profile.HttpProfile;
import com.tencentcloudapi.trtc.v20190722.TrtcClient;
import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RtcControl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes users out of TRTC's rooms by the vendor's own client, which blocks: on threads of its own, at the vendor's pace. What
 * would have to wait too long fails at once, and so does what is not answered; whoever asked asks again. Callable from any
 * thread.
 */
public final class TencentRtcControl implements RtcControl {
    private static final Logger log = LoggerFactory.getLogger(TencentRtcControl.class);
    /** At the vendor's rate as many calls as take 400 ms each. */
    private static final int THREADS = 8;
    /** A call whose turn is further away is not made, ms: whoever asked has asked again by then. */
    private static final long LONGEST_WAIT_MS = 5_000;
    /** Calls that wait or run; one more is not made. */
    private static final int MOST_CALLS = 128;

    private final Vertx vertx;
    private final RtcControlSettings settings;
    private final RoomClock clock;
    private final RtcMeter meter;
    private final LongSupplier nanoTime;
    private final WorkerExecutor workers;
    private final LazyClient client;
    private final Pace pace;
    private int calls;

    /** Control that connects when it is first used, and ends with {@code vertx}; {@code nanoTime} is {@code System::nanoTime}. */
    public TencentRtcControl(
            Vertx vertx, RtcControlSettings settings, RoomClock clock, RtcMeter meter, LongSupplier nanoTime) {
        this.vertx = vertx;
        this.settings = settings;
        this.clock = clock;
        this.meter = meter;
        this.nanoTime = nanoTime;
        this.workers = vertx.createSharedWorkerExecutor("room-rtc-control-" + System.identityHashCode(this), THREADS);
        this.client = new LazyClient(settings);
        this.pace = new Pace(settings.callsPerSecond(), LONGEST_WAIT_MS);
    }

    @Override
    public Future<Void> removeUser(RoomKey key, String userId) {
        return ask(new ControlCall(ControlCall.Action.REMOVE_USER, ExternalIds.groupId(key), userId));
    }

    @Override
    public Future<Void> dismissRoom(RoomKey key) {
        return ask(new ControlCall(ControlCall.Action.DISMISS_ROOM, ExternalIds.groupId(key), ""));
    }

    private Future<Void> ask(ControlCall call) {
        long startedNs = nanoTime.getAsLong();
        OptionalLong turn = takeTurn();
        if (turn.isEmpty()) {
            meter.called(call.action(), ControlOutcome.OVERFLOW, nanoTime.getAsLong() - startedNs);
            return Future.failedFuture(
                    new RtcControlException(ControlOutcome.OVERFLOW, "too many calls wait for TRTC"));
        }
        return pause(turn.getAsLong())
                .compose(now -> make(call))
                .onComplete(over -> {
                    giveTurnBack();
                    ControlOutcome outcome = over.succeeded() ? over.result() : outcomeOf(over.cause());
                    meter.called(call.action(), outcome, nanoTime.getAsLong() - startedNs);
                    if (outcome == ControlOutcome.REFUSED) {
                        log.error("TRTC refuses {}: {}", call, over.cause().getMessage());
                    }
                })
                .mapEmpty();
    }

    private static ControlOutcome outcomeOf(Throwable failure) {
        return failure instanceof RtcControlException known ? known.outcome() : ControlOutcome.FAILED;
    }

    private synchronized OptionalLong takeTurn() {
        if (calls >= MOST_CALLS) {
            return OptionalLong.empty();
        }
        OptionalLong turn = pace.next(clock.monotonicMs());
        calls += turn.isPresent() ? 1 : 0;
        return turn;
    }

    private synchronized void giveTurnBack() {
        calls--;
    }

    private Future<Void> pause(long ms) {
        return ms == 0
                ? Future.succeededFuture()
                : vertx.timer(ms, TimeUnit.MILLISECONDS).mapEmpty();
    }

    private Future<ControlOutcome> make(ControlCall call) {
        long deadlineMs = clock.monotonicMs() + settings.callTimeoutMs();
        return workers.executeBlocking(
                        () -> {
                            if (clock.monotonicMs() >= deadlineMs) {
                                throw new RtcControlException(ControlOutcome.FAILED, "no thread was free for the call");
                            }
                            return blockFor(call);
                        },
                        false)
                .timeout(settings.callTimeoutMs(), TimeUnit.MILLISECONDS);
    }

    private ControlOutcome blockFor(ControlCall call) {
        try {
            call.make(client.get(), settings.sdkAppId());
            return ControlOutcome.DONE;
        } catch (TencentCloudSDKException e) {
            ControlOutcome outcome = ControlOutcome.of(e.getErrorCode() == null ? "" : e.getErrorCode());
            if (outcome.isGood()) {
                return outcome;
            }
            throw new RtcControlException(outcome, e.toString());
        }
    }

    /** The client, made when it is first asked for, on a worker: it opens what TLS needs. */
    private static final class LazyClient {
        private static final long SECOND_MS = 1_000;

        private final RtcControlSettings settings;
        private @Nullable TrtcClient made;

        LazyClient(RtcControlSettings settings) {
            this.settings = settings;
        }

        synchronized TrtcClient get() {
            TrtcClient there = made;
            if (there == null) {
                there = make();
                made = there;
            }
            return there;
        }

        private TrtcClient make() {
            // Whole seconds are all that it takes; the call's own deadline is kept by who waits for it.
            int seconds = Math.toIntExact((settings.callTimeoutMs() + SECOND_MS - 1) / SECOND_MS);
            HttpProfile http = new HttpProfile();
            http.setProtocol(settings.endpoint().getScheme() + "://");
            http.setEndpoint(settings.endpoint().getRawAuthority());
            http.setConnTimeout(seconds);
            http.setReadTimeout(seconds);
            http.setWriteTimeout(seconds);
            ClientProfile profile = new ClientProfile();
            profile.setHttpProfile(http);
            return new TrtcClient(
                    new Credential(settings.secretId(), settings.secretKey()), settings.region(), profile);
        }
    }
}
