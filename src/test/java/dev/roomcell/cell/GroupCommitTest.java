package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.cell.CellWorld.THIRD_ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many rooms in one transaction, and how much it takes. */
class GroupCommitTest extends GroupScene {
    /** For so long rooms that have committed share the transactions, ms. */
    private static final long SHARED_MS = 1_000;

    @Test
    void roomsThatCommitAtTheSameTimeShareOneTransactionAndOneVerification() {
        rooms();

        List<Future<Answer>> answers = oneJoinEach();
        world.run();

        answers.forEach(Answers::assertDone);
        assertThat(commits()).singleElement().satisfies(commit -> {
            assertThat(commit.rooms()).containsExactlyElementsOf(ROOMS);
            assertThat(commit.skipLocked()).isTrue();
        });
        assertThat(node.script.count(Call.VERIFY)).isEqualTo(1);
    }

    @Test
    void whileOneTransactionIsInFlightTheNextOneFills() {
        rooms();
        HeldCall first = node.script.holdNext(Call.COMMIT);
        Future<Answer> alone = join(ROOM, "ann");
        List<Future<Answer>> answers = oneJoinEach();
        world.run();
        assertThat(sizes()).containsExactly(1);

        letGo(first);

        Answers.assertDone(alone);
        answers.forEach(Answers::assertDone);
        assertThat(commits().stream().flatMap(commit -> commit.rooms().stream()))
                .containsExactlyInAnyOrder(ROOM, ROOM, OTHER_ROOM, THIRD_ROOM);
        assertThat(sizes()).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void manyRoomsThatWaitHaveATransactionBesideTheOneInFlight() {
        secondFrom(2);
        HeldCall first = node.script.holdNext(Call.COMMIT);
        Future<Answer> held = join(ROOM, "ann");

        Future<Answer> other = join(OTHER_ROOM, "ben");
        assertThat(sizes()).containsExactly(1);
        Future<Answer> third = join(THIRD_ROOM, "ben");

        assertThat(sizes()).containsExactly(1, 2);
        Answers.assertDone(other);
        Answers.assertDone(third);
        assertThat(held.isComplete()).isFalse();
        letGo(first);
        Answers.assertDone(held);
    }

    @Test
    void aRoomIsNeverInTwoTransactionsAtOnce() {
        secondFrom(1);
        HeldCall first = node.script.holdNext(Call.COMMIT);
        Future<Answer> held = join(ROOM, "ann");

        Future<Answer> next = join(ROOM, "ben");

        assertThat(sizes()).containsExactly(1);
        letGo(first);
        Answers.assertDone(held);
        Answers.assertDone(next);
        assertThat(sizes()).containsExactly(1, 1);
    }

    @Test
    void aThirdTransactionWaitsUntilOneOfTheTwoIsOver() {
        secondFrom(1);
        HeldCall first = node.script.holdNext(Call.COMMIT);
        Future<Answer> ofTheFirst = join(ROOM, "ann");
        HeldCall second = node.script.holdNext(Call.COMMIT);
        Future<Answer> ofTheSecond = join(OTHER_ROOM, "ann");
        Future<Answer> ofTheThird = join(THIRD_ROOM, "ann");
        assertThat(sizes()).containsExactly(1, 1);

        letGo(second);

        Answers.assertDone(ofTheSecond);
        Answers.assertDone(ofTheThird);
        assertThat(ofTheFirst.isComplete()).isFalse();
        letGo(first);
        Answers.assertDone(ofTheFirst);
    }

    private void secondFrom(int rooms) {
        node = world.node("two", Limits.usual().secondGroupRooms(rooms).settings());
        rooms();
    }

    private Future<Answer> join(RoomKey room, String userId) {
        Future<Answer> answer = node.send(room, "join-" + userId, Wishes.join(userId));
        world.run();
        return answer;
    }

    private void letGo(HeldCall call) {
        call.letGo();
        world.run();
    }

    /** P11. */
    @Test
    void aRoomTakesNoMoreThanItsShareWhileOthersCommitToo() {
        node = world.node("small", Limits.usual().sharedBatchCommands(4).settings());
        rooms();
        assertThat(batchesOfTenThatWait("alone")).containsExactly(1, 9);

        node.send(OTHER_ROOM, "join-other", Wishes.join("other"));
        world.run();
        assertThat(batchesOfTenThatWait("shared")).containsExactly(1, 4, 4, 1);

        world.advance(SHARED_MS + 1);
        assertThat(batchesOfTenThatWait("alone-again")).containsExactly(1, 9);
    }

    private List<Integer> batchesOfTenThatWait(String prefix) {
        // The first of them is the room's own again.
        node.send(ROOM, prefix, Wishes.join(prefix));
        world.run();
        world.advance(prefix.equals("shared") ? 0 : SHARED_MS + 1);
        int before = node.script.commits().size();
        HeldCall first = node.script.holdNext(Call.COMMIT);
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            answers.add(node.send(ROOM, prefix + i, Wishes.join(prefix + i)));
            world.run();
        }
        first.letGo();
        world.run();
        answers.forEach(Answers::assertDone);
        return node.script.commits().subList(before, node.script.commits().size()).stream()
                .map(commit -> commit.batches().get(0).rows().size())
                .toList();
    }

    @Test
    void theCommandsThatWaitForARoomGoAsOneBatch() {
        rooms();
        HeldCall first = node.script.holdNext(Call.COMMIT);
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            answers.add(node.send(ROOM, "join-" + i, Wishes.join("user-" + i)));
            world.run();
        }

        first.letGo();
        world.run();

        answers.forEach(Answers::assertDone);
        assertThat(commits().stream()
                        .map(commit -> commit.batches().get(0).rows().size()))
                .containsExactly(1, 9);
    }

    @Test
    void aTransactionTakesNoMoreRoomsThanTheLimit() {
        node = world.node("limited", Limits.usual().groupRooms(2).settings());
        rooms();

        List<Future<Answer>> answers = oneJoinEach();
        world.run();

        answers.forEach(Answers::assertDone);
        assertThat(sizes()).containsExactly(2, 1);
    }

    @Test
    void aTransactionTakesNoMoreBytesThanTheLimitButOneRoomAtLeast() {
        rooms();
        oneJoinEach("ben");
        world.run();
        int oneJoin = commits().get(0).batches().get(0).bytes();

        assertThat(sizesWithin(2 * oneJoin, "cid")).containsExactly(2, 1);
        assertThat(sizesWithin(2 * oneJoin - 1, "dan")).containsExactly(1, 1, 1);
        assertThat(sizesWithin(oneJoin - 1, "eva")).containsExactly(1, 1, 1);
    }

    private Stream<Integer> sizesWithin(int groupBytes, String userId) {
        node.outcome(node.shard.drain());
        node = world.node(
                "limited-for-" + userId, Limits.usual().groupBytes(groupBytes).settings());
        ROOMS.forEach(node::read);
        begun = 0;
        List<Future<Answer>> answers = oneJoinEach(userId);
        world.run();
        answers.forEach(Answers::assertDone);
        return sizes();
    }
}
