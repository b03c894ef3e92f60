package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.dev.ImSink;
import dev.roomcell.dev.TencentApp;
import dev.roomcell.dev.TencentFaults;
import dev.roomcell.dev.TencentSimulator;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.MuteUserRequest;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands under load while Tencent IM has each of its troubles; a short run in a build. The long one:
 * {@code -Dtencent.rate=2000 -Dtencent.seconds=20 -Dtencent.warmup=15 -Dtencent.rooms=200}. Latencies are printed, with what
 * they are of those in health; they say something on a machine that does nothing else.
 */
@Alone
final class TencentLoadIT {
    private static final int RATE = Integer.getInteger("tencent.rate", 200);
    private static final int SECONDS = Integer.getInteger("tencent.seconds", 1);
    private static final int WARMUP = Integer.getInteger("tencent.warmup", 1);
    /** The most commands under way: enough for a machine that stands still for a second. */
    private static final int CLIENTS = Integer.getInteger("tencent.clients", 2_000);

    private static final int ROOMS = Integer.getInteger("tencent.rooms", 4);
    /** Mutes of somebody in the first room: what matters most. */
    private static final long MUTE_EVERY_MS = 250;

    private static final RoomKey FIRST = new RoomKey("load", "im-0");

    @TempDir
    Path folder;

    private final TencentApp app = new TencentApp(1_400_000_000, "administrator", "0123abc");
    private final TencentFaults faults = new TencentFaults();
    private Vertx vertx;
    private Backends backends;
    private ImSink sink;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        sink = Await.result(ImSink.start(vertx, 0, new TencentSimulator(app, System::currentTimeMillis, faults, null)));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    /** What Tencent IM does, while the commands go on. */
    private record Trouble(String name, Runnable begin) {}

    /** What the load saw, ms. */
    private record Seen(double p50, double p99) {}

    @Test
    @Tag("LANE-6")
    @DisplayName("B111, B112: whatever Tencent IM does, no command fails, and what matters most is not given up first")
    void commandsDoNotCareHowTencentImDoes() throws Exception {
        List<Trouble> troubles = List.of(
                new Trouble("in health", faults::well),
                new Trouble("down", faults::alwaysLost),
                new Trouble("silent", faults::alwaysSilent),
                new Trouble("rate limited", () -> faults.alwaysCode(10023)),
                new Trouble("signature expired", () -> faults.alwaysCode(70001)),
                new Trouble("in health again", faults::well));
        try (NodeProcess node = NodeProcess.start(
                folder,
                backends.environment(
                        "loud",
                        Map.of(
                                "ROOM_TENCENT_BASE_URL", sink.site(),
                                "ROOM_TENCENT_SDK_APP_ID", Long.toString(app.sdkAppId()),
                                "ROOM_TENCENT_SECRET_KEY", app.secretKey())))) {
            NodeProcess.Ready ready = node.awaitReady();
            try (RawConnection connection = RawConnection.open(vertx, ready.grpcPort())) {
                RawAnswer made = connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(FIRST, "create"));
                assertThat(made.status()).as(made.message()).isEqualTo(GrpcStatus.OK);
            }
            // A node that has only just begun is slower than what it is to be compared with.
            if (WARMUP > 1) {
                bench(ready.grpcPort(), Math.max(1, RATE / 4), 2 * WARMUP);
            }
            List<Seen> seen = new ArrayList<>();
            for (Trouble trouble : troubles) {
                trouble.begin().run();
                seen.add(loaded(ready.grpcPort()));
                Seen last = seen.get(seen.size() - 1);
                System.out.printf(
                        "PRINT Tencent IM %s: %d commands/s, p50 %.2f ms, p99 %.2f ms, p99 %.2f times that in health%n",
                        trouble.name(),
                        RATE,
                        last.p50(),
                        last.p99(),
                        last.p99() / seen.get(0).p99());
            }
            String metrics = Page.metrics(ready);
            for (String reason : List.of("over_budget", "too_old", "by_provider", "joined")) {
                System.out.printf(
                        "PRINT dropped, %s: %d low, %d high%n",
                        reason, count(metrics, "low", reason), count(metrics, "high", reason));
            }
            assertThat(dropped(metrics, "low")).isPositive();
            assertThat(count(metrics, "high", "over_budget") + count(metrics, "high", "queue_full"))
                    .isZero();
            Await.until("told that it is well again", () -> Page.metrics(ready).contains("room_im_degraded 0.0"));
            assertThat(node.log().lines().filter(line -> line.contains(" ERROR ")))
                    .as("but what a group could not be told for so long")
                    .allMatch(line -> line.contains("given up after"));
        }
    }

    private record Ended(int exitCode, String out) {}

    private Seen loaded(int port) throws IOException, InterruptedException {
        Ended ended;
        try (Mutes mutes = new Mutes(port)) {
            ended = bench(port, RATE, SECONDS);
            assertThat(mutes.failures).isEmpty();
        }
        // What the load's own warm-up could not keep up with is no failure of the node.
        assertThat(ended.out()).as("exit code " + ended.exitCode()).contains("\n{");
        JsonObject report = new JsonObject(ended.out().substring(ended.out().lastIndexOf("\n{") + 1));
        assertThat(report.getInteger("errors")).isZero();
        assertThat(report.getLong("succeeded")).isPositive();
        return new Seen(report.getDouble("p50_ms"), report.getDouble("p99_ms"));
    }

    private Ended bench(int port, int rate, int seconds) throws IOException, InterruptedException {
        Process bench = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "dev.roomcell.Main",
                        "bench",
                        "--json",
                        "--app=load",
                        "--room-prefix=im",
                        "--target=127.0.0.1:" + port,
                        "--rooms=" + ROOMS,
                        "--clients=" + Math.max(CLIENTS, ROOMS),
                        "--rate=" + rate,
                        "--warmup=" + WARMUP,
                        "--seconds=" + seconds)
                .redirectError(folder.resolve("bench.log").toFile())
                .start();
        String out = new String(bench.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(bench.waitFor(), out);
    }

    /** Somebody is muted again and again. */
    private final class Mutes implements AutoCloseable {
        private final RawConnection connection;
        private final long timer;
        private final AtomicInteger next = new AtomicInteger();
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private final String run = Long.toString(System.nanoTime());

        Mutes(int port) {
            connection = RawConnection.open(vertx, port);
            timer = vertx.setPeriodic(MUTE_EVERY_MS, again -> mute());
        }

        private void mute() {
            MuteUserRequest request = MuteUserRequest.newBuilder()
                    .setMeta(RoomCalls.meta(FIRST, "owner", "mute-" + run + "-" + next.incrementAndGet()))
                    .setRoomId(FIRST.roomId())
                    .setTargetUserId("loudmouth")
                    .setDurationMs(60_000 + next.get())
                    .build();
            Future<RawAnswer> sent = connection.send(RoomCalls.MUTE_USER, request.toByteArray());
            sent.onSuccess(answer -> {
                        if (answer.status() != GrpcStatus.OK) {
                            failures.add(answer.status() + " " + answer.message());
                        }
                    })
                    .onFailure(lost -> failures.add(lost.toString()));
        }

        @Override
        public void close() {
            vertx.cancelTimer(timer);
            connection.close();
        }
    }

    private static int dropped(String metrics, String priority) {
        return count(metrics, priority, "");
    }

    private static int count(String metrics, String priority, String reason) {
        return metrics.lines()
                .filter(line -> line.startsWith("room_messages_total{outcome=\"dropped\",priority=\"" + priority + "\"")
                        && line.contains("reason=\"" + reason))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
