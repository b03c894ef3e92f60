package dev.roomcell.it;

import dev.roomcell.fault.FaultProxy;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A node whose way to the streams goes through a proxy: a process with one outbox worker, impatient in all things. */
final class OutboxNode implements AutoCloseable {
    static final long CLAIM_MS = 2_000;
    static final long LEASE_MS = 1_000;
    static final long POLL_MS = 50;
    static final int BATCH = 20;

    final NodeProcess process;
    final FaultProxy sink;

    private OutboxNode(NodeProcess process, FaultProxy sink) {
        this.process = process;
        this.sink = sink;
    }

    /** Starts one, and does not wait for it; {@code more} are variables added, or put in the place of the usual ones. */
    static OutboxNode start(Vertx vertx, Path folder, Backends backends, String nodeId, Map<String, String> more) {
        FaultProxy sink =
                Await.result(FaultProxy.start(vertx, backends.servers().redisPort()));
        Map<String, String> variables = new HashMap<>(Map.of(
                "ROOM_OUTBOX_WORKERS", "1",
                "ROOM_OUTBOX_BATCH", Integer.toString(BATCH),
                "ROOM_OUTBOX_CLAIM_MS", Long.toString(CLAIM_MS),
                "ROOM_OUTBOX_LEASE_MS", Long.toString(LEASE_MS),
                "ROOM_OUTBOX_PUBLISH_TIMEOUT_MS", Long.toString(LEASE_MS),
                "ROOM_OUTBOX_RETRY_FIRST_MS", "50",
                "ROOM_OUTBOX_POLL_MS", Long.toString(POLL_MS),
                "ROOM_OUTBOX_REDIS_HOST", "127.0.0.1",
                "ROOM_OUTBOX_REDIS_PORT", Integer.toString(sink.port())));
        variables.putAll(more);
        return new OutboxNode(NodeProcess.start(folder, backends.environment(nodeId, variables)), sink);
    }

    @Override
    public void close() {
        process.close();
        Await.result(sink.close());
    }
}
