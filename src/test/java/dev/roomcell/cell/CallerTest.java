package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.cell.CellWorld.assertSameRoom;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.testkit.HeldCall;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

/** What a caller does with its answer is no business of the room's. */
class CallerTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    private static void fail() {
        throw new IllegalStateException("a caller's own fault");
    }

    @Test
    void aCallerThatFailsOnItsAnswerHarmsNeitherItsRoomNorAnother() {
        node.create(ROOM);
        node.create(OTHER_ROOM);
        HeldCall busy = node.occupy(ROOM);
        Future<Answer> failing = node.send(ROOM, "join-ben", Wishes.join("ben")).onComplete(answer -> fail());
        Future<Answer> behind = node.send(ROOM, "join-cid", Wishes.join("cid"));
        Future<Answer> beside = node.send(OTHER_ROOM, "join-dan", Wishes.join("dan"));
        busy.letGo();
        world.run();

        assertThat(failing.isComplete()).isTrue();
        assertThat(behind.isComplete()).isTrue();
        Answers.assertDone(beside);
        Answers.assertDone(node.ask(ROOM, "join-eva", Wishes.join("eva")));
        assertSameRoom(node.room(ROOM), world.replayed(ROOM));
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben", "join-cid", "join-eva");
    }

    @Test
    void aCallerMaySendTheNextCommandWhileItIsTold() {
        node.create(ROOM);
        Future<Answer> both = node.send(ROOM, "join-ben", Wishes.join("ben"))
                .compose(joined -> node.send(ROOM, "leave-ben", Wishes.leave("ben")));
        world.run();

        Answers.assertDone(both);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben", "leave-ben");
    }
}
