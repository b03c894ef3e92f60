package dev.roomcell.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notes acknowledged commands in a file, one line each: {@code app TAB room TAB command_id TAB version TAB kind}. A line
 * can be read by others 50 ms later at most, and after {@link #close}. Thread-safe.
 */
final class AckLog implements AutoCloseable {
    private static final long FLUSH_MS = 50;

    private final String app;
    private final OutputStream file;
    private final ScheduledExecutorService flusher;
    private final ScheduledFuture<?> flushing;
    private ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private @Nullable IOException failure;
    private boolean closed;

    private AckLog(String app, OutputStream file) {
        this.app = app;
        this.file = file;
        this.flusher = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "ack-log");
            thread.setDaemon(true);
            return thread;
        });
        this.flushing = flusher.scheduleWithFixedDelay(this::flush, FLUSH_MS, FLUSH_MS, TimeUnit.MILLISECONDS);
    }

    /** Appends to {@code path}, which is created if need be. */
    static AckLog open(String app, Path path) throws IOException {
        return new AckLog(app, Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    }

    /** Notes one; after {@link #close}, at the process' end, none. */
    void append(VirtualClient.Ack ack) {
        byte[] line = (app
                        + '\t'
                        + ack.room()
                        + '\t'
                        + ack.commandId()
                        + '\t'
                        + ack.version()
                        + '\t'
                        + ack.kind()
                        + '\n')
                .getBytes(StandardCharsets.UTF_8);
        synchronized (this) {
            if (!closed) {
                pending.writeBytes(line);
            }
        }
    }

    private void flush() {
        // The file is written under its own lock: appending must not wait for a disk.
        synchronized (file) {
            ByteArrayOutputStream lines;
            synchronized (this) {
                lines = pending;
                pending = new ByteArrayOutputStream();
            }
            try {
                lines.writeTo(file);
            } catch (IOException e) {
                synchronized (this) {
                    failure = e;
                }
            }
        }
    }

    /**
     * Writes what is left. Closing again changes nothing.
     *
     * @throws UncheckedIOException if a line could not be written, now or before
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        flushing.cancel(false);
        flusher.shutdown();
        flush();
        synchronized (file) {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        synchronized (this) {
            if (failure != null) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
