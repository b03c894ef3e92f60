package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.RecentId;
import dev.roomcell.port.CommandStore.StoredRoom;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** One command id, one effect, one answer: whenever and wherever it is sent again (CMD-1 to CMD-7). */
class CommandIdTest {
    /** Longer than an id is remembered, and long enough for an empty room to leave the memory, ms. */
    private static final long FORGOTTEN_MS = CellSettings.DEDUPE_MS + 60_000;

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    /** CMD-2. */
    @Test
    void aRetryOfAnAcceptedCommandGetsTheFirstAnswerAndMakesNoVersion() {
        node.create(ROOM);
        byte[] first = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));

        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), first);

        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben", "join-cid");
    }

    /** CMD-6: whatever has happened since, the bytes are those that were stored. */
    @Test
    void theAnswerOfARetryIsTheStoredOneByteForByte() {
        node.create(ROOM);
        byte[] first = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        for (int i = 0; i < 5; i++) {
            Answers.assertDone(node.ask(ROOM, "join-" + i, Wishes.join("user-" + i)));
        }

        assertThat(first).isEqualTo(world.loggedResult(ROOM, "join-ben"));
        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), first);
    }

    /** CMD-2: before NOT_PRESENT is answered, the log is asked. */
    @Test
    void aRetriedLeaveIsNotToldThatTheUserIsAbsent() {
        node.createWith(ROOM, "ben");
        byte[] left = Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));

        Answers.assertReplayed(node.ask(ROOM, "leave-ben", Wishes.leave("ben")), left);
        forget(ROOM);
        Answers.assertReplayed(node.ask(ROOM, "leave-ben", Wishes.leave("ben")), left);
    }

    /** CMD-2: before ROOM_EXISTS is answered, the log is asked. */
    @Test
    void aRetriedCreateIsNotToldThatTheRoomExists() {
        byte[] created = Answers.assertDone(node.ask(ROOM, "create", Wishes.create()));

        Answers.assertReplayed(node.ask(ROOM, "create", Wishes.create()), created);
        forget(ROOM);
        Answers.assertReplayed(node.ask(ROOM, "create", Wishes.create()), created);
        Answers.assertRejected(node.ask(ROOM, "create-2", Wishes.create()), Reason.ROOM_EXISTS);
    }

    /** CMD-2: before a no-op is answered, the log is asked: the first answer, not today's. */
    @Test
    void aRetriedJoinOfSomebodyPresentGetsItsOwnAnswer() {
        node.create(ROOM);
        byte[] joined = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        forget(ROOM);
        Answers.assertDone(node.ask(ROOM, "join-ben-2", Wishes.join("ben")));

        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), joined);
    }

    /** CMD-2: an id that no cell remembers is caught by the unique key of the log. */
    @Test
    void anOldAcceptedCommandIsCaughtByTheLogItself() {
        node.create(ROOM);
        byte[] joined = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        forget(ROOM);

        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), joined);

        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben", "leave-ben");
        assertThat(node.present(ROOM)).isEmpty();
    }

    /** CMD-2: the log says that it has the id, and then does not answer; nothing was written, and nothing is unknown. */
    @Test
    void anOldCommandThatCannotBeReadIsRefusedAndCostsNoCell() {
        node.create(ROOM);
        byte[] joined = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        forget(ROOM);
        node.read(ROOM);
        node.script.forget();
        node.script.next(Call.FIND_COMMANDS, PortScript.failed());

        Answers.assertRefused(node.ask(ROOM, "join-ben", Wishes.join("ben")), Refusal.STORE_UNAVAILABLE);
        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), joined);

        assertThat(node.script.count(Call.MINT)).isZero();
    }

    /** CMD-2: what stood in the same batch is decided again without it. */
    @Test
    void theOthersOfItsBatchAreDecidedAsIfTheOldCommandWereNotThere() {
        node.create(ROOM);
        byte[] joined = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        forget(ROOM);
        node.read(ROOM);
        HeldCall busy = node.occupy(ROOM);
        Future<Answer> before = node.send(ROOM, "join-cid", Wishes.join("cid"));
        Future<Answer> old = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> dependent = node.send(ROOM, "leave-ben-2", Wishes.leave("ben"));
        Future<Answer> after = node.send(ROOM, "join-dan", Wishes.join("dan"));
        busy.letGo();
        world.run();

        Answers.assertDone(before);
        Answers.assertReplayed(old, joined);
        Answers.assertRejected(dependent, Reason.NOT_PRESENT);
        Answers.assertDone(after);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben", "leave-ben", "join-cid", "join-dan");
        assertThat(node.present(ROOM)).containsExactly("cid", "dan");
    }

    /** CMD-1: the id stands for the whole wish. */
    @Test
    void anotherWishUnderTheSameIdIsAConflict() {
        node.createWith(ROOM, "ben");

        assertConflicts();
        forget(ROOM);
        assertConflicts();
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
    }

    private void assertConflicts() {
        Answers.assertRefused(node.ask(ROOM, "join-ben", Wishes.join("cid")), Refusal.COMMAND_ID_CONFLICT);
        Answers.assertRefused(node.ask(ROOM, "join-ben", Wishes.leave("ben")), Refusal.COMMAND_ID_CONFLICT);
        Answers.assertRefused(node.ask(ROOM, "create", Wishes.create("another title")), Refusal.COMMAND_ID_CONFLICT);
    }

    /** CMD-2: ids are a room's own. */
    @Test
    void theSameIdInAnotherRoomIsAnotherCommand() {
        node.createWith(ROOM, "ben");
        node.create(OTHER_ROOM);

        Answers.assertDone(node.ask(OTHER_ROOM, "join-ben", Wishes.join("ben")));
    }

    /** CMD-4. */
    @Test
    void aRejectedIdMayRunLater() {
        node.create(ROOM);
        Answers.assertRejected(node.ask(ROOM, "leave-ben", Wishes.leave("ben")), Reason.NOT_PRESENT);
        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));

        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
    }

    /** CMD-4. */
    @Test
    void aRejectedIdMayRunLaterWithAnotherWish() {
        node.create(ROOM);
        Answers.assertRejected(node.ask(ROOM, "id-1", Wishes.leave("ben")), Reason.NOT_PRESENT);

        Answers.assertDone(node.ask(ROOM, "id-1", Wishes.join("cid")));
    }

    /** CMD-2: the window keeps hashes, and a hash may lie; the log has the last word. */
    @Test
    void anIdThatOnlyLooksKnownIsDecidedAfterTheLogWasAsked() {
        coldRoomThatSeemsToKnow("join-ben");

        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));

        assertThat(node.script.count(Call.FIND_COMMANDS)).isEqualTo(1);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
    }

    /** CMD-2. */
    @Test
    void anIdThatLooksKnownIsRefusedWhileTheLogCannotBeAsked() {
        coldRoomThatSeemsToKnow("join-ben");
        node.script.next(Call.FIND_COMMANDS, PortScript.failed());

        Answers.assertRefused(node.ask(ROOM, "join-ben", Wishes.join("ben")), Refusal.STORE_UNAVAILABLE);
        assertThat(world.loggedIds(ROOM)).containsExactly("create");

        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
    }

    private void coldRoomThatSeemsToKnow(String commandId) {
        CellNode earlier = world.node("earlier");
        earlier.create(ROOM);
        earlier.outcome(earlier.shard.drain());
        HeldCall load = node.script.holdNext(Call.LOAD);
        Future<ReadAnswer> read = node.shard.read(ROOM);
        world.run();
        StoredRoom stored = world.database.load(ROOM, 0, 10).result();
        load.answerWith(new StoredRoom(
                stored.row(), stored.snapshot(), stored.tail(), List.of(new RecentId(commandId, world.nowMs()))));
        world.run();
        assertThat(read.result()).isInstanceOf(ReadAnswer.Found.class);
    }

    /** CMD-2: a rejection of something that might be a retry is not given unasked. */
    @Test
    void aRejectionIsRefusedWhileTheLogCannotBeAsked() {
        node.createWith(ROOM, "ben");
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        forget(ROOM);
        node.read(ROOM);
        node.script.next(Call.FIND_COMMANDS, PortScript.failed());

        Answers.assertRefused(node.ask(ROOM, "leave-ben", Wishes.leave("ben")), Refusal.STORE_UNAVAILABLE);
    }

    /** CMD-2: an id of the last ten minutes is not even tried. */
    @Test
    void aCellKnowsTheIdsThatItCommitted() {
        node.create(ROOM);
        byte[] joined = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        node.script.forget();

        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), joined);

        assertThat(node.script.count(Call.COMMIT)).isZero();
    }

    /** CMD-2: the window survives the cell. */
    @Test
    void aNewOwnerKnowsTheNewestIds() {
        node.create(ROOM);
        byte[] joined = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        node.outcome(node.shard.drain());
        CellNode b = world.node("b");

        Answers.assertReplayed(b.ask(ROOM, "join-ben", Wishes.join("ben")), joined);

        assertThat(b.script.count(Call.COMMIT)).as("known without a try").isZero();
    }

    /** CMD-7: a replay changes nothing, not even a sign of life. */
    @Test
    void aReplayIsNoSignOfLife() {
        node.createWith(ROOM, "ben");
        long seenAtMs = node.room(ROOM).member("ben").orElseThrow().lastSeenAtMs();
        world.advance(10_000);

        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), world.loggedResult(ROOM, "join-ben"));

        assertThat(node.room(ROOM).member("ben").orElseThrow().lastSeenAtMs()).isEqualTo(seenAtMs);
        forget(ROOM);
        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), world.loggedResult(ROOM, "join-ben"));
        assertThat(node.room(ROOM).member("ben").orElseThrow().lastSeenAtMs()).isEqualTo(seenAtMs);
    }

    /** CMD-2: 1,024 ids, and the unique key behind them. */
    @Test
    void aRetryIsFoundHoweverManyCommandsCameAfterIt() {
        node.create(ROOM);
        byte[] joined = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        List<Future<Answer>> many = new ArrayList<>();
        for (int i = 0; i < CellSettings.DEDUPE_IDS; i++) {
            many.add(node.send(ROOM, "join-" + i, Wishes.join("user-" + i)));
        }
        world.run();
        many.forEach(Answers::assertDone);

        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), joined);
        assertThat(node.room(ROOM).onlineCount()).isEqualTo(CellSettings.DEDUPE_IDS);
    }

    /** Lets time go by until neither a cell nor its window knows the ids. */
    private void forget(RoomKey key) {
        world.advance(FORGOTTEN_MS);
        if (node.loadedRooms() > 0) {
            // Somebody is present, so the room is not passivated: another incarnation must come.
            world.redis.delete(key.routeKey());
            world.database.mint(key, "b", "token-of-b", OptionalLong.empty());
            world.advance(Limits.TTL_MS);
        }
        assertThat(node.loadedRooms()).isZero();
    }
}
