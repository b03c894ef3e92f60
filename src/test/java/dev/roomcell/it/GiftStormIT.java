package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.dev.wallet.WalletFaults;
import dev.roomcell.dev.wallet.WalletFaults.Fault;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.proto.room.v1.SendGiftResult;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * F10, I7: many give at once, in many rooms on three nodes, while the wallet loses, delays and refuses calls and is down, and
 * nodes are killed and stand still. A build takes ten seconds of it; {@code -Dstorm.seconds=480 -Dstorm.down.ms=20000} is
 * the long form.
 */
@Alone
final class GiftStormIT {
    private static final Logger log = LoggerFactory.getLogger(GiftStormIT.class);
    private static final int NODES = 3;
    private static final int ROOMS = 12;
    private static final int GIVERS = 4;
    private static final long SECONDS = Long.getLong("storm.seconds", 10);
    private static final long SEED = Long.getLong("storm.seed", 7);
    /** How long the wallet is down when it is, ms. */
    private static final long DOWN_MS = Long.getLong("storm.down.ms", 2_000);
    /** More than twice the longest that a client waits for one attempt. */
    private static final long VOID_AFTER_MS = 10_000;

    private static final long COINS = 200_000;

    @TempDir
    Path folder;

    private GiftHouse house;
    private final List<Map<String, String>> environments = new ArrayList<>();
    private final List<NodeProcess> nodes = new ArrayList<>();
    private final List<RoomClient> clients = new ArrayList<>();
    private final Map<String, SendGiftResult> given = new ConcurrentHashMap<>();
    private final Map<String, String> refused = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger resent = new AtomicInteger();
    private volatile boolean over;

    @BeforeEach
    void start() {
        house = new GiftHouse(VOID_AFTER_MS);
        List<Map<String, String>> cluster = Backends.cluster(NODES);
        List<String> targets = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            Map<String, String> variables = house.variables(cluster.get(i));
            int port = Backends.freePort();
            targets.add("127.0.0.1:" + port);
            variables.put("ROOM_GRPC_PORT", Integer.toString(port));
            variables.put("ROOM_OUTBOX_WORKERS", "1");
            // Givers send no heartbeats, and a long storm outlasts a silence.
            variables.put("ROOM_PRESENCE_STALE_AFTER_MS", "3600000");
            environments.add(house.backends.environment("storm" + i, variables));
            nodes.add(NodeProcess.start(folder, environments.get(i)));
        }
        nodes.forEach(NodeProcess::awaitReady);
        for (int i = 0; i < NODES; i++) {
            List<String> order = new ArrayList<>(targets.subList(i, NODES));
            order.addAll(targets.subList(0, i));
            clients.add(house.client(order.stream().collect(Collectors.joining(","))));
        }
        house.tables.offer(GiftHouse.APP, "rose", 10, false);
        house.tables.offer(GiftHouse.APP, "clover", 10, true);
    }

    @AfterEach
    void stop() {
        nodes.forEach(NodeProcess::close);
        house.close();
    }

    @Test
    @Tag("I7")
    @Tag("B27")
    @Tag("B29")
    void everyCoinIsWhereTheLogsSay() {
        List<Future<Void>> givers = new ArrayList<>();
        Random dice = new Random(SEED);
        for (int i = 0; i < ROOMS; i++) {
            RoomKey room = new RoomKey(GiftHouse.APP, "storm-" + i);
            RoomClient client = clients.get(i % NODES);
            Await.result(client.createRoom(RoomCalls.create(room, "create")));
            for (int g = 0; g < GIVERS; g++) {
                Await.result(client.joinRoom(RoomCalls.join(room, user(i, g), "join-" + g)));
                house.wallet.books().open(GiftHouse.APP, user(i, g), COINS);
            }
            for (int g = 0; g < GIVERS; g++) {
                givers.add(new Giver(room, i, g, new Random(dice.nextLong())).begin());
            }
        }
        rage(dice);
        long calmNs = System.nanoTime();
        house.fine();
        over = true;
        Await.result(Future.join(givers));
        house.settle();
        long settledMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - calmNs);
        log.info(
                "{} gifts given, {} refused, {} sent again; settled {} ms after the last fault",
                given.size(),
                refused.size(),
                resent,
                settledMs);
        assertThat(wrong).isEmpty();
        house.audit();
        Set<String> logged = new HashSet<>();
        house.tables.given(GiftHouse.APP).forEach(gift -> logged.add(gift.commandId()));
        assertThat(logged).as("what was acknowledged is there").containsAll(given.keySet());
        assertThat(refused.keySet()).as("what was refused for good is not").doesNotContainAnyElementsOf(logged);
        assertThat(given.size()).isGreaterThan(Math.toIntExact(SECONDS) * 20);
    }

    private static String user(int room, int number) {
        return "user-" + room + "-" + number;
    }

    /** One fault after the other until the time is up, each over before the next begins. */
    private void rage(Random dice) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        for (int number = 0; System.nanoTime() < endNs; number++) {
            int kind = number % 7;
            long ms = 500L + dice.nextInt(1_500);
            int node = dice.nextInt(NODES);
            log.info("storm {}: kind {} for {} ms, node {}", number, kind, ms, node);
            switch (kind) {
                case 0 -> lose(Fault.LOST_AFTER, dice, ms);
                case 1 -> kill(node);
                case 2 -> lose(Fault.LOST_BEFORE, dice, ms);
                case 3 -> standStill(node, ms + 2_500);
                case 4 -> lose(dice.nextBoolean() ? Fault.UNAVAILABLE_AFTER : Fault.UNAVAILABLE_BEFORE, dice, ms);
                case 5 -> lose(dice.nextBoolean() ? Fault.slow(700) : Fault.late(900), dice, ms);
                default -> down();
            }
            pause(300);
        }
    }

    /** Half of the calls go wrong. */
    private void lose(Fault fault, Random dice, long ms) {
        int odd = dice.nextInt(2);
        AtomicInteger calls = new AtomicInteger();
        house.fail((WalletFaults) (method, key) -> calls.incrementAndGet() % 2 == odd ? fault : Fault.PASS);
        pause(ms);
        house.fine();
    }

    private void kill(int node) {
        nodes.get(node).kill();
        pause(1_000);
        nodes.set(node, NodeProcess.start(folder, environments.get(node)));
        nodes.get(node).awaitReady();
    }

    private void standStill(int node, long ms) {
        nodes.get(node).signal("STOP");
        pause(ms);
        nodes.get(node).signal("CONT");
    }

    private void down() {
        Await.result(house.wallet.goDown());
        pause(DOWN_MS);
        Await.result(house.wallet.comeUp());
    }

    /** Faults have a length. */
    private static void pause(long ms) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    /** Gives one gift after the other; one of which nothing is known is sent again until something is. */
    private final class Giver {
        private final RoomKey room;
        private final int roomNumber;
        private final int number;
        private final Random dice;
        private final Promise<Void> done = Promise.promise();
        private int gifts;

        Giver(RoomKey room, int roomNumber, int number, Random dice) {
            this.room = room;
            this.roomNumber = roomNumber;
            this.number = number;
            this.dice = dice;
        }

        Future<Void> begin() {
            next();
            return done.future();
        }

        private void next() {
            if (over) {
                done.complete();
                return;
            }
            String id = room.roomId() + "-" + number + "-" + ++gifts;
            send(
                    GiftHouse.gift(
                            room,
                            user(roomNumber, number),
                            dice.nextInt(3) == 0 ? "clover" : "rose",
                            1 + dice.nextInt(3),
                            id,
                            user(roomNumber, (number + 1) % GIVERS)),
                    id);
        }

        private void send(SendGiftRequest request, String id) {
            clients.get(dice.nextInt(NODES)).sendGift(request).onComplete(sent -> {
                if (sent.succeeded()) {
                    given.put(id, sent.result().getResult());
                    later(this::next);
                } else if (sent.cause() instanceof RoomCallException no
                        && !no.outcomeUnknown()
                        && Set.of("GIFT_VOIDED", "INSUFFICIENT_BALANCE").contains(no.reason())) {
                    refused.put(id, no.reason());
                    later(this::next);
                } else if (sent.cause() instanceof RoomCallException no
                        && !Set.of("NOT_PRESENT", "RECEIVER_GONE", "COMMAND_ID_CONFLICT")
                                .contains(no.reason())) {
                    resent.incrementAndGet();
                    later(() -> send(request, id));
                } else {
                    wrong.add(id + ": " + sent.cause());
                    done.complete();
                }
            });
        }

        private void later(Runnable action) {
            house.vertx.setTimer(20L + dice.nextInt(60), due -> action.run());
        }
    }
}
