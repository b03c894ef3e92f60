package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.cell.CellWorld.THIRD_ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Many rooms in one transaction, and something wrong with one room, or with all of it (LEASE-15). */
class SpoiledGroupTest extends GroupScene {
    /** The log has no room for so long an id: the statement fails, each time. */
    private static final String TOO_LONG_USER = "u".repeat(33);
    /** Longer than a transaction and its rooms are tried, ms. */
    private static final long ALL_TRIES_MS = 1_000;
    /** Between the first try of a transaction and the second, ms. */
    private static final long FIRST_PAUSE_MS = 5;

    /** LEASE-15. */
    @Test
    void aFencedRoomDoesNotFailTheOthers() {
        rooms();
        world.database.mint(OTHER_ROOM, "b", "token-of-b", OptionalLong.empty());

        List<Future<Answer>> answers = oneJoinEach();
        world.run();

        Answers.assertDone(answers.get(0));
        Answers.assertRefused(answers.get(1), Refusal.FENCED);
        Answers.assertDone(answers.get(2));
        assertThat(sizes()).containsExactly(3);
        assertThat(world.loggedIds(OTHER_ROOM)).containsExactly("create");
    }

    /** LEASE-15, LEASE-7. */
    @Test
    void aRoomWithoutItsLeaseIsLeftOutOfTheTransaction() {
        rooms();
        world.redis.delete(OTHER_ROOM.routeKey());

        List<Future<Answer>> answers = oneJoinEach();
        world.run();

        Answers.assertDone(answers.get(0));
        Answers.assertRefused(answers.get(1), Refusal.LEASE_LOST);
        Answers.assertDone(answers.get(2));
        assertThat(commits())
                .singleElement()
                .satisfies(commit -> assertThat(commit.rooms()).containsExactly(ROOM, THIRD_ROOM));
    }

    /** LEASE-15. */
    @Test
    void aRoomWhoseRowIsLockedLeavesTheGroupAndIsTriedAlone() {
        rooms();
        HeldRow locked = world.database.holdRow(OTHER_ROOM);
        List<Future<Answer>> answers = oneJoinEach();
        world.run();
        Answers.assertDone(answers.get(0));
        Answers.assertWaiting(answers.get(1));
        Answers.assertDone(answers.get(2));

        locked.close();
        world.advance(ALL_TRIES_MS);

        Answers.assertDone(answers.get(1));
        assertThat(commits().get(0).skipLocked()).isTrue();
        assertThat(commits().subList(1, commits().size())).allSatisfy(commit -> {
            assertThat(commit.rooms()).containsExactly(OTHER_ROOM);
            assertThat(commit.skipLocked()).isFalse();
        });
    }

    /** LEASE-15. */
    @Test
    void aRoomWhoseRowStaysLockedIsRefusedAndTheOthersGoOnMeanwhile() {
        rooms();
        HeldRow locked = world.database.holdRow(OTHER_ROOM);
        List<Future<Answer>> answers = oneJoinEach();
        world.run();
        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));

        world.advance(ALL_TRIES_MS);
        locked.close();

        Answers.assertRefused(answers.get(1), Refusal.STORE_UNAVAILABLE);
        assertThat(world.loggedIds(OTHER_ROOM)).containsExactly("create");
        Answers.assertDone(node.ask(OTHER_ROOM, "join-ben", Wishes.join("ben")));
    }

    /** LEASE-15. */
    @Test
    void aDeadlockIsTriedAgainWithTheSameGroup() {
        rooms();
        node.script.next(Call.COMMIT, PortScript.answered(TRANSIENT));
        node.script.next(Call.COMMIT, PortScript.answered(TRANSIENT));

        List<Future<Answer>> answers = oneJoinEach();
        world.advance(ALL_TRIES_MS);

        answers.forEach(Answers::assertDone);
        assertThat(sizes()).containsExactly(3, 3, 3);
    }

    @Test
    void beforeATransactionIsTriedAgainThereIsAPauseThatDoubles() {
        rooms();
        node.script.next(Call.COMMIT, PortScript.answered(TRANSIENT));
        node.script.next(Call.COMMIT, PortScript.answered(TRANSIENT));

        List<Future<Answer>> answers = oneJoinEach();
        world.advance(FIRST_PAUSE_MS - 1);
        assertThat(commits()).hasSize(1);
        world.advance(1);
        assertThat(commits()).hasSize(2);
        world.advance(2 * FIRST_PAUSE_MS - 1);
        assertThat(commits()).hasSize(2);
        world.advance(1);

        assertThat(commits()).hasSize(3);
        answers.forEach(Answers::assertDone);
    }

    /** LEASE-15. */
    @Test
    void afterThreeDeadlocksTheRoomsGoOneByOne() {
        rooms();
        for (int i = 0; i < 3; i++) {
            node.script.next(Call.COMMIT, PortScript.answered(TRANSIENT));
        }

        List<Future<Answer>> answers = oneJoinEach();
        world.advance(ALL_TRIES_MS);

        answers.forEach(Answers::assertDone);
        assertThat(sizes()).containsExactly(3, 3, 3, 1, 1, 1);
        assertThat(node.script.count(Call.VERIFY)).isEqualTo(6);
    }

    /** LEASE-15. */
    @Test
    void aStatementThatFailsForGoodIsNarrowedDownToItsCommand() {
        rooms();
        HeldCall busy = node.occupy(ROOM);
        Future<Answer> before = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> spoiled = node.send(ROOM, "join-long", Wishes.join(TOO_LONG_USER));
        Future<Answer> after = node.send(ROOM, "join-cid", Wishes.join("cid"));
        Future<Answer> neighbour = node.send(OTHER_ROOM, "join-ben", Wishes.join("ben"));
        busy.letGo();

        world.advance(ALL_TRIES_MS);

        Answers.assertDone(before);
        Answers.assertRefused(spoiled, Refusal.INTERNAL);
        Answers.assertDone(after);
        Answers.assertDone(neighbour);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben", "join-cid");
        assertThat(node.present(ROOM)).containsExactly("ben", "cid");
    }

    /** LEASE-15: one by one is for the batch that failed, not for ever. */
    @Test
    void afterTheSpoiledBatchCommandsGoTogetherAgain() {
        rooms();
        HeldCall busy = node.occupy(ROOM);
        Future<Answer> ben = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> spoiled = node.send(ROOM, "join-long", Wishes.join(TOO_LONG_USER));
        busy.letGo();
        world.advance(ALL_TRIES_MS);
        Answers.assertDone(ben);
        Answers.assertRefused(spoiled, Refusal.INTERNAL);
        begun = node.script.commits().size();

        busy = node.occupy(ROOM);
        Future<Answer> cid = node.send(ROOM, "join-cid", Wishes.join("cid"));
        Future<Answer> dan = node.send(ROOM, "join-dan", Wishes.join("dan"));
        busy.letGo();
        world.run();

        Answers.assertDone(cid);
        Answers.assertDone(dan);
        assertThat(sizes()).hasSize(1);
    }

    /** LEASE-15. */
    @Test
    void aDuplicateIdInOneRoomDoesNotFailTheOthers() {
        rooms();
        byte[] first = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        world.advance(CellSettings.DEDUPE_MS + 1_000);

        List<Future<Answer>> answers = oneJoinEach();
        world.advance(ALL_TRIES_MS);

        Answers.assertReplayed(answers.get(0), first);
        Answers.assertDone(answers.get(1));
        Answers.assertDone(answers.get(2));
    }

    /** LEASE-11: a version that is in the log already, under an id that is not ours, was written by somebody else. */
    @Test
    void aDuplicateThatIsNoneOfTheIdsFencesTheRoom() {
        rooms();
        node.script.next(
                Call.COMMIT, PortScript.answered(new GroupOutcome.RolledBack(Cause.DUPLICATE_KEY, "version 2")));

        Answers.assertRefused(node.ask(ROOM, "join-ben", Wishes.join("ben")), Refusal.FENCED);

        assertThat(commits()).hasSize(1);
        assertThat(world.loggedIds(ROOM)).containsExactly("create");
    }

    @Test
    void aDatabaseThatCannotBeReachedRefusesTheWholeGroupAndWritesNothing() {
        rooms();
        node.script.next(
                Call.COMMIT, PortScript.answered(new GroupOutcome.RolledBack(Cause.UNAVAILABLE, "no connection")));

        List<Future<Answer>> answers = oneJoinEach();
        world.run();

        answers.forEach(answer -> Answers.assertRefused(answer, Refusal.STORE_UNAVAILABLE));
        ROOMS.forEach(room -> assertThat(world.loggedIds(room)).containsExactly("create"));
        oneJoinEach();
        world.run();
        ROOMS.forEach(room -> assertThat(node.present(room)).containsExactly("ben"));
    }

    /** LEASE-15: however many rooms a spoiled transaction had, they do not take all connections at once. */
    @Test
    void noMoreThanFourRoomsAreTriedAloneAtOnceAndTheOthersFollow() {
        List<RoomKey> six = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            six.add(new RoomKey("lala", "room-" + i));
        }
        six.forEach(node::create);
        node.script.next(Call.COMMIT, PortScript.answered(new GroupOutcome.RolledBack(Cause.STATEMENT, "spoiled")));
        List<HeldCall> alone = new ArrayList<>();
        List<Future<Answer>> answers = new ArrayList<>();
        for (RoomKey room : six) {
            alone.add(node.script.holdNext(Call.COMMIT));
            answers.add(node.send(room, "join-ben", Wishes.join("ben")));
        }
        world.run();
        assertThat(alone.stream().filter(HeldCall::arrived)).hasSize(4);

        for (int done = 1; done <= 6; done++) {
            alone.get(done - 1).letGo();
            world.run();
            assertThat(alone.stream().filter(HeldCall::arrived)).hasSize(Math.min(6, 4 + done));
        }

        answers.forEach(Answers::assertDone);
    }
}
