package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class CheckCommandIT {
    @TempDir
    Path folder;

    private static RealRooms rooms;

    private final LivedRoom room = Doctored.lived();

    @BeforeAll
    static void open() {
        rooms = new RealRooms();
    }

    @BeforeEach
    void clear() {
        rooms.clear();
    }

    @AfterAll
    static void close() {
        rooms.close();
    }

    private record Ended(int exit, List<String> out, List<String> err) {
        String summary() {
            return out.get(out.size() - 1);
        }
    }

    /** Longer than anything here is ago, ms. */
    private static final String EVER_MS = "9000000000000";

    private Ended check(String... arguments) {
        List<String> all = new ArrayList<>(
                List.of("--mysql", rooms.address(), "--user", rooms.server().user()));
        // These rooms lived long ago.
        all.addAll(List.of("--outbox-kept-ms", EVER_MS));
        all.addAll(List.of(arguments));
        return run(all.toArray(String[]::new));
    }

    private static Ended run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Map<String, String> environment =
                Map.of("ROOM_MYSQL_PASSWORD", rooms.server().password());
        int exit = new CommandLine(new CheckCommand(environment))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Ended(
                exit, out.toString().lines().toList(), err.toString().lines().toList());
    }

    private String ackFile(String text) throws IOException {
        Path file = Files.createTempFile(folder, "acks", ".tsv");
        Files.writeString(file, text);
        return file.toString();
    }

    private static String lines(LivedRoom room) {
        return room.acks().stream()
                .map(ack -> String.join(
                        "\t",
                        ack.room().appCode(),
                        ack.room().roomId(),
                        ack.commandId(),
                        Long.toString(ack.version()),
                        ack.kind()))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    @Test
    void findsNothingInAnEmptyDatabase() {
        Ended ended = check();

        assertThat(ended.exit).isZero();
        assertThat(ended.summary()).matches("checked 0 rooms, 0 versions, 0 acks in \\d+\\.\\d s: no violation");
    }

    @Test
    void acceptsWhatTheRealStoresWrote() throws IOException {
        List<LivedRoom> lived = LongStream.range(0, 40).mapToObj(RandomRoom::of).toList();
        lived.forEach(rooms::store);
        long versions = lived.stream().mapToLong(each -> each.state().version()).sum();
        String acks = lived.stream()
                .filter(each -> each.state().version() > 0)
                .map(CheckCommandIT::lines)
                .collect(Collectors.joining());

        Ended ended = check("--acks", ackFile(acks), ackFile(acks), "--json");

        assertThat(ended.err).isEmpty();
        assertThat(ended.out).hasSize(2);
        assertThat(ended.out.get(0))
                .startsWith("checked 40 rooms, " + versions + " versions, " + 2 * versions + " acks in ")
                .endsWith(" s: no violation");
        assertThat(ended.summary())
                .startsWith("{\"rooms\":40,\"versions\":" + versions + ",\"acks\":" + 2 * versions
                        + ",\"violations\":0,\"parked_gifts\":0,\"seconds\":");
        assertThat(ended.exit).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "I1; DELETE FROM room_command_log WHERE version = 5",
                "I1; UPDATE rooms SET version = 9",
                "I1; UPDATE rooms SET state = 'CLOSED'",
                "I1; UPDATE rooms SET state = 'NO_SUCH'",
                "I1; DELETE FROM rooms",
                "I2; UPDATE room_command_log SET events = (SELECT events FROM (SELECT events FROM room_command_log WHERE version = 3) AS other) WHERE version = 4",
                "I2; UPDATE room_command_log SET result = '' WHERE version = 4",
                "I2; UPDATE room_snapshots SET checksum = checksum + 1 WHERE version = 6",
                "CMD-1; UPDATE room_command_log SET payload_hash = REPEAT('x', 16) WHERE version = 4",
                "I5; UPDATE room_command_log SET lease_epoch = 2 WHERE version = 7",
                "I5; UPDATE rooms SET owner_node_id = 'node-x'",
                "I8; DELETE FROM room_outbox WHERE room_version = 8",
                "I8; INSERT INTO room_outbox (app_code, room_id, room_version, event_index, partition_no, type, status, envelope) SELECT app_code, room_id, 99, 0, partition_no, type, status, envelope FROM room_outbox WHERE room_version = 8",
                "I8; INSERT INTO room_outbox (app_code, room_id, room_version, event_index, partition_no, type, status, envelope) SELECT app_code, 'ghost', 1, 0, partition_no, type, status, envelope FROM room_outbox WHERE room_version = 8",
                "I8; UPDATE room_outbox SET envelope = CONCAT(envelope, 'x') WHERE room_version = 8",
                "I12; UPDATE rooms SET live = FALSE",
                "I12; UPDATE room_list_entries SET online_count = 7",
                "I12; DELETE FROM room_list_entries",
                "I12; INSERT INTO room_list_entries (app_code, room_id, room_version, state, title, region, online_count) SELECT app_code, 'ghost', 1, state, title, region, online_count FROM room_list_entries",
                "TIME-1; UPDATE room_command_log SET committed_at_ms = 1 WHERE version = 8"
            })
    void findsWhatWasDoctored(String invariantAndSql) {
        String[] parts = invariantAndSql.split("; ", 2);
        rooms.store(room);
        rooms.edit(parts[1]);

        Ended ended = check();

        assertThat(ended.exit).isEqualTo(1);
        assertThat(ended.out).anySatisfy(line -> assertThat(line).startsWith(parts[0] + " app/"));
        assertThat(ended.summary()).contains("rooms, ").matches(".*: \\d+ violations");
    }

    /** LOG-1: with snapshots of the versions 6 and 8. */
    @Test
    void acceptsARoomWhoseLogWasPurgedUnlessItShouldHaveBeenKept() throws IOException {
        LivedRoom lived = Doctored.lived();
        rooms.store(lived);
        for (int version = 1; version <= 6; version++) {
            rooms.edit("DELETE FROM room_command_log WHERE version = " + version);
        }
        String acks = ackFile(lines(lived));

        assertThat(check("--acks", acks).exit).isZero();
        assertThat(check("--acks", acks, "--log-kept-days", "100000").exit).isEqualTo(1);
        rooms.edit("DELETE FROM room_command_log WHERE version = 7");
        assertThat(check("--acks", acks).exit).isEqualTo(1);
    }

    @Test
    void findsALostAcknowledgement() throws IOException {
        rooms.store(room);

        Ended ended = check("--acks", ackFile("app\troom\tlost\t4\tJOIN_ROOM\napp\tgone\tc-1\t1\tJOIN_ROOM\n"));

        assertThat(ended.out)
                .startsWith(
                        "I3 app/room: command lost was acknowledged with version 4, and is not in the log",
                        "I3 app/gone: command c-1 was acknowledged with version 1, and is not in the log");
        assertThat(ended.summary()).contains("2 acks").endsWith("2 violations");
        assertThat(ended.exit).isEqualTo(1);
    }

    @Test
    void leavesOutATornLastLineAndSaysSo() throws IOException {
        rooms.store(room);
        String file = ackFile(lines(room) + "app\troom\tc-1\t9\tJOIN_RO");

        Ended ended = check("--acks", file);

        assertThat(ended.out.get(0))
                .isEqualTo(
                        file + ": the last line is torn, and left out: app\\u0009room\\u0009c-1\\u00099\\u0009JOIN_RO");
        assertThat(ended.summary()).contains("8 acks");
        assertThat(ended.exit).isZero();
    }

    @Test
    void printsAHundredViolationsAndCountsTheRest() throws IOException {
        String lost = LongStream.range(0, 150)
                .mapToObj(i -> "app\troom-" + i % 2 + "\tlost-" + i + "\t1\tJOIN_ROOM\n")
                .collect(Collectors.joining());

        Ended ended = check("--acks", ackFile(lost));

        assertThat(ended.out).hasSize(102);
        assertThat(ended.out.get(100)).isEqualTo("… and 50 more");
        assertThat(ended.summary()).endsWith(": 150 violations");
    }

    @Test
    void checksOneAppOrOneRoomOfIt() throws IOException {
        for (RoomKey key : List.of(
                new RoomKey("app", "a"),
                new RoomKey("app", "b"),
                new RoomKey("other", "a"),
                new RoomKey("other", "b"))) {
            rooms.store(created(key));
        }
        rooms.edit("DELETE FROM room_outbox WHERE app_code = 'other' AND room_id = 'b'");
        String acks = ackFile("other\tb\tlost\t1\tJOIN_ROOM\n");

        assertThat(check("--app", "app", "--acks", acks))
                .satisfies(ended -> assertThat(ended.exit).isZero())
                .satisfies(ended -> assertThat(ended.summary()).startsWith("checked 2 rooms, 2 versions, 0 acks"));
        assertThat(check("--app", "other", "--room", "a").exit).isZero();
        assertThat(check("--app", "other", "--room", "b").out.get(0)).startsWith("I8 other/b: ");
        assertThat(check("--app", "other").exit).isEqualTo(1);
    }

    private static LivedRoom created(RoomKey key) {
        LivedRoom made = new LivedRoom(key);
        made.asks(new Lifecycle.CreateRoom("olga", LivedRoom.PROFILE, 3));
        return made.commits();
    }

    /** The last two are in this order in the tables, which compare bytes, and in the other one in Java. */
    @Test
    void keepsRoomsApartWhoseIdsAreAlmostTheSame() throws IOException {
        List<LivedRoom> alike = Stream.of("room", "Room", "room ", "röom", "\ud83d\ude00room")
                .map(id -> created(new RoomKey("app", id)))
                .toList();
        alike.forEach(rooms::store);
        // It has no log yet: whoever mistakes the order has none for the next room either.
        rooms.store(new LivedRoom(new RoomKey("app", "\uff5eroom")));
        String acks = alike.stream().map(CheckCommandIT::lines).collect(Collectors.joining());

        Ended ended = check("--acks", ackFile(acks));

        assertThat(ended.out).hasSize(1);
        assertThat(ended.summary())
                .startsWith("checked 6 rooms, 5 versions, 5 acks")
                .endsWith("no violation");
    }

    @Test
    void readsRoomsThatAreLargerThanAPage() {
        LivedRoom large = created(new RoomKey("app", "large"));
        for (int i = 0; i < 1_300; i++) {
            large.asks(new Presence.JoinRoom("ben"));
            large.asks(new Presence.LeaveRoom("ben"));
            large.commits();
        }
        rooms.store(large).store(room);

        Ended ended = check();

        assertThat(ended.out).hasSize(1);
        assertThat(ended.summary())
                .startsWith("checked 2 rooms, 2609 versions, ")
                .endsWith("no violation");
    }

    @Test
    void goesOnWithTheNextRoomWhetherOrNotARoomWasRead() throws SQLException {
        rooms.store(room).store(created(new RoomKey("app", "z")));
        List<RoomKey> given = new ArrayList<>();

        try (Connection connection = rooms.connect()) {
            TableCursor.Scope all = new TableCursor.Scope(Optional.empty(), Optional.empty());
            StoredRooms.read(connection, all, 3, history -> given.add(history.key()));
        }

        assertThat(given).containsExactly(Doctored.ROOM, new RoomKey("app", "z"));
    }

    /** Whatever the page size, and wherever in the rooms a page ends. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void seesTheRoomsAsTheyStoodAtOneMoment(int pageRows) throws SQLException {
        LivedRoom other = created(new RoomKey("app", "z"));
        rooms.store(room).store(other);
        HistoryChecker checker = new HistoryChecker(LivedRoom.CODEC);
        List<Violation> violations = new ArrayList<>();

        StoredRooms.Totals totals;
        try (Connection connection = rooms.connect()) {
            TableCursor.Scope all = new TableCursor.Scope(Optional.empty(), Optional.empty());
            totals = StoredRooms.read(connection, all, pageRows, history -> {
                violations.addAll(checker.check(history, List.of()));
                if (other.state().version() == 1) {
                    other.asks(new Presence.JoinRoom("ben"));
                    other.asks(new Presence.JoinRoom("cara"));
                    rooms.commit(other.commits().batches().get(1));
                }
            });
        }

        assertThat(other.state().version()).isEqualTo(3);
        assertThat(violations).isEmpty();
        assertThat(totals).isEqualTo(new StoredRooms.Totals(2, 9));
        assertThat(check().summary()).startsWith("checked 2 rooms, 11 versions").endsWith("no violation");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.0.1:3306",
                "127.0.0.1:x/rooms",
                ":3306/rooms",
                "127.0.0.1:3306/",
                "127.0.0.1:3306/rooms?allowLoadLocalInfile=true",
                "(host=127.0.0.1,port=3306)/rooms",
                "jdbc:mysql://127.0.0.1:3306/rooms"
            })
    void refusesWhatIsNoAddress(String address) {
        Ended ended = run("--mysql", address);

        assertThat(ended.exit).isEqualTo(2);
        assertThat(ended.err).containsExactly("check: --mysql: '" + address + "' is not HOST:PORT/SCHEMA");
    }

    @Test
    void saysInOneLineWhyItCannotCheck() throws IOException {
        assertNotChecked(run("--mysql", "127.0.0.1:1/rooms"), "check: rooms of 127.0.0.1:1/rooms can't be read: ");
        assertNotChecked(
                run("--mysql", rooms.address() + "x", "--user", rooms.server().user()),
                "check: rooms of " + rooms.address() + "x can't be read: ");
        assertNotChecked(check("--room", "a"), "check: --room: name its app with --app too");
        assertNotChecked(
                check("--password-env", "ROOM_CHECK_NO_SUCH"),
                "check: --password-env: there is no ROOM_CHECK_NO_SUCH in the environment");
        assertNotChecked(check("--acks", folder.resolve("none").toString()), "check: --acks: there is no ");
        assertNotChecked(check("--acks", ackFile("app\troom\tc-1\t1\n")), "line 1: 4 fields by tabs, not 5");
        assertNotChecked(check("--acks", ackFile("app\troom\tc-1\tx\tJOIN_ROOM\n")), "line 1: 'x' is no version");
        assertNotChecked(check("--acks", ackFile("app\t\tc-1\t1\tJOIN_ROOM\n")), "line 1: ");
        assertThat(run().exit).isEqualTo(2);
    }

    private static void assertNotChecked(Ended ended, String why) {
        assertThat(ended.err).singleElement().asString().contains(why);
        assertThat(ended.out).isEmpty();
        assertThat(ended.exit).isEqualTo(2);
    }
}
