package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.FieldMask;
import com.google.protobuf.MessageLite;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.RoomProfile;
import dev.roomcell.proto.room.v1.UpdateRoomProfileRequest;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One room gets far more commands than it can take, and others go on beside it. A build only sees that the excess is
 * refused and that the others are served; {@code -Dflood.seconds=60} on an idle machine also measures by how much the
 * others are slower, and whether the memory stays flat. {@code -Dflood.per_second=6000} for another rate.
 */
@Alone
final class FloodIT {
    private static final Logger log = LoggerFactory.getLogger(FloodIT.class);
    /** Each of two times: without the flood, and with it. */
    private static final int SECONDS = Integer.getInteger("flood.seconds", 2);

    private static final int PER_SECOND = Integer.getInteger("flood.per_second", 12_000);
    /** {@code -Dflood.shared=16}: the most commands of a batch while several rooms commit. */
    private static final String SHARED = System.getProperty("flood.shared", "32");

    /** A shorter time says nothing about slownesses of one in a hundred, nor about memory. */
    private static final boolean MEASURED = SECONDS >= 30;

    private static final List<String> OUTCOMES = List.of("OK", "OVERLOADED", "OUTCOME_UNKNOWN");
    private static final double MOST_SLOWER = 3;
    private static final double MOST_GROWTH = 1.5;

    private static final int FLOOD_EVERY_MS = 10;
    private static final int FLOOD_CONNECTIONS = 4;
    /** Of the flood, so many calls wait for their answers at most; it skips what would be more. */
    private static final int MOST_WAITING = 2 * PER_SECOND;

    private static final long GUEST_PAUSE_MS = 20;

    private static final RoomKey FLOODED = new RoomKey("flood", "flooded");
    private static final List<RoomKey> OTHERS = IntStream.range(0, 8)
            .mapToObj(i -> new RoomKey("flood", "other" + i))
            .toList();

    @TempDir
    Path folder;

    private final Map<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<RawConnection> connections = new ArrayList<>();
    private volatile Queue<Long> latenciesNs = new ConcurrentLinkedQueue<>();
    private volatile boolean stopping;
    private Vertx vertx;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    /** Whoever joins and leaves one room again and again, and waits for each answer. */
    private final class Guest {
        private final RoomKey room;
        private final RawConnection connection;
        private final Promise<Void> over = Promise.promise();
        private int calls;

        Guest(RoomKey room, RawConnection connection) {
            this.room = room;
            this.connection = connection;
        }

        Future<Void> begin() {
            next();
            return over.future();
        }

        private void next() {
            if (stopping) {
                over.complete();
                return;
            }
            boolean joins = calls++ % 2 == 0;
            String commandId = "guest-" + calls;
            MessageLite request =
                    joins ? RoomCalls.join(room, "guest", commandId) : RoomCalls.leave(room, "guest", commandId);
            long askedNs = System.nanoTime();
            connection
                    .send(joins ? RoomCalls.JOIN_ROOM : RoomCalls.LEAVE_ROOM, request.toByteArray())
                    .onFailure(failure -> failed(failure.toString()))
                    .onSuccess(answer -> {
                        latenciesNs.add(System.nanoTime() - askedNs);
                        if (answer.status() == GrpcStatus.OK) {
                            vertx.setTimer(GUEST_PAUSE_MS, pause -> next());
                        } else {
                            failed(answer.status() + " " + answer.reason());
                        }
                    });
        }

        private void failed(String why) {
            failures.add(room + ": " + why);
            over.complete();
        }
    }

    private RawConnection connect(int port) {
        RawConnection connection = RawConnection.open(vertx, port);
        connections.add(connection);
        return connection;
    }

    private static MessageLite rename(String title) {
        return UpdateRoomProfileRequest.newBuilder()
                .setMeta(RoomCalls.meta(FLOODED, "owner", title))
                .setRoomId(FLOODED.roomId())
                .setProfile(RoomProfile.newBuilder().setTitle(title))
                .setUpdateMask(FieldMask.newBuilder().addPaths("title"))
                .build();
    }

    /** As many commands as are due, whatever became of the ones before. */
    private void flood(List<RawConnection> through) {
        for (int i = 0; i < PER_SECOND * FLOOD_EVERY_MS / 1_000 && waiting.get() < MOST_WAITING; i++) {
            int number = sent.incrementAndGet();
            waiting.incrementAndGet();
            through.get(number % through.size())
                    .send(
                            RoomCalls.UPDATE_ROOM_PROFILE,
                            rename("title-" + number).toByteArray())
                    .map(answer -> answer.status() == GrpcStatus.OK ? "OK" : answer.reason())
                    .otherwise(failure -> failure.toString())
                    .onSuccess(outcome -> {
                        outcomes.computeIfAbsent(outcome, first -> new AtomicInteger())
                                .incrementAndGet();
                        waiting.decrementAndGet();
                    });
        }
    }

    /** Lets the time of a measurement pass with a flood, and waits for its end; returns the used heap. */
    private List<Long> floodFor(List<RawConnection> through, int opsPort) {
        long flooding = vertx.setPeriodic(0, FLOOD_EVERY_MS, tick -> flood(through));
        List<Long> usedBytes = passTime(opsPort);
        Await.until("the room has refused some", () -> outcome("OVERLOADED") > 0 && outcome("OK") > 0);
        vertx.cancelTimer(flooding);
        Await.until("all of the flood is answered", () -> waiting.get() == 0);
        return usedBytes;
    }

    private int outcome(String name) {
        AtomicInteger count = outcomes.get(name);
        return count == null ? 0 : count.get();
    }

    /** Lets the time of a measurement pass; returns the used heap of the node, bytes, as it was every now and then. */
    private List<Long> passTime(int opsPort) {
        List<Long> usedBytes = new ArrayList<>();
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() - endNs < 0) {
            usedBytes.add(usedHeapBytes(opsPort));
            Await.result(vertx.timer(250, TimeUnit.MILLISECONDS));
        }
        return usedBytes;
    }

    private long usedHeapBytes(int opsPort) {
        try {
            String metrics = http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + opsPort + "/metrics"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
            return (long) metrics.lines()
                    .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static double p99Ms(Queue<Long> ns) {
        long[] sorted = ns.stream().mapToLong(Long::longValue).sorted().toArray();
        assertThat(sorted).isNotEmpty();
        return sorted[(int) Math.ceil(sorted.length * 0.99) - 1] / 1e6;
    }

    /** After a collection, as far as one fell into it. */
    private static long leastBytes(List<Long> usedBytes) {
        return usedBytes.stream().mapToLong(Long::longValue).min().orElseThrow();
    }

    /** P11. */
    @Test
    void aFloodedRoomRefusesWhatItCanNotTakeAndTheOthersGoOn() {
        Backends backends = Backends.shared();
        NodeProcess.Jvm jvm = MEASURED ? NodeProcess.Jvm.AS_SHIPPED : NodeProcess.Jvm.QUICK_TO_START;
        Map<String, String> settings = Map.of("ROOM_ROOM_SHARED_BATCH_COMMANDS", SHARED);
        try (NodeProcess node = NodeProcess.start(jvm, folder, backends.environment("flood", settings))) {
            NodeProcess.Ready ready = node.awaitReady();
            RawConnection quiet = connect(ready.grpcPort());
            List<RawConnection> flood = IntStream.range(0, FLOOD_CONNECTIONS)
                    .mapToObj(i -> connect(ready.grpcPort()))
                    .toList();
            quiet.call(RoomCalls.CREATE_ROOM, RoomCalls.create(FLOODED, "create"));
            OTHERS.forEach(room -> quiet.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create")));

            if (MEASURED) {
                // So that what is measured is compiled by then: a node that is not takes a fraction of this flood, and
                // what
                // others ask of it then may take longer than they wait.
                floodFor(flood, ready.opsPort());
            }
            List<Future<Void>> guests =
                    OTHERS.stream().map(room -> new Guest(room, quiet).begin()).toList();
            passTime(ready.opsPort());
            Queue<Long> withoutNs = latenciesNs;
            latenciesNs = new ConcurrentLinkedQueue<>();
            List<Long> usedBytes = floodFor(flood, ready.opsPort());
            Queue<Long> withNs = latenciesNs;
            stopping = true;
            Await.result(Future.join(guests));

            double without = p99Ms(withoutNs);
            double with = p99Ms(withNs);
            log.info(String.format(
                    Locale.ROOT,
                    "others' p99 without the flood %.1f ms of %d, with it %.1f ms of %d; the flood of %d: %s; heap MiB %s",
                    without,
                    withoutNs.size(),
                    with,
                    withNs.size(),
                    sent.get(),
                    outcomes,
                    usedBytes.stream().map(bytes -> bytes >> 20).toList()));
            assertThat(failures).isEmpty();
            // What was taken when its five seconds were nearly over ends in the middle of its commit.
            assertThat(outcomes.keySet())
                    .containsAll(List.of("OK", "OVERLOADED"))
                    .isSubsetOf(OUTCOMES);
            if (MEASURED) {
                assertThat(with).isLessThan(MOST_SLOWER * without);
                int half = usedBytes.size() / 2;
                assertThat((double) leastBytes(usedBytes.subList(half, usedBytes.size())))
                        .isLessThan(MOST_GROWTH * leastBytes(usedBytes.subList(0, half)));
            }
            assertThat(node.log()).doesNotContain(" ERROR ", "OutOfMemory");
        }
        connections.forEach(RawConnection::close);
        Audit.assertStoredRoomsAreSound(backends);
    }
}
