package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.admin.v1.DrainRequest;
import dev.roomcell.proto.room.admin.v1.UndrainRequest;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What operators see of two nodes of a cluster that do some work. */
final class MetricsIT {
    private static final RoomKey ROOM = new RoomKey("metrics", "room");
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Pattern NAME = Pattern.compile("\\| `(room_\\w+)`");

    private static Vertx vertx;
    private static final List<RoomNode> nodes = new ArrayList<>();
    private static final List<RawConnection> to = new ArrayList<>();

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        Backends backends = Backends.shared();
        for (Map<String, String> member : Backends.cluster(2)) {
            Map<String, String> more = new TreeMap<>(member);
            more.put("ROOM_OUTBOX_WORKERS", "1");
            more.putAll(Map.of(
                    "ROOM_RTC_PORT", "0",
                    "ROOM_RTC_SDK_APP_ID", "1",
                    "ROOM_RTC_CALLBACK_KEY", "key"));
            RoomNode node = backends.startNode("metrics-" + nodes.size(), more);
            nodes.add(node);
            to.add(RawConnection.open(vertx, node.grpcPort()));
        }
    }

    @AfterAll
    static void stop() {
        nodes.forEach(node -> Await.result(node.stop()));
        Await.result(vertx.close());
    }

    private static HttpResponse<String> get(RoomNode node, String path) {
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.opsPort() + path))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The values of a node's metrics, by name with tags; of buckets nothing. */
    private static Map<String, Double> metrics(RoomNode node) {
        Map<String, Double> values = new TreeMap<>();
        get(node, "/metrics").body().lines().forEach(line -> {
            int end = line.lastIndexOf(' ');
            if (!line.startsWith("#") && end > 0 && !line.contains("_bucket{")) {
                values.put(line.substring(0, end), Double.parseDouble(line.substring(end + 1)));
            }
        });
        return values;
    }

    private static double value(Map<String, Double> metrics, String name) {
        Double value = metrics.get(name);
        if (value == null) {
            throw new AssertionError("there is no " + name + " in " + metrics.keySet());
        }
        return value;
    }

    private static RawAnswer join(RawConnection connection, String userId) {
        return connection.call(RoomCalls.JOIN_ROOM, RoomCalls.join(ROOM, userId, "join-" + userId));
    }

    @Test
    void whatTheRoomsDidIsCounted() {
        RoomNode node = nodes.get(0);
        Map<String, Double> before = metrics(node);
        assertThat(value(before, "room_commands_total{kind=\"mic_up\",result=\"done\"}"))
                .isZero();
        RawConnection owner = to.get(0);
        assertThat(owner.call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"))
                        .status())
                .isEqualTo(GrpcStatus.OK);
        for (String user : List.of("ann", "ben", "ben")) {
            assertThat(join(owner, user).status()).isEqualTo(GrpcStatus.OK);
        }
        assertThat(join(to.get(1), "cid").status()).isEqualTo(GrpcStatus.OK);
        assertThat(owner.call(RoomCalls.CLOSE_ROOM, RoomCalls.close(ROOM, "ann", "no"))
                        .reason())
                .isEqualTo("NEED_OWNER");

        Map<String, Double> after = metrics(node);
        assertThat(value(after, "room_commands_total{kind=\"create_room\",result=\"done\"}"))
                .isEqualTo(1);
        assertThat(value(after, "room_commands_total{kind=\"join_room\",result=\"done\"}"))
                .isEqualTo(3);
        assertThat(value(after, "room_commands_total{kind=\"join_room\",result=\"replayed\"}"))
                .isEqualTo(1);
        assertThat(value(after, "room_commands_total{kind=\"close_room\",result=\"rejected\"}"))
                .isEqualTo(1);
        assertThat(value(after, "room_commit_seconds_count{outcome=\"committed\"}"))
                .isEqualTo(4);
        assertThat(value(after, "room_commit_seconds_sum{outcome=\"committed\"}"))
                .isBetween(0.0, 60.0);
        assertThat(value(after, "room_commit_group_sum")).isEqualTo(4);
        assertThat(value(after, "room_commit_batch_sum")).isEqualTo(4);
        assertThat(value(after, "room_mailbox_depth_count")).isEqualTo(6);
        assertThat(value(after, "room_mailbox_age_seconds_max")).isBetween(0.0, 60.0);
        assertThat(value(after, "room_loads_total{result=\"loaded\"}")).isEqualTo(1);
        assertThat(value(after, "room_forwards_served_total")).isEqualTo(1);
        assertThat(value(metrics(nodes.get(1)), "room_forwards_sent_total")).isEqualTo(1);
        assertThat(value(after, "room_drops_total{reason=\"fenced\"}")).isZero();
        Await.until("the room is counted as loaded", () -> value(metrics(node), "room_loaded") == 1);
        Await.until("the loops are measured", () -> value(metrics(node), "room_loop_lag_seconds_count") > 0);
        Await.until(
                "facts are delivered",
                () -> value(metrics(node), "room_outbox_delivered_total")
                                + value(metrics(nodes.get(1)), "room_outbox_delivered_total")
                        > 3);
    }

    /** The README's table has them all, and nothing else. */
    @Test
    void everyMetricIsInTheReadme() throws IOException {
        Matcher told = NAME.matcher(Files.readString(Path.of("README.md")));
        TreeSet<String> names = new TreeSet<>();
        while (told.find()) {
            names.add(told.group(1));
        }
        assertThat(to.get(0)
                        .call(RoomCalls.GET_ROOM, RoomCalls.get(new RoomKey("metrics", "no room")))
                        .status())
                .isEqualTo(GrpcStatus.NOT_FOUND);
        TreeSet<String> there = new TreeSet<>();
        get(nodes.get(0), "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("# TYPE room_"))
                .map(line -> line.split(" ", -1)[2])
                .filter(name -> !name.endsWith("_max"))
                .forEach(there::add);
        assertThat(names).isEqualTo(there);
    }

    /** LEASE-10: readiness names what is wrong, and what is not. */
    @Test
    void aDrainingNodeIsAliveAndSaysWhyItIsNotReady() {
        RoomNode node = nodes.get(1);
        assertThat(parts(node, 200, "UP").getString("node")).isEqualTo("ok");
        to.get(1).call("room.admin.v1.NodeAdminService/Drain", DrainRequest.getDefaultInstance());

        JsonObject parts = parts(node, 503, "DOWN");

        assertThat(parts.getMap()).isEqualTo(Map.of("node", "draining", "mysql", "ok", "redis", "ok", "address", "ok"));
        assertThat(get(node, "/health/live").statusCode()).isEqualTo(200);
        to.get(1).call("room.admin.v1.NodeAdminService/Undrain", UndrainRequest.getDefaultInstance());
        Await.until("ready again", () -> get(node, "/health/ready").statusCode() == 200);
    }

    private static JsonObject parts(RoomNode node, int code, String status) {
        HttpResponse<String> answer = get(node, "/health/ready");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        JsonObject body = new JsonObject(answer.body());
        assertThat(body.getString("status")).isEqualTo(status);
        return body.getJsonObject("parts");
    }
}
