package dev.roomcell.client;

import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How a {@link RoomClient} behaves. {@link #to} gives the defaults, the {@code with…} methods change one thing each.
 *
 * @param seeds the nodes, or the load balancers before them, to ask when nothing better is known; at least one. The next
 *     one is taken when one fails
 * @param deadlineMs the most time for a call with all its attempts, ms, ≥ 1
 * @param attemptTimeoutMs the most time for one attempt, ms, ≥ 1; a node is told a tenth less, so that its own word on
 *     what became of the call still arrives
 * @param firstBackoffMs the upper end of the first wait between two attempts, ms, ≥ 1; doubled for each further one
 * @param maxBackoffMs where the doubling ends, ms, ≥ firstBackoffMs
 * @param wallClockMs stamps {@code sent_at_ms}, epoch ms
 * @param jitter uniformly distributed in [0, 1); each wait is this share of its upper end
 * @param commandIds makes ids for commands that carry none; every id must be new
 * @param retryObserver told of every failure that is followed by another attempt, on the client's event loop
 */
public record RoomClientOptions(
        List<SocketAddress> seeds,
        long deadlineMs,
        long attemptTimeoutMs,
        long firstBackoffMs,
        long maxBackoffMs,
        LongSupplier wallClockMs,
        DoubleSupplier jitter,
        Supplier<String> commandIds,
        Consumer<RoomCallException> retryObserver) {
    private static final long DEADLINE_MS = 15_000;
    private static final long ATTEMPT_TIMEOUT_MS = 5_000;
    private static final long FIRST_BACKOFF_MS = 50;
    private static final long MAX_BACKOFF_MS = 1_000;
    private static final int MAX_PORT = 65_535;

    /** Checks the ranges. */
    public RoomClientOptions {
        seeds = List.copyOf(seeds);
        if (seeds.isEmpty()) {
            throw new IllegalArgumentException("a client needs one address at least");
        }
        if (deadlineMs < 1 || attemptTimeoutMs < 1) {
            throw new IllegalArgumentException("deadline and attempt timeout must be 1 ms at least");
        }
        if (firstBackoffMs < 1 || maxBackoffMs < firstBackoffMs) {
            throw new IllegalArgumentException("back-off must be 1 ms at least, and its maximum not below its start");
        }
    }

    /**
     * The defaults: 15 s for a call, 5 s for an attempt, waits from 50 ms to 1 s.
     *
     * @param seeds {@code host:port}, several divided by commas; an IPv6 host stands in square brackets
     * @throws IllegalArgumentException naming the part that is not an address
     */
    public static RoomClientOptions to(String seeds) {
        List<SocketAddress> addresses = new ArrayList<>();
        for (String seed : seeds.split(",", -1)) {
            addresses.add(address(seed.trim()));
        }
        return new RoomClientOptions(
                addresses,
                DEADLINE_MS,
                ATTEMPT_TIMEOUT_MS,
                FIRST_BACKOFF_MS,
                MAX_BACKOFF_MS,
                System::currentTimeMillis,
                () -> ThreadLocalRandom.current().nextDouble(),
                () -> UUID.randomUUID().toString(),
                retried -> {});
    }

    /** These options with other limits of time, both ms. */
    public RoomClientOptions withTimeouts(long newDeadlineMs, long newAttemptTimeoutMs) {
        return new RoomClientOptions(
                seeds,
                newDeadlineMs,
                newAttemptTimeoutMs,
                firstBackoffMs,
                maxBackoffMs,
                wallClockMs,
                jitter,
                commandIds,
                retryObserver);
    }

    /** These options with other waits between attempts, both ms. */
    public RoomClientOptions withBackoff(long newFirstBackoffMs, long newMaxBackoffMs) {
        return new RoomClientOptions(
                seeds,
                deadlineMs,
                attemptTimeoutMs,
                newFirstBackoffMs,
                newMaxBackoffMs,
                wallClockMs,
                jitter,
                commandIds,
                retryObserver);
    }

    /** These options with other sources of time, chance and ids. */
    public RoomClientOptions withSources(
            LongSupplier newWallClockMs, DoubleSupplier newJitter, Supplier<String> newCommandIds) {
        return new RoomClientOptions(
                seeds,
                deadlineMs,
                attemptTimeoutMs,
                firstBackoffMs,
                maxBackoffMs,
                newWallClockMs,
                newJitter,
                newCommandIds,
                retryObserver);
    }

    /** These options with another observer of retries. */
    public RoomClientOptions withRetryObserver(Consumer<RoomCallException> newRetryObserver) {
        return new RoomClientOptions(
                seeds,
                deadlineMs,
                attemptTimeoutMs,
                firstBackoffMs,
                maxBackoffMs,
                wallClockMs,
                jitter,
                commandIds,
                newRetryObserver);
    }

    /**
     * Reads {@code host:port}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static SocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            host = "";
        }
        int port = colon < 0 ? 0 : port(text.substring(colon + 1));
        if (host.isBlank() || port < 1) {
            throw new IllegalArgumentException("'" + text + "' is not an address; expected host:port");
        }
        return SocketAddress.inetSocketAddress(port, host);
    }

    private static int port(String digits) {
        if (!digits.matches("[0-9]{1,5}")) {
            return 0;
        }
        int port = Integer.parseInt(digits);
        return port <= MAX_PORT ? port : 0;
    }
}
