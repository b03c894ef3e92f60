package dev.roomcell.adapter.rtc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.adapter.rtc.CallbackDesk.Verdict;
import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RtcReports.Fact;
import dev.roomcell.domain.RtcReports.Outcome;
import dev.roomcell.port.ExternalRooms.Found;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RtcInbox.Heard;
import dev.roomcell.port.StoreException;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a callback, and what the vendor is told. */
class CallbackDeskTest {
    private static final int APP = 1_400_000_000;
    private static final String KEY = "key";
    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final String ROOM_ID = ExternalIds.groupId(ROOM);
    private static final long NOW_MS = 1_000_000;
    private static final String STARTED = callback(203, "ann");

    private final List<String> reported = new ArrayList<>();
    private final List<Long> timeoutsMs = new ArrayList<>();
    private Future<Optional<Found>> found = Future.succeededFuture(Optional.of(room(Status.ACTIVE, true)));
    private Future<Heard> heard = Future.succeededFuture(new Heard.Taken(Outcome.APPLIED, false));

    private final RoomClock clock = new RoomClock() {
        @Override
        public long nowMs() {
            return 1_700_000_000_000L;
        }

        @Override
        public long monotonicMs() {
            return NOW_MS;
        }
    };

    private final CallbackDesk desk = new CallbackDesk(
            APP,
            KEY,
            externalId -> externalId.equals(ROOM_ID) ? found : Future.succeededFuture(Optional.empty()),
            (key, commandId, report, timeoutMs) -> {
                assertThat(key).isEqualTo(ROOM);
                reported.add(commandId + " " + report.userId() + " " + report.fact() + " " + report.eventAtMs());
                timeoutsMs.add(timeoutMs);
                return heard;
            },
            clock,
            new ClockOffset(clock));

    private static Found room(Status status, boolean live) {
        return new Found(ROOM, status, live, "node");
    }

    private static String callback(int type, String userId) {
        return "{\"EventGroupId\":" + type / 100 + ",\"EventType\":" + type + ",\"EventInfo\":{\"RoomId\":\"" + ROOM_ID
                + "\",\"EventMsTs\":77,\"UserId\":\"" + userId + "\"}}";
    }

    private Future<Verdict> send(String body, long arrivedMs) {
        Buffer bytes = Buffer.buffer(body);
        return desk.take(new CallbackSignature(KEY).of(bytes.getBytes()), Integer.toString(APP), bytes, arrivedMs);
    }

    private Verdict send(String body) {
        return Await.result(send(body, NOW_MS));
    }

    private static void assertUnheard(Verdict verdict, CallbackOutcome outcome, int status) {
        assertThat(verdict.outcome()).isEqualTo(outcome);
        assertThat(outcome.status()).isEqualTo(status);
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    void whatTheRoomMakesOfItIsTheEndOfTheMatter(Outcome outcome) {
        heard = Future.succeededFuture(new Heard.Taken(outcome, false));

        Verdict verdict = send(STARTED);

        assertThat(verdict.outcome().name()).isEqualTo(outcome.name());
        assertThat(verdict.outcome().status()).isEqualTo(200);
        assertThat(verdict.fact()).contains(Fact.AUDIO_STARTED);
        String id = RtcIds.commandId(APP, 203, new RtcCallback.Report(Fact.AUDIO_STARTED, ROOM_ID, "ann", 77));
        assertThat(reported).containsExactly(id + " ann AUDIO_STARTED 77");
    }

    @Test
    @DisplayName("CMD-5: a second delivery has the id of the first")
    void aSecondDeliveryIsTheSameCommand() {
        send(STARTED);
        heard = Future.succeededFuture(new Heard.Taken(Outcome.APPLIED, true));

        assertUnheard(send(STARTED), CallbackOutcome.REPLAYED, 200);

        assertThat(reported).hasSize(2);
        assertThat(reported.get(0)).isEqualTo(reported.get(1));
    }

    @Test
    void aRoomsNoIsTheEndOfTheMatterToo() {
        heard = Future.succeededFuture(new Heard.Rejected("ROOM_CLOSED"));

        Verdict verdict = send(STARTED);

        assertUnheard(verdict, CallbackOutcome.REJECTED, 200);
        assertThat(verdict.reason()).isEqualTo("ROOM_CLOSED");
    }

    @Test
    @DisplayName("B48: what a draining node could not bring to its room is to be sent again")
    void whatTheRoomHasNotHeardIsToBeSentAgain() {
        heard = Future.succeededFuture(new Heard.NotTaken("DRAINING"));

        Verdict verdict = send(STARTED);

        assertUnheard(verdict, CallbackOutcome.NOT_HANDLED, 503);
        assertThat(verdict.reason()).isEqualTo("DRAINING");
    }

    @Test
    @DisplayName("B49: a wrong or missing signature, or one of another body, is refused before anything is read")
    void whatIsNotSignedIsRefused() {
        Buffer body = Buffer.buffer(STARTED);
        String sign = new CallbackSignature(KEY).of(body.getBytes());
        String app = Integer.toString(APP);

        assertUnheard(Await.result(desk.take("", app, body, NOW_MS)), CallbackOutcome.UNSIGNED, 401);
        assertUnheard(
                Await.result(desk.take(new CallbackSignature("kez").of(body.getBytes()), app, body, NOW_MS)),
                CallbackOutcome.UNSIGNED,
                401);
        assertUnheard(
                Await.result(desk.take(sign, app, Buffer.buffer(STARTED + " "), NOW_MS)),
                CallbackOutcome.UNSIGNED,
                401);
        assertUnheard(
                Await.result(desk.take("", app, Buffer.buffer("no JSON"), NOW_MS)), CallbackOutcome.UNSIGNED, 401);
        assertUnheard(Await.result(desk.take(sign, "", body, NOW_MS)), CallbackOutcome.OTHER_APP, 401);
        assertUnheard(
                Await.result(desk.take(sign, Integer.toString(APP + 1), body, NOW_MS)), CallbackOutcome.OTHER_APP, 401);
        assertThat(reported).isEmpty();
    }

    @Test
    @DisplayName("B45: what is of no interest is taken, what is no callback is not")
    void theRestIsPassedOver() {
        assertUnheard(send(callback(103, "ann")), CallbackOutcome.IGNORED, 200);
        assertUnheard(send(callback(777, "ann")), CallbackOutcome.IGNORED, 200);
        assertUnheard(send("{\"EventType\":203}"), CallbackOutcome.MALFORMED, 400);
        assertThat(reported).isEmpty();
    }

    @Test
    @DisplayName(
            "B46: for a room that is none, over, being made, or without anybody, nothing is asked and nothing loaded")
    void roomsWithoutSeatsTakenAreLeftAlone() {
        assertUnheard(send(STARTED.replace(ROOM_ID, "8489")), CallbackOutcome.NO_SUCH_ROOM, 200);
        found = Future.succeededFuture(Optional.of(room(Status.CLOSED, false)));
        assertUnheard(send(STARTED), CallbackOutcome.ROOM_CLOSED, 200);
        found = Future.succeededFuture(Optional.of(room(Status.CLOSING, true)));
        assertUnheard(send(STARTED), CallbackOutcome.ROOM_CLOSED, 200);
        found = Future.succeededFuture(Optional.of(room(Status.CREATING, true)));
        assertUnheard(send(STARTED), CallbackOutcome.ROOM_NOT_LIVE, 200);
        found = Future.succeededFuture(Optional.of(room(Status.ACTIVE, false)));
        assertUnheard(send(STARTED), CallbackOutcome.ROOM_NOT_LIVE, 200);
        assertThat(reported).isEmpty();
    }

    @Test
    @DisplayName("SEC-2: nobody asks a room about a user who can't be one of ours")
    void strangersAreLeftAlone() {
        assertUnheard(send(callback(203, "\u00e4")), CallbackOutcome.NO_SUCH_USER, 200);
        assertUnheard(send(callback(104, "a".repeat(33))), CallbackOutcome.NO_SUCH_USER, 200);
        assertThat(reported).isEmpty();
    }

    @Test
    void aDatabaseThatCannotBeAskedIsAReasonToSendAgain() {
        found = Future.failedFuture(new StoreException("gone"));

        Verdict verdict = send(STARTED);

        assertUnheard(verdict, CallbackOutcome.NOT_HANDLED, 503);
        assertThat(verdict.reason()).isEqualTo("STORE_UNAVAILABLE");
    }

    @ParameterizedTest
    @CsvSource({"0, 3000", "1200, 1800", "5000, 1"})
    @DisplayName("B43: the room has what is left of three seconds, counted from the callback's arrival")
    void theRoomHasWhatIsLeft(long agoMs, long leftMs) {
        Await.result(send(STARTED, NOW_MS - agoMs));

        assertThat(timeoutsMs).containsExactly(leftMs);
    }

    @Test
    @DisplayName("B43: where nothing answers, the vendor is answered all the same")
    void theVendorIsAnsweredWhateverStandsStill() {
        heard = Promise.<Heard>promise().future();
        assertUnheard(Await.result(send(STARTED, NOW_MS - 10_000)), CallbackOutcome.NOT_HANDLED, 503);
        found = Promise.<Optional<Found>>promise().future();
        Verdict verdict = Await.result(send(STARTED, NOW_MS - 10_000));
        assertUnheard(verdict, CallbackOutcome.NOT_HANDLED, 503);
        assertThat(verdict.reason()).isEqualTo("OUTCOME_UNKNOWN");
    }

    @Test
    void whatIsTooMuchAtOnceIsToBeSentAgain() {
        Promise<Heard> late = Promise.promise();
        heard = late.future();
        List<Future<Verdict>> waiting = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            waiting.add(send(STARTED, NOW_MS));
        }

        assertUnheard(send(STARTED), CallbackOutcome.BUSY, 503);
        assertUnheard(send(callback(103, "ann")), CallbackOutcome.IGNORED, 200);

        late.complete(new Heard.Taken(Outcome.APPLIED, false));
        waiting.forEach(Await::result);
        assertUnheard(send(STARTED), CallbackOutcome.APPLIED, 200);
    }

    @Test
    void theEndOfTheRoomIsAboutNoUser() {
        send(callback(102, "ann"));

        assertThat(reported).singleElement().asString().endsWith("  ROOM_GONE 77");
    }
}
