package dev.roomcell.it;

import dev.roomcell.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The service as a process of its own, started as operators start it. It ends with its {@link #close()}. */
final class NodeProcess implements AutoCloseable {
    /** The variables that would change what a test has set. */
    private static final Pattern OURS = Pattern.compile("ROOM_.*|LOG_.*|JAVA_TOOL_OPTIONS");

    private static final Pattern READY = Pattern.compile("READY node=(\\S+) grpc=127\\.0\\.0\\.1:(\\d+) ops=(\\d+)");
    private static final int SHOWN_CHARS = 6_000;

    private final Process process;
    private final Path log;

    private NodeProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** What a node says once it can be used. */
    record Ready(String nodeId, int grpcPort, int opsPort) {}

    /** What the virtual machine of a node is good at. */
    enum Jvm {
        /** Starts in a second, and then takes half the load or less that one of an operator does. */
        QUICK_TO_START,
        /** As operators run it: fast once it is warm. For what is measured. */
        AS_SHIPPED;

        private List<String> options() {
            return switch (this) {
                case QUICK_TO_START -> List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
                case AS_SHIPPED -> List.of();
            };
        }
    }

    /**
     * Starts {@code serve}, and does not wait for it.
     *
     * @param folder gets the log
     * @param environment its ROOM_… variables
     * @param arguments behind {@code serve}
     */
    static NodeProcess start(Path folder, Map<String, String> environment, String... arguments) {
        return start(Jvm.QUICK_TO_START, folder, environment, arguments);
    }

    /** The same on a virtual machine of that kind. */
    static NodeProcess start(Jvm jvm, Path folder, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
        command.addAll(jvm.options());
        command.addAll(List.of(
                "-cp",
                // The forked test JVM's own class path is a jar that names it.
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.roomcell.Main",
                "serve"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> OURS.matcher(name).matches());
        builder.environment().putAll(environment);
        builder.environment().put("LOG_FORMAT", "text");
        try {
            File log = Files.createTempFile(folder, "node", ".log").toFile();
            NodeProcess started = new NodeProcess(builder.redirectOutput(log).start(), log.toPath());
            Runtime.getRuntime().addShutdownHook(new Thread(started.process::destroyForcibly));
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port for a node that starts again: below those of outgoing connections, or clients of the dead meet themselves. */
    static int freePort() {
        return Await.value("a free port", () -> {
            int port = ThreadLocalRandom.current().nextInt(12_000, 20_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return Optional.of(free.getLocalPort());
            } catch (IOException taken) {
                return Optional.empty();
            }
        });
    }

    /** Whether it still runs. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until it can be used. */
    Ready awaitReady() {
        try {
            return Await.value("READY of the node", this::ready);
        } catch (AssertionError notReady) {
            throw new AssertionError(notReady.getMessage() + ", but:\n" + tail(), notReady);
        }
    }

    private Optional<Ready> ready() {
        Matcher ready = READY.matcher(log());
        if (ready.find()) {
            return Optional.of(
                    new Ready(ready.group(1), Integer.parseInt(ready.group(2)), Integer.parseInt(ready.group(3))));
        }
        if (!process.isAlive()) {
            throw new AssertionError("the node ended with " + process.exitValue());
        }
        return Optional.empty();
    }

    /** All that it has printed. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The end of what it has printed, for a message. */
    String tail() {
        String all = log();
        return all.substring(Math.max(0, all.length() - SHOWN_CHARS));
    }

    /** Sends a signal: {@code TERM}, {@code STOP} or {@code CONT}. */
    void signal(String name) {
        signal(name, process.pid());
    }

    /** The same for another process that the test has started. */
    static void signal(String name, long pid) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .inheritIO()
                    .start();
            if (!kill.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new AssertionError("no " + name + " for " + pid);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Kills it (SIGKILL), stopped or not, and waits until it is gone. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Waits until it is gone; returns its exit code. */
    int awaitExit() {
        try {
            if (process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("the node does not end:\n" + tail());
    }

    @Override
    public void close() {
        kill();
    }
}
