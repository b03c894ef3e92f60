package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.adapter.tencent.TencentPorts;
import dev.roomcell.adapter.tencent.TencentSettings;
import dev.roomcell.adapter.tencent.TencentShare;
import dev.roomcell.dev.ImSink;
import dev.roomcell.dev.TencentApp;
import dev.roomcell.dev.TencentFaults;
import dev.roomcell.dev.TencentSimulator;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RobotDisplays;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomExternals;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The messenger that speaks Tencent IM's REST API, on the simulated one. */
final class TencentMessengerTest extends RoomMessengerContract {
    /** Between two calls, for the simulator: slow enough for its limits, however fast this machine is. */
    private static final long CALLS_APART_MS = 30;

    private static final RoomClock CLOCK = new RoomClock() {
        @Override
        public long nowMs() {
            return System.currentTimeMillis();
        }

        @Override
        public long monotonicMs() {
            return System.nanoTime() / 1_000_000;
        }
    };

    private final Vertx vertx = Vertx.vertx();
    private final AtomicLong nowMs = new AtomicLong(System.currentTimeMillis());
    private final TencentApp app = new TencentApp(1_400_000_000, "admin", "0123abc");
    private final TencentSimulator simulator =
            new TencentSimulator(app, () -> nowMs.addAndGet(CALLS_APART_MS), new TencentFaults(), null);
    private ImSink sink;
    private RoomMessenger messenger;
    private RobotDisplays displays;

    @BeforeEach
    void start() {
        sink = Await.result(ImSink.start(vertx, 0, simulator));
        TencentSettings settings = new TencentSettings(
                URI.create(sink.site()), app.sdkAppId(), app.identifier(), app.secretKey(), 86_400_000);
        EventLoop loop = EventLoop.of(vertx);
        TencentPorts ports = loop.call(() -> new TencentPorts(
                vertx, settings, CLOCK, TencentShare.of(new SimpleMeterRegistry(), RoomMessenger.Limits.NONE)));
        RoomExternals rooms = loop.port(RoomExternals.class, ports.rooms());
        RoomMessenger right = loop.port(RoomMessenger.class, loop.call(ports::messenger));
        displays = loop.port(RobotDisplays.class, loop.call(ports::robotDisplays));
        messenger =
                (message, timeoutMs) -> rooms.prepare(message.key()).compose(made -> right.send(message, timeoutMs));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    @Override
    RoomMessenger messenger() {
        return messenger;
    }

    private List<JsonObject> messages(RoomKey key) {
        URI room =
                URI.create(sink.page() + "rooms/" + encoded(key.appCode()) + "/" + encoded(key.roomId()) + "/messages");
        try {
            String body = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(room).build(), BodyHandlers.ofString())
                    .body();
            return new JsonArray(body).stream().map(JsonObject.class::cast).toList();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    List<String> seen(RoomKey key) {
        return messages(key).stream()
                .map(message -> message.getString("event_id"))
                .toList();
    }

    @Test
    @Tag("SEC-2")
    void aMessageGoesToTheGroupOfItsRoomWithItsPriority() {
        Await.result(messenger.send(joined(ROOM, 2), TIMEOUT_MS));
        Await.result(messenger.send(
                message(ROOM, 3, new Lifecycle.RoomClosed(Lifecycle.CloseCause.CLOSED_BY_OWNER, 3)), TIMEOUT_MS));
        List<JsonObject> sent = simulator.bodies().stream()
                .filter(body -> body.containsKey("MsgBody"))
                .toList();
        assertThat(sent).extracting(body -> body.getString("GroupId")).containsOnly(ExternalIds.groupId(ROOM));
        assertThat(sent).extracting(body -> body.getString("MsgPriority")).containsExactly("Low", "High");
    }

    @Test
    void anEventThatIsSentTwiceIsSeenOnce() {
        Await.result(messenger.send(joined(ROOM, 2), TIMEOUT_MS));
        Await.result(messenger.send(joined(ROOM, 2), TIMEOUT_MS));
        assertThat(seen(ROOM)).containsExactly(ROOM.roomId() + ":2:0");
    }

    @Test
    @Tag("LANE-5")
    void whatARobotShowsIsSeenEachTime() {
        Await.result(messenger.send(joined(ROOM, 2), TIMEOUT_MS));
        RobotDisplays.Display wave = new RobotDisplays.Display(ROOM, 2, "robot", "WAVE", "{\"a\":1}", 7);
        Await.result(displays.show(wave, TIMEOUT_MS));
        Await.result(displays.show(wave, TIMEOUT_MS));
        assertThat(messages(ROOM).subList(1, 3))
                .extracting(message -> message.getString("display_type"))
                .containsExactly("WAVE", "WAVE");
    }
}
