package dev.roomcell.verticle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.mysql.DatabaseClock;
import dev.roomcell.port.Peer;
import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.Test;

/** The link to the peers, at a node's start. */
final class PeerVerticleTest {
    /** The start of the node must not wait for ever. */
    @Test
    void aFaultAtTheStartIsHeardOf() {
        Vertx vertx = Vertx.vertx();
        try {
            PeerVerticle peers = new PeerVerticle(
                    listener -> {
                        throw new IllegalStateException("no members");
                    },
                    new SimpleMeterRegistry(),
                    new DatabaseClock(System::nanoTime));
            Await.result(vertx.deployVerticle(peers));
            Future<Void> listening = peers.listen(
                    new Peer("a.1", "127.0.0.1:7001"), (call, timeoutMs) -> Future.failedFuture("nobody calls"));
            assertThat(Await.failure(listening)).hasMessage("no members");
        } finally {
            Await.result(vertx.close());
        }
    }
}
