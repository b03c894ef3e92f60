package dev.roomcell.verticle;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.roomcell.adapter.mysql.DatabaseClock;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.redis.RedisSettings;
import dev.roomcell.cell.ClusterView;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** LEASE-10: what a node says of its drain. */
final class NodeVerticleTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() throws TimeoutException {
        vertx.close().await(10, TimeUnit.SECONDS);
    }

    /** Its gRPC port listens before it is announced, and an operator may be early; its rooms must go all the same. */
    @Test
    void aNodeThatIsNotAnnouncedYetHasNobodyToTell() {
        NodeVerticle node = new NodeVerticle(
                new MysqlSettings("127.0.0.1", 1, "nobody", "", "none", 1, 1_000, 1_000, 1_000),
                new RedisSettings("127.0.0.1", 1, "", 0, "", 1_000, 3_000, "a"),
                new DatabaseClock(System::nanoTime),
                new ClusterView("a", () -> Set.of("a")),
                result -> {});
        node.init(vertx, vertx.getOrCreateContext());
        assertThatCode(() -> node.announceDraining(true).await(5, TimeUnit.SECONDS))
                .doesNotThrowAnyException();
    }
}
