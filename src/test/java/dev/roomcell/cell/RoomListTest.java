package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

/** ROOM-8: the list of rooms follows the rooms, at a price that does not. */
class RoomListTest {
    private static final long PERIOD_MS = 1_000;
    /** A line is so old at most, ms. */
    private static final long OLDEST_MS = 2_000;

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    private ListEntry line(RoomKey key) {
        return world.database.listEntry(key).orElseThrow(() -> new AssertionError("not in the list: " + key));
    }

    /** ROOM-8. */
    @Test
    void aRoomIsInTheListWithTheCommitThatCreatesIt() {
        node.create(ROOM);

        assertThat(line(ROOM)).isEqualTo(new ListEntry(ROOM, 1, Lifecycle.Status.ACTIVE, "tea at five", "eu", 0, 0));
        assertThat(node.script.count(Call.WRITE_LIST)).isZero();
    }

    /** ROOM-8. */
    @Test
    void aRoomIsClosedInTheListWithTheCommitThatClosesIt() {
        node.createWith(ROOM, "ben");
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        assertThat(line(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
        assertThat(line(ROOM).onlineCount()).isZero();

        world.advance(OLDEST_MS);

        assertThat(line(ROOM).status()).as("after the line that waited").isEqualTo(Lifecycle.Status.CLOSED);
    }

    /** ROOM-8. */
    @Test
    void joinsAreWrittenOnceASecondAndTheLastOfThemIsNotForgotten() {
        node.create(ROOM);
        world.advance(PERIOD_MS);
        node.script.forget();

        for (int i = 1; i <= 100; i++) {
            Answers.assertDone(node.ask(ROOM, "join-" + i, Wishes.join("user-" + i)));
            world.advance(100);
        }
        assertThat(node.script.count(Call.WRITE_LIST)).isBetween(1, 11);
        world.advance(OLDEST_MS);

        assertThat(line(ROOM).onlineCount()).isEqualTo(100);
        assertThat(line(ROOM).version()).isEqualTo(101);
    }

    /** ROOM-8. */
    @Test
    void aLineIsNeverOlderThanTwoSeconds() {
        node.create(ROOM);
        for (int i = 1; i <= 50; i++) {
            Answers.assertDone(node.ask(ROOM, "join-" + i, Wishes.join("user-" + i)));
            int present = i;
            world.advance(137);
            assertThat(line(ROOM).onlineCount()).isGreaterThanOrEqualTo(present - (int) (OLDEST_MS / 137) - 1);
        }
    }

    /** ROOM-8. */
    @Test
    void theRoomItselfIsNeverOld() {
        node.createWith(ROOM, "ben");

        assertThat(line(ROOM).onlineCount()).isZero();
        assertThat(node.room(ROOM).onlineCount()).isEqualTo(1);
    }

    /** ROOM-8. */
    @Test
    void whatACommitHasWrittenIsNotWrittenAgain() {
        node.create(ROOM);
        node.create(OTHER_ROOM);
        Answers.assertDone(node.ask(OTHER_ROOM, "close", Wishes.close()));

        world.advance(OLDEST_MS);

        assertThat(node.script.count(Call.WRITE_LIST)).isZero();
    }

    @Test
    void aRoomWhereNothingHappensIsNotWrittenAgain() {
        node.createWith(ROOM, "ben");
        world.advance(OLDEST_MS);
        node.script.forget();

        Answers.assertDone(node.ask(ROOM, "join-ben-again", Wishes.join("ben")));
        node.outcome(node.shard.heartbeat(ROOM, "ben", MicSign.SILENT));
        world.advance(10 * PERIOD_MS);

        assertThat(node.script.count(Call.WRITE_LIST)).isZero();
    }

    @Test
    void theLinesOfManyRoomsAreWrittenTogether() {
        node.createWith(ROOM, "ben");
        node.createWith(OTHER_ROOM, "cid", "dan");

        world.advance(PERIOD_MS);

        assertThat(node.script.count(Call.WRITE_LIST)).isEqualTo(1);
        assertThat(line(ROOM).onlineCount()).isEqualTo(1);
        assertThat(line(OTHER_ROOM).onlineCount()).isEqualTo(2);
    }

    @Test
    void aLineThatCouldNotBeWrittenIsWrittenASecondLater() {
        node.createWith(ROOM, "ben");
        node.script.next(Call.WRITE_LIST, PortScript.failed());
        world.advance(PERIOD_MS);
        assertThat(line(ROOM).onlineCount()).isZero();

        world.advance(PERIOD_MS);

        assertThat(line(ROOM).onlineCount()).isEqualTo(1);
    }

    @Test
    void aLineThatCouldNotBeWrittenDoesNotReplaceANewerOne() {
        node.createWith(ROOM, "ben");
        HeldCall write = node.script.holdNext(Call.WRITE_LIST);
        world.advance(PERIOD_MS);
        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));
        write.fail();

        world.advance(PERIOD_MS);

        assertThat(line(ROOM).onlineCount()).isEqualTo(2);
    }

    /** ROOM-8: whoever takes the room over writes the line that its owner could not write any more. */
    @Test
    void anOwnerThatDiesBeforeItWroteTheLineLeavesThatToTheNext() {
        node.createWith(ROOM, "ben");
        node.loop.freeze();
        world.advance(Limits.TTL_MS);
        assertThat(line(ROOM).onlineCount()).isZero();

        world.node("b").read(ROOM);
        world.advance(OLDEST_MS);

        assertThat(line(ROOM).onlineCount()).isEqualTo(1);
    }

    /** ROOM-8: the commit does not wait for the list. */
    @Test
    void aListThatHangsHoldsNobodyUp() {
        node.createWith(ROOM, "ben");
        HeldCall write = node.script.holdNext(Call.WRITE_LIST);
        world.advance(PERIOD_MS);
        assertThat(write.arrived()).isTrue();

        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();

        Answers.assertDone(join);
    }
}
