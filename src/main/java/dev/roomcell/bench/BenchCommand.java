package dev.roomcell.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench}: loads a running service and prints what it measured. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Loads a running service from outside and prints throughput and latency.",
        footer = {
            "",
            "Exit code: 0 if all commands succeeded, 1 if some failed (see --tolerate-errors) or none succeeded,",
            "2 on a bad option."
        })
public final class BenchCommand implements Callable<Integer> {
    private static final int RUN_ID_RADIX = Character.MAX_RADIX;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--target",
            defaultValue = "127.0.0.1:7400",
            paramLabel = "HOST:PORT[,...]",
            description = "Nodes, or a load balancer before them (default: ${DEFAULT-VALUE}).")
    private String target = "";

    @Option(names = "--app", defaultValue = "bench", description = "app_code (default: ${DEFAULT-VALUE}).")
    private String app = "";

    @Option(names = "--rooms", defaultValue = "1", description = "Rooms (default: ${DEFAULT-VALUE}).")
    private int rooms;

    @Option(
            names = "--clients",
            defaultValue = "64",
            description =
                    "Clients; client i is in room i mod rooms. With --rate the most commands under way (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(names = "--seconds", defaultValue = "30", description = "Measured time (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--warmup",
            defaultValue = "15",
            description = "Load before it, s; less than 15 understates (default: ${DEFAULT-VALUE}).")
    private int warmup;

    @Option(
            names = "--command",
            defaultValue = "join-leave",
            description = "What the clients send: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private BenchSettings.Command command = BenchSettings.Command.JOIN_LEAVE;

    @Option(
            names = "--rate",
            defaultValue = "0",
            description =
                    "Open loop: commands a second over all rooms, latency from when each was due. 0: closed loop, each client sends when it is answered (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--connections", defaultValue = "1", description = "gRPC connections (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--event-loops",
            defaultValue = "1",
            description = "Threads that drive the connections (default: ${DEFAULT-VALUE}).")
    private int eventLoops;

    @Option(
            names = "--room-prefix",
            paramLabel = "TEXT",
            description = "What the rooms' ids begin with; rooms that are there are used (default: new ones).")
    private @Nullable String roomPrefix;

    @Option(
            names = "--acks",
            paramLabel = "FILE",
            description = "Append each acknowledged command: app, room, command id, version and kind, by tabs.")
    private @Nullable Path acks;

    @Option(names = "--tolerate-errors", description = "Exit with 0 though commands failed, if some succeeded.")
    private boolean tolerateErrors;

    @Option(names = "--json", description = "Print the result as JSON too, as the last line.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        BenchSettings settings = settings();
        PrintWriter out = commandLine().getOut();
        BenchReport.opening(settings).forEach(out::println);
        out.flush();
        Optional<AckLog> log = settings.acks().map(path -> open(settings, path));
        log.ifPresent(acknowledged -> Runtime.getRuntime().addShutdownHook(new Thread(acknowledged::close)));
        try {
            Measurement measured = new Bench(settings, log, line -> {
                        out.println(line);
                        out.flush();
                    })
                    .run();
            BenchReport report = new BenchReport(settings, measured);
            report.table().forEach(out::println);
            if (json) {
                out.println(report.json());
            }
            return report.exitCode(tolerateErrors);
        } catch (ExecutionException e) {
            commandLine().getErr().println("bench: " + messageOf(e));
            return 1;
        } finally {
            out.flush();
            log.ifPresent(AckLog::close);
        }
    }

    /**
     * What the options ask for.
     *
     * @throws ParameterException if they do not fit
     */
    BenchSettings settings() {
        String runId = runId();
        try {
            return new BenchSettings(
                    target,
                    app,
                    rooms,
                    clients,
                    seconds,
                    warmup,
                    command,
                    rate,
                    Optional.ofNullable(acks),
                    roomPrefix == null ? "bench-" + runId : roomPrefix,
                    runId,
                    connections,
                    eventLoops);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(commandLine(), messageOf(e), e);
        }
    }

    private AckLog open(BenchSettings settings, Path path) {
        try {
            return AckLog.open(settings.app(), path);
        } catch (IOException e) {
            throw new ParameterException(commandLine(), "--acks: cannot write " + path + ": " + e.getMessage(), e);
        }
    }

    private static String runId() {
        long random = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        return Long.toString(random, RUN_ID_RADIX);
    }

    private static String messageOf(Exception failure) {
        Throwable cause =
                failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
        return String.valueOf(cause.getMessage());
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("a command is run by picocli");
        }
        return spec.commandLine();
    }
}
