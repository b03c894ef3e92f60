package dev.roomcell.adapter.tencent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.dev.ImSink;
import dev.roomcell.dev.TencentApp;
import dev.roomcell.dev.TencentFaults;
import dev.roomcell.dev.TencentSimulator;
import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.RoomMessenger.DroppedException;
import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client on the simulated Tencent IM, with each trouble that it has. */
final class TencentImTest {
    private static final String GROUP = "a".repeat(40);
    private static final long TIMEOUT_MS = 20_000;

    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final TencentFaults faults = new TencentFaults();
    private final TencentApp app = new TencentApp(1_400_000_000, "admin", "0123abc");
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    /** What the simulator takes for the time of day. */
    private final AtomicLong serverMs = new AtomicLong(System.currentTimeMillis());
    /** What the client takes for it. */
    private final AtomicLong clientMs = new AtomicLong(serverMs.get());
    /** How far the client's other clock is ahead. */
    private final AtomicLong laterMs = new AtomicLong();

    private final TencentSimulator simulator = new TencentSimulator(app, serverMs::get, faults, null);
    private final TencentShare share = TencentShare.of(metrics, RoomMessenger.Limits.NONE);
    private ImSink sink;
    private TencentIm im;

    @BeforeEach
    void start() {
        sink = Await.result(ImSink.start(vertx, 0, simulator));
        im = client(app.identifier(), app.secretKey(), sink.site());
        Await.result(onLoop(() -> im.createGroup(GROUP, TIMEOUT_MS)));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private TencentIm client(String identifier, String key, String site) {
        TencentSettings settings = new TencentSettings(URI.create(site), app.sdkAppId(), identifier, key, 60_000);
        ImAccess access =
                ImAccess.of(settings, clientMs::get, () -> System.nanoTime() / 1_000_000 + laterMs.get(), share);
        return Await.result(onLoop(() -> Future.succeededFuture(new TencentIm(vertx, access, 8, 8))));
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> call) {
        Promise<T> over = Promise.promise();
        loop.runOnContext(now -> call.get().onComplete(over));
        return over.future();
    }

    private Future<Void> send(String eventId, long random, Priority priority, long timeoutMs) {
        String data = new JsonObject()
                .put("app_code", "app")
                .put("room_id", "room")
                .put("event_id", eventId)
                .encode();
        return onLoop(() -> im.sendGroupMessage(GROUP, random, priority, data, timeoutMs));
    }

    private Future<Void> send(String eventId, long random) {
        return send(eventId, random, Priority.HIGH, TIMEOUT_MS);
    }

    private List<String> seen() {
        try {
            URI room = URI.create(sink.page() + "rooms/app/room/messages");
            String body = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(room).build(), BodyHandlers.ofString())
                    .body();
            return new JsonArray(body)
                    .stream()
                            .map(message -> ((JsonObject) message).getString("event_id"))
                            .toList();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private double answers(String command, String code) {
        return metrics.find("room.im.answers").tags("command", command, "code", code).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private int code(Future<Void> call) {
        return ((ImException) Await.failure(call)).code();
    }

    @Test
    void aMessageIsSeenInItsGroup() {
        Await.result(send("1", 1));
        Await.result(send("2", 4_294_967_295L));
        assertThat(seen()).containsExactly("1", "2");
        assertThat(answers("send_group_msg", "0")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                10002, 10006, 10023, 20004, 20005, 60004, 60005, 60014, 60007, 60011, 60018, 60019, 60008, 60013, 70169,
                70500, 80003
            })
    void whatMayDoBetterIsTriedAgain(int code) {
        faults.code(code, 1);
        Await.result(send("1", 1));
        assertThat(seen()).containsExactly("1");
        assertThat(answers("send_group_msg", Integer.toString(code))).isEqualTo(1);
    }

    @Test
    void whatStaysRefusedIsGivenUpInItsTime() {
        faults.code(10002, 1_000);
        assertThat(code(send("1", 1, Priority.HIGH, 300))).isEqualTo(10002);
        // Pauses of 50, 100 and 200 ms: the fourth attempt would be too late.
        assertThat(answers("send_group_msg", "10002")).isBetween(1.0, 3.0);
    }

    @Test
    @DisplayName("B113: a message whose answer is lost is sent again with the same Random, and seen once")
    void aMessageWhoseAnswerIsLostIsSeenOnce() {
        faults.loseAnswers(2).loseCalls(1).status(502, 1);
        Await.result(send("1", 1));
        assertThat(seen()).containsExactly("1");
        assertThat(answers("send_group_msg", "none")).isEqualTo(4);
        assertThat(simulator.bodies().stream()
                        .filter(body -> body.containsKey("Random"))
                        .distinct())
                .hasSize(1);
    }

    @Test
    void aCallThatIsNotAnsweredIsCalledOffAndMadeAgain() {
        faults.silence(1);
        Await.result(send("1", 1, Priority.HIGH, 4_000));
        assertThat(seen()).containsExactly("1");
    }

    @Test
    @DisplayName("B112: an expired signature is replaced, and the call made once more, without a restart")
    void anExpiredSignatureIsReplaced() {
        // The client's clock is behind: it does not see that the life of its signature is over.
        serverMs.addAndGet(61_000);
        clientMs.addAndGet(30_000);
        Await.result(send("1", 1));
        assertThat(answers("send_group_msg", "70001")).isEqualTo(1);
        assertThat(seen()).containsExactly("1");

        faults.code(70001, 2);
        assertThat(code(send("2", 2))).isEqualTo(70001);
        Await.result(send("3", 3));
    }

    @ParameterizedTest
    @ValueSource(ints = {10019, 70107})
    void anAccountThatIsUnknownIsImportedAndTheCallMadeOnceMore(int code) {
        faults.code(code, 1);
        Await.result(send("1", 1));
        assertThat(seen()).containsExactly("1");
        assertThat(simulator.bodies()).contains(new JsonObject().put("UserID", "admin"));
        assertThat(answers("account_import", "0")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                10003, 10004, 10007, 10010, 10011, 10015, 10016, 10017, 10021, 10026, 10036, 80001, 80002, 10100, 90001,
                12345
            })
    void whatConcernsOneMessageIsNotTriedAgain(int code) {
        faults.code(code, 1);
        assertThat(code(send("1", 1))).isEqualTo(code);
        Await.result(send("2", 2));
        assertThat(seen()).containsExactly("2");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                60002, 60003, 60006, 60009, 60010, 60012, 60015, 60016, 60017, 60020, 60021, 60025, 60026, 60028, 70003,
                70009, 70013, 70014, 70016, 70020, 70050, 70051, 10059, 80005
            })
    void whatConcernsEveryCallStopsThemForAWhile(int code) {
        faults.code(code, 1);
        assertThat(code(send("1", 1))).isEqualTo(code);
        assertThat(code(send("2", 2))).isNegative();
        assertThat(seen()).isEmpty();
        laterMs.addAndGet(60_001);
        Await.result(send("3", 3));
        Await.result(send("4", 4));
        assertThat(seen()).containsExactly("3", "4");
    }

    @Test
    @DisplayName("B111: a group takes 40 messages a second; what is less important gives way, the rest waits a second")
    void aGroupThatHasTooManyDropsTheLessImportant() {
        for (int i = 0; i < 40; i++) {
            Await.result(send("m" + i, i));
        }
        assertThat(Await.failure(send("low", 100, Priority.LOW, TIMEOUT_MS))).isInstanceOf(DroppedException.class);
        assertThat(answers("send_group_msg", "10023")).isEqualTo(1);
        Future<Void> waits = send("high", 101, Priority.HIGH, TIMEOUT_MS);
        Await.until("refused once", () -> answers("send_group_msg", "10023") == 2);
        serverMs.addAndGet(1_000);
        Await.result(waits);
        assertThat(seen()).hasSize(41).endsWith("high").doesNotContain("low");
    }

    @Test
    @DisplayName("B111: a success that says that the message was dropped is no success")
    void aSuccessWithADropReasonIsADrop() {
        faults.dropsSilently(true).drop(1);
        assertThat(Await.failure(send("1", 1)))
                .isInstanceOf(DroppedException.class)
                .hasMessage("MsgFreqCtrl");
        assertThat(answers("send_group_msg", "dropped")).isEqualTo(1);
        for (int i = 0; i < 40; i++) {
            Await.result(send("m" + i, i));
        }
        assertThat(Await.failure(send("late", 100))).isInstanceOf(DroppedException.class);
    }

    @Test
    @DisplayName("B111: a message of more than 12 KB is dropped whole, and costs no call")
    void aMessageOfMoreThanTwelveKilobytesIsNotSent() {
        int around = GroupMessage.of(GROUP, 1, Priority.HIGH, "").toBuffer().length();
        String longest = "\ud83c\udf89".repeat(4_000);
        String data = longest.substring(0, (12 * 1024 - around) / 4 * 2);
        Await.result(onLoop(() -> im.sendGroupMessage(GROUP, 1, Priority.HIGH, data, TIMEOUT_MS)));
        assertThat(sentData()).containsExactly(data);
        assertThat(Await.failure(
                        onLoop(() -> im.sendGroupMessage(GROUP, 2, Priority.HIGH, data + "\ud83c\udf89", TIMEOUT_MS))))
                .isInstanceOf(RoomMessenger.TooLongException.class);
        assertThat(answers("send_group_msg", "80002")).isZero();
        assertThat(sentData()).hasSize(1);
    }

    private List<String> sentData() {
        return simulator.bodies().stream()
                .filter(body -> body.containsKey("MsgBody"))
                .map(body -> body.getJsonArray("MsgBody")
                        .getJsonObject(0)
                        .getJsonObject("MsgContent")
                        .getString("Data"))
                .toList();
    }

    @Test
    void aGroupIsMadeOnceAndAgainWithoutHarm() {
        Await.result(onLoop(() -> im.createGroup(GROUP, TIMEOUT_MS)));
        assertThat(answers("create_group", "10025")).isEqualTo(1);
        Await.result(send("1", 1));
        Await.result(onLoop(() -> im.destroyGroup(GROUP, TIMEOUT_MS)));
        Await.result(onLoop(() -> im.destroyGroup(GROUP, TIMEOUT_MS)));
        assertThat(answers("destroy_group", "10010")).isEqualTo(1);
        assertThat(code(send("2", 2))).isEqualTo(10010);
        faults.code(10015, 1);
        Await.result(onLoop(() -> im.destroyGroup(GROUP, TIMEOUT_MS)));
    }

    @Test
    void aGroupIdThatIsTakenIsOursOnlyIfTheOwnerIs() {
        faults.code(10021, 1);
        Await.result(onLoop(() -> im.createGroup(GROUP, TIMEOUT_MS)));
        String free = "b".repeat(40);
        faults.code(10021, 1);
        assertThat(code(onLoop(() -> im.createGroup(free, TIMEOUT_MS)))).isEqualTo(10021);
    }

    @Test
    void aWrongKeyIsAnAlarmAndNoStormOfCalls() {
        im = client("admin", "another", sink.site());
        assertThat(code(send("1", 1))).isEqualTo(70003);
        for (int i = 0; i < 100; i++) {
            assertThat(code(send("1", 1))).isNegative();
        }
        assertThat(answers("send_group_msg", "70003")).isEqualTo(1);
    }

    @Test
    void thatAllCallsAreRefusedIsToldUntilOneIsNot() {
        assertThat(share.health().trouble()).isEmpty();
        faults.code(60028, 1);
        assertThat(code(send("1", 1))).isEqualTo(60028);
        assertThat(share.health().trouble()).get().asString().contains("60028", "the trial's quota is used up");
        assertThat(degraded()).isEqualTo(1);
        laterMs.addAndGet(60_001);
        Await.result(send("2", 2));
        assertThat(share.health().trouble()).isEmpty();
        assertThat(degraded()).isZero();
    }

    @Test
    void thatNothingIsAnsweredIsToldOnceItIsMoreThanChance() {
        faults.status(502, ImHealth.FAILURES_IN_A_ROW - 1);
        Await.result(send("1", 1));
        assertThat(share.health().trouble()).isEmpty();
        faults.status(502, 1_000);
        for (int i = 0; i < ImHealth.FAILURES_IN_A_ROW; i++) {
            assertThat(code(send("2", 2, Priority.HIGH, 20))).isNegative();
        }
        assertThat(share.health().trouble()).get().asString().contains("calls failed", "status 502");
    }

    private double degraded() {
        return metrics.get("room.im.degraded").gauge().value();
    }

    @Test
    void soManyCallsAreUnderWayAndNotOneMore() {
        faults.silence(1_000);
        for (int i = 0; i < 16; i++) {
            Future<Void> waits = send("m" + i, i);
            assertThat(waits.isComplete()).isFalse();
        }
        assertThat(Await.failure(send("late", 100))).hasMessageContaining("too many calls are under way");
    }

    @Test
    void whoIsNoAdministratorIsRefused() {
        im = client("guest", app.secretKey(), sink.site());
        assertThat(code(send("1", 1))).isEqualTo(60010);
    }

    @Test
    void aSiteThatIsNotThereIsAFailureInTime() {
        im = client("admin", app.secretKey(), "http://127.0.0.1:1");
        assertThat(code(send("1", 1, Priority.HIGH, 200))).isNegative();
    }
}
