package dev.roomcell.adapter.tencent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.dev.ImSink;
import dev.roomcell.dev.TencentApp;
import dev.roomcell.dev.TencentFaults;
import dev.roomcell.dev.TencentSimulator;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.ImControl;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a room's group is told of rights, on the simulated Tencent IM. */
final class TencentControlTest {
    private static final long TIMEOUT_MS = 20_000;

    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final TencentFaults faults = new TencentFaults();
    private final TencentApp app = new TencentApp(1_400_000_000, "admin", "0123abc");
    private final AtomicLong clientMs = new AtomicLong(System.currentTimeMillis());
    private final TencentSimulator simulator = new TencentSimulator(app, clientMs::get, faults, null);
    private TencentIm im;

    @BeforeEach
    void start() {
        ImSink sink = Await.result(ImSink.start(vertx, 0, simulator));
        TencentSettings settings =
                new TencentSettings(URI.create(sink.site()), app.sdkAppId(), app.identifier(), app.secretKey(), 60_000);
        ImAccess access = ImAccess.of(
                settings,
                clientMs::get,
                () -> System.nanoTime() / 1_000_000,
                TencentShare.of(new SimpleMeterRegistry(), RoomMessenger.Limits.NONE));
        im = Await.result(onLoop(() -> Future.succeededFuture(new TencentIm(vertx, access, 8, 8))));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> call) {
        Promise<T> over = Promise.promise();
        loop.runOnContext(now -> call.get().onComplete(over));
        return over.future();
    }

    private int code(Future<Void> call) {
        return ((ImException) Await.failure(call)).code();
    }

    private static final RoomKey ROOM = new RoomKey("app", "room");

    private List<String> forbidden() {
        return simulator.bodies().stream()
                .filter(body -> body.containsKey("ShutUpTime"))
                .map(body -> body.getJsonArray("Members_Account").encode() + " " + body.getLong("ShutUpTime"))
                .toList();
    }

    @Test
    void whoIsMutedIsForbiddenToSendUntilThenAndWhoMaySpeakAgainIsNot() {
        TencentControl control = new TencentControl(im, clientMs::get);
        Await.result(onLoop(() -> im.createGroup(ExternalIds.groupId(ROOM), TIMEOUT_MS)));
        Await.result(onLoop(() -> control.forbid(ROOM, "ann", clientMs.get() + 1_001)));
        Await.result(onLoop(() -> control.forbid(ROOM, "ben", ImControl.FOR_EVER_MS)));
        Await.result(onLoop(() -> control.forbid(ROOM, "cy", clientMs.get())));
        Await.result(onLoop(() -> control.allow(ROOM, "ann")));
        assertThat(forbidden()).containsExactly("[\"ann\"] 2", "[\"ben\"] 4294967295", "[\"ann\"] 0");
    }

    @Test
    void whoIsUnknownIsMadeKnownToBeForbidden() {
        TencentControl control = new TencentControl(im, clientMs::get);
        Await.result(onLoop(() -> im.createGroup(ExternalIds.groupId(ROOM), TIMEOUT_MS)));
        faults.code(10019, 1);
        Await.result(onLoop(() -> control.forbid(ROOM, "ann", ImControl.FOR_EVER_MS)));
        assertThat(simulator.bodies()).contains(new JsonObject().put("UserID", "ann"));
        assertThat(forbidden()).containsExactly("[\"ann\"] 4294967295");
    }

    @Test
    void nobodyIsHeardInAGroupThatIsGone() {
        TencentControl control = new TencentControl(im, clientMs::get);
        Await.result(onLoop(() -> control.forbid(ROOM, "ann", ImControl.FOR_EVER_MS)));
        Await.result(onLoop(() -> control.allow(ROOM, "ann")));
        Await.result(onLoop(() -> control.destroy(ROOM)));
        faults.code(10007, 1);
        assertThat(code(onLoop(() -> control.allow(ROOM, "ann")))).isEqualTo(10007);
    }
}
