package dev.roomcell.adapter.rtc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.dev.rtc.CallbackSender.Retries;
import dev.roomcell.dev.rtc.RtcApp;
import dev.roomcell.dev.rtc.RtcEvent;
import dev.roomcell.dev.rtc.RtcRooms.Removal;
import dev.roomcell.dev.rtc.RtcSimulator;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomClock;
import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The vendor's client, on the simulated TRTC: its calls are signed, paced and bounded. */
@Tag("TIMER-1")
class TencentRtcControlTest {
    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final String ROOM_ID = ExternalIds.groupId(ROOM);
    private static final long PATIENT_MS = 20_000;
    /** Nothing comes of it here: no node is told. */
    private static final String NOBODY = "http://127.0.0.1:1/";

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final RoomClock clock = new RoomClock() {
        @Override
        public long nowMs() {
            return System.currentTimeMillis();
        }

        @Override
        public long monotonicMs() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
    };
    private RtcSimulator trtc;

    @BeforeEach
    void start() {
        trtc = Await.result(RtcSimulator.start(vertx, 0, RtcApp.sample(), Retries.NONE));
        trtc.sender().sendTo(List.of(NOBODY));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private TencentRtcControl control(String secretKey, long timeoutMs, int perSecond) {
        RtcControlSettings settings = new RtcControlSettings(
                URI.create(trtc.url()),
                "ap-singapore",
                trtc.app().sdkAppId(),
                trtc.app().secretId(),
                secretKey,
                timeoutMs,
                perSecond);
        return new TencentRtcControl(
                vertx, settings, clock, new RtcMeter(metrics, new ClockOffset(clock)), System::nanoTime);
    }

    private TencentRtcControl control() {
        return control(trtc.app().secretKey(), PATIENT_MS, 100);
    }

    private void speaks(String userId) {
        Await.result(trtc.happen(new RtcEvent(RtcEvent.AUDIO_STARTED, ROOM_ID, userId, clock.nowMs(), 0)));
    }

    private long counted(String action, ControlOutcome outcome) {
        return metrics.get("room.rtc.calls")
                .tag("action", action)
                .tag("outcome", outcome.tag())
                .timer()
                .count();
    }

    @Test
    void aUserIsRemovedAndNobodyElse() {
        speaks("ann");
        speaks("ben");

        Await.result(control().removeUser(ROOM, "ann"));

        assertThat(trtc.rooms().users(ROOM_ID)).containsExactly("ben");
        assertThat(trtc.rooms().removals()).extracting(Removal::userId).containsExactly("ann");
        assertThat(counted("remove_user", ControlOutcome.DONE)).isEqualTo(1);
    }

    @Test
    void whoeverIsNotThereIsAsGoodAsRemoved() {
        TencentRtcControl control = control();
        Await.result(control.removeUser(ROOM, "ann"));
        speaks("ben");
        Await.result(control.removeUser(ROOM, "ann"));
        Await.result(control.removeUser(ROOM, "ann"));

        assertThat(trtc.rooms().users(ROOM_ID)).containsExactly("ben");
        assertThat(counted("remove_user", ControlOutcome.NOT_THERE)).isEqualTo(3);
    }

    @Test
    void aRoomIsDismissedOnceAndForAll() {
        speaks("ann");
        TencentRtcControl control = control();
        Await.result(control.dismissRoom(ROOM));
        Await.result(control.dismissRoom(ROOM));

        assertThat(trtc.rooms().users(ROOM_ID)).isEmpty();
        assertThat(trtc.rooms().removals()).extracting(Removal::wasThere).containsExactly(true, false);
        assertThat(counted("dismiss_room", ControlOutcome.DONE)).isEqualTo(1);
        assertThat(counted("dismiss_room", ControlOutcome.NOT_THERE)).isEqualTo(1);
    }

    @Test
    void anErrorIsAFailureAndTheNextCallMayDoBetter() {
        speaks("ann");
        trtc.faults().fail("InternalError.GetRoomFromCacheError", 1);
        TencentRtcControl control = control();

        assertThat(Await.failure(control.removeUser(ROOM, "ann"))).hasMessageContaining("GetRoomFromCacheError");
        Await.result(control.removeUser(ROOM, "ann"));

        assertThat(trtc.rooms().users(ROOM_ID)).isEmpty();
        assertThat(counted("remove_user", ControlOutcome.FAILED)).isEqualTo(1);
    }

    @Test
    void aWrongKeyIsRefused() {
        speaks("ann");

        assertThat(Await.failure(control("another", PATIENT_MS, 100).removeUser(ROOM, "ann")))
                .hasMessageContaining("AuthFailure.SignatureFailure");

        assertThat(trtc.rooms().users(ROOM_ID)).containsExactly("ann");
        assertThat(counted("remove_user", ControlOutcome.REFUSED)).isEqualTo(1);
    }

    @Test
    void whatIsNotAnsweredFailsAtItsDeadline() {
        trtc.faults().fail("", 1);

        assertThat(Await.failure(control(trtc.app().secretKey(), 300, 100).removeUser(ROOM, "ann")))
                .isNotNull();

        assertThat(counted("remove_user", ControlOutcome.FAILED)).isEqualTo(1);
    }

    @Test
    void theVendorsLimitIsAFailureLikeOthers() {
        trtc.faults().fail("RequestLimitExceeded", 1);

        assertThat(Await.failure(control().dismissRoom(ROOM))).hasMessageContaining("RequestLimitExceeded");

        assertThat(counted("dismiss_room", ControlOutcome.RATE_LIMITED)).isEqualTo(1);
    }

    /** TRTC allows 20 calls a second. */
    @Test
    void callsWaitForTheirTurn() {
        TencentRtcControl control = control(trtc.app().secretKey(), PATIENT_MS, 20);
        long startedMs = clock.monotonicMs();
        List<Future<Void>> calls = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            calls.add(control.removeUser(ROOM, "user-" + i));
        }
        Await.result(calls.get(14));

        assertThat(clock.monotonicMs() - startedMs).isGreaterThanOrEqualTo(14 * 50);
        calls.forEach(Await::result);
        assertThat(counted("remove_user", ControlOutcome.NOT_THERE)).isEqualTo(15);
    }

    @Test
    void tooManyAtOnceFailAtOnce() {
        TencentRtcControl control = control(trtc.app().secretKey(), PATIENT_MS, 20);
        trtc.faults().slow(1);
        List<Future<Void>> calls = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            calls.add(control.dismissRoom(new RoomKey("app", "room-" + i)));
        }
        long refusedAtOnce = calls.stream().filter(Future::failed).count();

        assertThat(refusedAtOnce).isGreaterThan(150);
        assertThat(counted("dismiss_room", ControlOutcome.OVERFLOW)).isEqualTo(refusedAtOnce);
        Await.result(Future.join(calls).transform(over -> Future.succeededFuture(over.succeeded())));
    }
}
