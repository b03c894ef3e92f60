package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** B18: whatever the cluster went through, before long every node reaches every other again, without a restart. */
@Alone
final class ClusterHealIT {
    private static final Logger log = LoggerFactory.getLogger(ClusterHealIT.class);
    private static final int NODES = 3;

    @TempDir
    Path folder;

    private Vertx vertx;
    private final List<Map<String, String>> environments = new ArrayList<>();
    private final List<NodeProcess> nodes = new ArrayList<>();
    private int rooms;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        Backends backends = Backends.shared();
        for (Map<String, String> cluster : Backends.cluster(NODES)) {
            Map<String, String> variables = new HashMap<>(cluster);
            variables.put("ROOM_GRPC_PORT", Integer.toString(Backends.freePort()));
            environments.add(backends.environment("heal" + environments.size(), variables));
        }
        environments.forEach(environment -> nodes.add(NodeProcess.start(folder, environment)));
        nodes.forEach(NodeProcess::awaitReady);
        assertAllReachEachOther("the start");
    }

    @AfterEach
    void stop() {
        nodes.forEach(NodeProcess::close);
        Await.result(vertx.close());
    }

    /** For each node a room that is there, which each of the others must be able to reach. */
    private void assertAllReachEachOther(String after) {
        long beganNs = System.nanoTime();
        List<RawConnection> to = nodes.stream()
                .map(node -> RawConnection.open(vertx, node.awaitReady().grpcPort()))
                .toList();
        try {
            for (RawConnection owner : to) {
                RoomKey room = new RoomKey("heal", "room" + ++rooms);
                Await.until(
                        "a room is made",
                        () -> isOk(owner.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create"))));
                for (RawConnection entry : to) {
                    Await.until(
                            "every node reaches the owner after " + after,
                            () -> isOk(entry.call(RoomCalls.GET_ROOM, RoomCalls.get(room))));
                }
            }
        } finally {
            to.forEach(RawConnection::close);
        }
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
        log.info("all nodes reach each other {} ms after {}", tookMs, after);
        assertThat(tookMs).isLessThanOrEqualTo(15_000);
    }

    private static boolean isOk(RawAnswer answer) {
        return answer.status() == GrpcStatus.OK;
    }

    /** B18: the others took it for dead, and it took them; then two halves of a cluster become one again. */
    @Test
    void aNodeThatWasSilentForLongIsFoundAgainAndFindsTheOthers() {
        nodes.get(0).signal("STOP");
        Await.until(
                "the others have gone on without it",
                () -> nodes.get(1).log().contains("members: [heal1")
                        && nodes.get(2).log().contains("members: [heal1"));
        nodes.get(0).signal("CONT");
        assertAllReachEachOther("a silence");
    }

    /** B18: two backups of what is known of the subscriptions are gone at once. */
    @Test
    void twoNodesThatWereKilledTogetherComeBack() {
        nodes.get(1).kill();
        nodes.get(2).kill();
        for (int i = 1; i < NODES; i++) {
            nodes.set(i, NodeProcess.start(folder, environments.get(i)));
        }
        nodes.forEach(NodeProcess::awaitReady);
        assertAllReachEachOther("two kills");
    }
}
