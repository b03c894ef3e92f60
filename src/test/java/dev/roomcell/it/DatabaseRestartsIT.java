package dev.roomcell.it;

import dev.roomcell.RoomNode;
import dev.roomcell.dev.EmbeddedServers;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** MariaDB stops and is killed in the middle of transactions. {@code -Dfault.restarts=20} instead of a build's 2. */
final class DatabaseRestartsIT {
    private static final int RESTARTS = Integer.getInteger("fault.restarts", 2);
    private static final List<RoomKey> ROOMS = IntStream.range(0, 4)
            .mapToObj(i -> new RoomKey("restarts", "room" + i))
            .toList();

    private Vertx vertx;
    private EmbeddedServers servers;
    private Backends backends;
    private RoomNode node;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        servers = EmbeddedServers.startTemporary();
        backends = Backends.on(servers);
        node = backends.startNode("restarts", Map.of());
    }

    @AfterEach
    void stop() {
        Await.result(node.stop());
        Await.result(vertx.close());
        servers.close();
    }

    /** B91: no half command, and every acknowledged one is still there. */
    @Test
    void whatWasAcknowledgedOutlivesEveryRestartAndNothingIsHalf() {
        Load load = Load.start(vertx, node.advertiseAddr(), ROOMS, 8, 5);
        for (int restart = 0; restart < RESTARTS; restart++) {
            load.awaitMore(5);
            if (restart % 2 == 0) {
                servers.killMysql();
            } else {
                servers.stopMysql();
            }
            servers.restartMysql();
        }
        load.awaitMore(5);
        load.stop();
        Audit.of(load, backends);
    }
}
