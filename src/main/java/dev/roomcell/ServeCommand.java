package dev.roomcell;

import dev.roomcell.config.NodeConfig;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    /** A stop that takes longer is given up, s. */
    private static final long STOP_SECONDS = 30;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML; conf/room-service.yaml shows every key. ROOM_… variables go before it.")
    @Nullable
    Path config;

    @Override
    public Integer call() throws Exception {
        RoomNode node = RoomNode.start(NodeConfig.load(config, System.getenv()))
                .toCompletionStage()
                .toCompletableFuture()
                .get(START_SECONDS, TimeUnit.SECONDS);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(node)));
        log.info("READY node={} grpc={} ops={}", node.nodeId(), node.advertiseAddr(), node.opsPort());
        new CountDownLatch(1).await();
        return 0;
    }

    /** Stops a node and waits for it. */
    static void stop(RoomNode node) {
        CountDownLatch stopped = new CountDownLatch(1);
        node.stop().onComplete(done -> stopped.countDown());
        try {
            if (!stopped.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                log.warn("not stopped within {} s", STOP_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
