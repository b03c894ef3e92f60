package dev.roomcell.dev;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server as a child process that ends with this JVM, however this JVM ends. Between the two stands a small
 * shell whose standard input is a pipe from here: at its end, also the one that a kill -9 of this JVM makes, the
 * shell stops the server. All methods are synchronized and wait until they are done.
 */
final class ServerProcess {
    /**
     * How to run a server.
     *
     * @param name for messages
     * @param command the program and its arguments; the server stays in the foreground and logs to standard output
     * @param environment variables added to this JVM's own
     * @param directory the server's working directory, must exist
     * @param log file that the server's output is appended to
     * @param readyText what the server logs once it takes connections
     * @param stopGrace how long a stopping server may take before it is killed, in steps of 100 ms
     */
    record Launch(
            String name,
            List<String> command,
            Map<String, String> environment,
            Path directory,
            Path log,
            String readyText,
            Duration stopGrace) {}

    /** A session of its own: a Ctrl-C or a signal to this JVM's group must not hit the server before the drain. */
    private static final String DETACH = "command -v setsid >/dev/null && exec setsid \"$@\"; exec \"$@\"";

    /** Descriptor 3 because the shell gives a background command /dev/null as its standard input. */
    private static final String WATCH = """
            tenths=$1
            shift
            exec 3<&0
            "$@" </dev/null 3<&- >&2 &
            server=$!
            echo $server
            exec >&2
            (
              cat <&3 >/dev/null
              kill -TERM $server
              kill -CONT $server
              while kill -0 $server && [ $tenths -gt 0 ]; do
                sleep 0.1
                tenths=$((tenths - 1))
              done
              kill -KILL $server
            ) 2>/dev/null &
            watcher=$!
            exec 3<&-
            wait $server
            status=$?
            kill $watcher 2>/dev/null
            wait $watcher
            exit $status
            """;

    private static final long START_LIMIT_MS = 60_000;
    private static final long POLL_MS = 20;
    /** What a shell may need beyond the grace to kill the server and end itself. */
    private static final long KILL_LIMIT_MS = 5_000;

    private static final int LOG_TAIL_BYTES = 4_096;

    private final Launch launch;
    private @Nullable Process shell;
    private long pid = -1;

    ServerProcess(Launch launch) {
        this.launch = launch;
    }

    /**
     * Starts the server and waits until it is ready, 60 s at most.
     *
     * @throws IllegalStateException if it runs already, or did not get ready; the message has the end of its log
     */
    synchronized void start() {
        if (isAlive()) {
            throw new IllegalStateException(launch.name() + " runs already");
        }
        try {
            long logStart = Files.exists(launch.log()) ? Files.size(launch.log()) : 0;
            Process started = startShell();
            shell = started;
            String line = started.inputReader(StandardCharsets.UTF_8).readLine();
            if (line == null) {
                throw notReady("its shell ended", logStart);
            }
            pid = Long.parseLong(line);
            awaitReady(started, logStart);
        } catch (IOException e) {
            stop();
            throw new UncheckedIOException(launch.name() + " was not started", e);
        } catch (IllegalStateException e) {
            stop();
            throw e;
        }
    }

    /** Stops the server by SIGTERM, and by SIGKILL when the grace is over. Does nothing if it does not run. */
    synchronized void stop() {
        Process running = shell;
        if (running == null) {
            return;
        }
        try {
            running.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitEnd(running, launch.stopGrace().toMillis() + KILL_LIMIT_MS);
        shell = null;
    }

    /** Kills the server by SIGKILL, as a crash would end it. Does nothing if it does not run. */
    synchronized void kill() {
        Process running = shell;
        if (running == null) {
            return;
        }
        // Once its shell has ended, the id may be another process.
        if (running.isAlive()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
        awaitEnd(running, KILL_LIMIT_MS);
        shell = null;
    }

    /** Stops the server if it runs, and starts it again. */
    synchronized void restart() {
        stop();
        start();
    }

    /**
     * The process id of the server itself, not of its shell.
     *
     * @throws IllegalStateException if it does not run
     */
    synchronized long pid() {
        if (!isAlive()) {
            throw new IllegalStateException(launch.name() + " does not run");
        }
        return pid;
    }

    /** Whether the server runs. */
    synchronized boolean isAlive() {
        return shell != null && shell.isAlive();
    }

    private Process startShell() throws IOException {
        String tenths = Long.toString(launch.stopGrace().toMillis() / 100);
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", DETACH, "sh", "/bin/sh", "-c", WATCH, "sh", tenths));
        command.addAll(launch.command());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(launch.directory().toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(launch.log().toFile()));
        builder.environment().putAll(launch.environment());
        return builder.start();
    }

    private void awaitReady(Process started, long logStart) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_LIMIT_MS);
        while (!logSince(logStart).contains(launch.readyText())) {
            if (hasEnded(started, POLL_MS)) {
                throw notReady("it ended with status " + started.exitValue(), logStart);
            }
            if (System.nanoTime() - deadline > 0) {
                throw notReady("not ready after " + START_LIMIT_MS + " ms", logStart);
            }
        }
    }

    private void awaitEnd(Process running, long limitMs) {
        if (!hasEnded(running, limitMs)) {
            throw new IllegalStateException(launch.name() + " (process " + pid + ") does not end");
        }
    }

    private boolean hasEnded(Process process, long waitMs) {
        try {
            return process.waitFor(waitMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + launch.name(), e);
        }
    }

    private IllegalStateException notReady(String why, long logStart) throws IOException {
        String log = logSince(logStart);
        String tail = log.substring(Math.max(0, log.length() - LOG_TAIL_BYTES));
        return new IllegalStateException(
                launch.name() + " did not start: " + why + ". The end of " + launch.log() + ":\n" + tail);
    }

    private String logSince(long offset) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(launch.log().toFile(), "r")) {
            file.seek(offset);
            byte[] bytes = new byte[Math.toIntExact(Math.max(0, file.length() - offset))];
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
