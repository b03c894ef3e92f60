package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.client.RoomClient;
import dev.roomcell.dev.ImSink;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.RocketSnapshot;
import dev.roomcell.proto.room.v1.RocketStatus;
import dev.roomcell.proto.room.v1.RoomSnapshot;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rockets on real servers, and what happens to their owners. */
@Alone
@Tag("ROCKET-3")
final class RocketIT {
    private static final long DELAY_MS = 5_000;
    /** So long after its time a rocket has launched, whatever has happened to its owner, ms (I13). */
    private static final long LATEST_MS = Backends.LEASE_TTL_MS + 2_000;
    /** How long gifts are given without a pause; {@code -Drocket.seconds=60} for ten thousand of them. */
    private static final int SECONDS = Integer.getInteger("rocket.seconds", 3);

    private static final long NEWS_MS = 500;

    @TempDir
    Path folder;

    private GiftHouse house;
    private final List<NodeProcess> processes = new ArrayList<>();
    private final List<RoomNode> nodes = new ArrayList<>();

    @BeforeEach
    void start() {
        house = new GiftHouse(20_000);
    }

    @AfterEach
    void stop() {
        processes.forEach(NodeProcess::close);
        nodes.forEach(node -> Await.result(node.stop()));
        Audit.assertStoredRoomsAreSound(house.backends);
        house.close();
    }

    private NodeProcess process(String nodeId, Map<String, String> more) {
        NodeProcess process = NodeProcess.start(folder, house.backends.environment(nodeId, house.variables(more)));
        processes.add(process);
        return process;
    }

    private RoomClient clientOf(NodeProcess node) {
        return house.client("127.0.0.1:" + node.awaitReady().grpcPort());
    }

    private RoomClient inProcess(Map<String, String> more) {
        RoomNode node = house.backends.startNode("rockets", house.variables(more));
        nodes.add(node);
        return house.client("127.0.0.1:" + node.grpcPort());
    }

    /** Rockets of ten units of fuel; a rose is worth five of them. */
    private void offer(String resetAt, String zone, long delayMs) {
        house.tables.offer(GiftHouse.APP, "rose", 1, false, 5);
        house.tables.rockets(GiftHouse.APP, resetAt, zone, 3, 10, delayMs);
    }

    /** A day that is not over while a test runs: it has just begun. */
    private static String justNow() {
        return DateTimeFormatter.ofPattern("HH:mm")
                .withZone(ZoneOffset.UTC)
                .format(Instant.now().minusSeconds(60));
    }

    private RoomKey party(RoomClient client, String roomId) {
        RoomKey room = new RoomKey(GiftHouse.APP, roomId);
        Await.result(client.createRoom(RoomCalls.create(room, "create-" + roomId)));
        for (String user : List.of("ann-" + roomId, "ben")) {
            Await.result(client.joinRoom(RoomCalls.join(room, user, "join-" + user)));
        }
        house.wallet.books().open(GiftHouse.APP, "ann-" + roomId, 1_000_000);
        return room;
    }

    private static void roses(RoomClient client, RoomKey room, int count, String id) {
        Await.result(client.sendGift(
                GiftHouse.gift(room, "ann-" + room.roomId(), "rose", count, room.roomId() + id, "ben")));
    }

    private static RocketSnapshot rocket(RoomClient client, RoomKey room) {
        return snapshot(client, room).getRocket();
    }

    private static RoomSnapshot snapshot(RoomClient client, RoomKey room) {
        return Await.result(client.getRoom(RoomCalls.get(room))).getRoom();
    }

    /** A party whose rocket is full, and when it launches. */
    private record Waiting(RoomKey room, RocketSnapshot rocket) {}

    private Waiting ignited(RoomClient client, String roomId) {
        return ignited(client, party(client, roomId));
    }

    private Waiting ignited(RoomClient client, RoomKey room) {
        roses(client, room, 3, "-1");
        RocketSnapshot rocket = rocket(client, room);
        assertThat(rocket.getStatus()).isEqualTo(RocketStatus.ROCKET_STATUS_IGNITED);
        return new Waiting(room, rocket);
    }

    private List<LogRow> launches(Waiting waiting) {
        try (RoomTables tables = house.backends.tables()) {
            return tables.log(waiting.room).stream()
                    .filter(row -> row.commandId().equals("~launch:" + waiting.rocket.getRocketId()))
                    .toList();
        }
    }

    private void assertLaunchedInTime(Waiting waiting) {
        Await.until(
                "the rocket of " + waiting.room + " launches",
                () -> !launches(waiting).isEmpty());
        assertThat(launches(waiting))
                .singleElement()
                .satisfies(row -> assertThat(row.atMs())
                        .isBetween(waiting.rocket.getLaunchAtMs(), waiting.rocket.getLaunchAtMs() + LATEST_MS));
    }

    private void pass(long ms) {
        Await.result(house.vertx.timer(ms, TimeUnit.MILLISECONDS));
    }

    /** B114: the owner dies right before the time, and long before; Redis forgets everything; then all are gone. */
    @Test
    @Tag("B114")
    void aRocketLaunchesOnceInTimeThoughItsOwnerDiesAndRedisForgets() {
        List<Map<String, String>> cluster = Backends.cluster(2);
        NodeProcess a = process("rocket-a", cluster.get(0));
        NodeProcess b = process("rocket-b", cluster.get(1));
        RoomClient toA = clientOf(a);
        RoomClient toB = clientOf(b);
        offer(justNow(), "UTC", DELAY_MS);
        RoomKey laterRoom = party(toA, "later");
        Waiting soon = ignited(toA, "soon");
        pass(DELAY_MS - 1_000);
        Waiting later = ignited(toA, laterRoom);
        pass(Math.max(1, soon.rocket.getLaunchAtMs() - 250 - System.currentTimeMillis()));
        a.kill();
        try (RedisView redis = new RedisView(house.vertx, house.backends)) {
            redis.flush();
        }
        assertLaunchedInTime(soon);
        assertLaunchedInTime(later);
        RocketSnapshot next = rocket(toB, later.room);
        assertThat(next.getLevel()).isEqualTo(2);
        assertThat(next.getFuel()).as("what was too much for the one before").isEqualTo(5);

        roses(toB, later.room, 1, "-2");
        Waiting alone = new Waiting(later.room, rocket(toB, later.room));
        assertThat(alone.rocket.getStatus()).isEqualTo(RocketStatus.ROCKET_STATUS_IGNITED);
        b.kill();
        pass(DELAY_MS);
        NodeProcess c = process("rocket-c", Map.of());
        RoomClient toC = clientOf(c);
        Await.until(
                "the rocket that nobody watched launches",
                () -> !launches(alone).isEmpty());
        assertThat(rocket(toC, alone.room).getLevel()).isEqualTo(3);
        assertThat(launches(alone)).hasSize(1);
        assertThat(launches(soon)).hasSize(1);
        assertThat(launches(later)).hasSize(1);
    }

    /** B116: a day ends while a rocket waits, and a room; neither launches, and the next day's does. */
    @Test
    @Tag("ROCKET-2")
    void whatADayOrARoomHasEndedDoesNotLaunch() {
        RoomClient client = inProcess(Map.of());
        Instant dayEnds = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 4);
        // The time of day has no seconds, so the zone has them.
        int seconds = (int) ((60 - dayEnds.getEpochSecond() % 60) % 60);
        ZoneOffset zone = ZoneOffset.ofTotalSeconds(seconds);
        offer(DateTimeFormatter.ofPattern("HH:mm").withZone(zone).format(dayEnds), zone.getId(), 5_000);
        Waiting overnight = ignited(client, "overnight");
        Waiting ended = ignited(client, "ended");
        Waiting anew = ignited(client, "anew");
        assertThat(overnight.rocket.getLaunchAtMs()).isGreaterThan(dayEnds.toEpochMilli());
        Await.result(client.closeRoom(RoomCalls.close(ended.room, "owner", "close")));

        pass(Math.max(1, dayEnds.toEpochMilli() + 500 - System.currentTimeMillis()));
        assertThat(snapshot(client, overnight.room).hasRocket())
                .as("yesterday's")
                .isFalse();
        roses(client, anew.room, 2, "-2");
        Waiting today = new Waiting(anew.room, rocket(client, anew.room));
        assertThat(today.rocket.getRocketId()).isNotEqualTo(anew.rocket.getRocketId());

        assertLaunchedInTime(today);
        assertThat(launches(anew)).isEmpty();
        assertThat(launches(ended)).isEmpty();
        assertThat(launches(overnight)).as("that it is over").hasSize(1);
        RocketSnapshot fresh = rocket(client, overnight.room);
        assertThat(fresh.getLevel()).isEqualTo(1);
        assertThat(fresh.getFuel()).isZero();
        assertThat(rocket(client, anew.room).getLevel()).isEqualTo(2);
    }

    @Test
    void anAppWhoseRocketsMakeNoSenseHasNoneAndItsGiftsAreGiven() {
        RoomClient client = inProcess(Map.of());
        offer(justNow(), "UTC", DELAY_MS);
        house.tables.withoutLevel(GiftHouse.APP, 2);
        RoomKey room = party(client, "nonsense");
        roses(client, room, 3, "-1");
        assertThat(snapshot(client, room).hasRocket()).isFalse();
        assertThat(snapshot(client, room).getHeat()).isEqualTo(3);

        house.tables.rockets(GiftHouse.APP, "25:00", "UTC", 3, 10, DELAY_MS);
        roses(client, room, 1, "-2");
        house.tables.rockets(GiftHouse.APP, "05:00", "Atlantis/Poseidonis", 3, 10, DELAY_MS);
        roses(client, room, 1, "-3");
        assertThat(snapshot(client, room).hasRocket()).isFalse();

        house.tables.rockets(GiftHouse.APP, justNow(), "Asia/Riyadh", 3, 10, DELAY_MS);
        roses(client, room, 1, "-4");
        assertThat(rocket(client, room).getFuel()).isEqualTo(5);
    }

    /** About 10,000 gifts a minute in one room: its clients hear of the fuel at the configured rate, and of the last of it. */
    @Test
    @Tag("LANE-1")
    void ofManyGiftsClientsHearTheFuelOnceInAWhileAndTheLastOfIt() {
        ImSink sink = Await.result(ImSink.start(house.vertx, 0));
        RoomClient client =
                inProcess(Map.of("ROOM_IM_SINK_URL", sink.url(), "ROOM_GIFTS_NEWS_EVERY_MS", Long.toString(NEWS_MS)));
        house.tables.offer(GiftHouse.APP, "rose", 1, false, 1);
        house.tables.rockets(GiftHouse.APP, justNow(), "UTC", 1, 1_000_000, DELAY_MS);
        RoomKey room = party(client, "many");
        int perTick = 17;
        int ticks = 10 * SECONDS;
        long beganMs = System.currentTimeMillis();
        List<Future<?>> given = new ArrayList<>();
        for (int tick = 0; tick < ticks; tick++) {
            for (int i = 0; i < perTick; i++) {
                String id = "many-" + tick + "-" + i;
                given.add(client.sendGift(GiftHouse.gift(room, "ann-many", "rose", 1, id, "ben")));
            }
            pass(Math.max(1, beganMs + 100L * (tick + 1) - System.currentTimeMillis()));
        }
        given.forEach(Await::result);
        long tookMs = System.currentTimeMillis() - beganMs;
        long fuel = rocket(client, room).getFuel();
        assertThat(fuel).isEqualTo((long) perTick * ticks);

        Await.until("the last of the fuel is told", () -> fuelTold(sink).endsWith("\"" + fuel + "\""));
        assertThat(new JsonArray(messages(sink))
                        .stream()
                                .filter(message ->
                                        ((JsonObject) message).getString("type").equals("ROOM_ROCKET_FUEL_CHANGED"))
                                .count())
                .isBetween(2L, tookMs / NEWS_MS + 2);
    }

    /** The fuel of the newest such message, in quotes; empty if there is none. */
    private static String fuelTold(ImSink sink) {
        return new JsonArray(messages(sink))
                .stream()
                        .map(JsonObject.class::cast)
                        .filter(message -> message.getString("type").equals("ROOM_ROCKET_FUEL_CHANGED"))
                        .reduce((first, second) -> second)
                        .map(last -> "\"" + last.getJsonObject("payload").getString("fuel") + "\"")
                        .orElse("");
    }

    private static String messages(ImSink sink) {
        return Page.get(sink.page() + "rooms/gifts/many/messages");
    }
}
