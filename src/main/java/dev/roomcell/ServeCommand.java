package dev.roomcell;

import dev.roomcell.config.NodeConfig;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a node in the foreground until SIGTERM. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Runs a node on the MySQL and Redis that the configuration names.")
final class ServeCommand implements Callable<Integer> {
    private static final Logger log = LoggerFactory.getLogger(ServeCommand.class);
    /** A start that takes longer has failed, s. */
    private static final long START_SECONDS = 60;
    /** A stop that takes so much longer than the drain may is given up, ms. */
    private static final long STOP_GRACE_MS = 15_000;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML; conf/room-service.yaml shows every key. ROOM_… variables go before it.")
    @Nullable
    Path config;

    private final CompletableFuture<RoomNode> started = new CompletableFuture<>();
    private volatile boolean ending;

    @Override
    public Integer call() throws Exception {
        NodeConfig settings = NodeConfig.load(config, System.getenv());
        long stopMs = settings.drain().deadlineMs() + settings.drain().lingerMs() + STOP_GRACE_MS;
        // Before anything is started: the signal may come in the middle of that.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(stopMs)));
        RoomNode node = start(settings);
        if (!ending) {
            log.info("READY node={} grpc={} ops={}", node.nodeId(), node.advertiseAddr(), node.opsPort());
        }
        new CountDownLatch(1).await();
        return 0;
    }

    private RoomNode start(NodeConfig settings) throws Exception {
        try {
            RoomNode node = RoomNode.start(settings)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(START_SECONDS, TimeUnit.SECONDS);
            started.complete(node);
            return node;
        } catch (Exception e) {
            started.completeExceptionally(e);
            throw e;
        }
    }

    /** A start that is under way is waited for, so that there is a whole node to be stopped. */
    private void stop(long withinMs) {
        ending = true;
        log.info("SIGTERM: the node ends");
        try {
            stop(started.get(START_SECONDS, TimeUnit.SECONDS), withinMs);
        } catch (ExecutionException e) {
            log.debug("nothing is left of a start that failed", e.getCause());
        } catch (TimeoutException e) {
            log.error("not started within {} s, and not stopped", START_SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whoever sent SIGTERM hears whether the node left in order: exit code 0, and not the signal's. */
    private static void stop(RoomNode node, long withinMs) {
        int exitCode = 1;
        try {
            boolean inOrder =
                    node.stop().toCompletionStage().toCompletableFuture().get(withinMs, TimeUnit.MILLISECONDS);
            exitCode = inOrder ? 0 : 1;
        } catch (TimeoutException e) {
            log.error("not stopped within {} ms", withinMs);
        } catch (ExecutionException e) {
            log.error("the stop failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Runtime.getRuntime().halt(exitCode);
        }
    }
}
