package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A caller who waits no longer is told what may still happen, and it is the truth (CMD-8). */
class DeadlineTest {
    private static final long SHORT_MS = 1_000;
    /** A caller is told at most so late, ms. */
    private static final long LATE_MS = Deadlines.STEP_MS;

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    /** CMD-8. */
    @Test
    void whatWasNotBegunIsRefusedAndNeverRuns() {
        node.create(ROOM);
        HeldCall busy = node.occupy(ROOM);
        Future<Answer> join = node.send(ROOM, "join-ben", Wishes.join("ben"), SHORT_MS);
        world.advance(SHORT_MS - 1);
        Answers.assertWaiting(join);

        world.advance(LATE_MS + 1);
        Answers.assertRefused(join, Refusal.OVERLOADED);

        busy.letGo();
        world.advance(SHORT_MS);
        assertThat(world.loggedIds(ROOM)).containsExactly("create");
        assertThat(node.present(ROOM)).isEmpty();
    }

    @Test
    void aBatchThatNobodyWaitsForCallsNobody() {
        node.create(ROOM);
        HeldCall busy = node.occupy(ROOM);
        node.send(ROOM, "join-ben", Wishes.join("ben"), SHORT_MS);
        world.advance(SHORT_MS + LATE_MS);
        node.script.forget();

        busy.letGo();
        world.run();

        assertThat(node.script.calls()).isEmpty();
    }

    /** CMD-8. */
    @Test
    void whatWasBegunIsUnknownAndTheSameIdLearnsItLater() {
        node.create(ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> join = node.send(ROOM, "join-ben", Wishes.join("ben"), SHORT_MS);
        world.advance(SHORT_MS + LATE_MS);
        Answers.assertRefused(join, Refusal.OUTCOME_UNKNOWN);

        commit.letGo();
        world.run();

        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), world.loggedResult(ROOM, "join-ben"));
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
    }

    /** CMD-8. */
    @Test
    void whoeverWaitsForALoadIsRefusedAndNeverRuns() {
        CellNode earlier = world.node("earlier");
        earlier.create(ROOM);
        earlier.outcome(earlier.shard.drain());
        HeldCall load = node.script.holdNext(Call.LOAD);
        Future<Answer> join = node.send(ROOM, "join-ben", Wishes.join("ben"), SHORT_MS);
        world.advance(SHORT_MS + LATE_MS);
        Answers.assertRefused(join, Refusal.OVERLOADED);

        load.letGo();
        world.run();

        assertThat(world.loggedIds(ROOM)).containsExactly("create");
    }

    /** CMD-8. */
    @Test
    void aRoomIsNotEvenBegunForACallerWhoIsGone() {
        HeldCall find = node.script.holdNext(Call.FIND);
        Future<Answer> create = node.send(ROOM, "create", Wishes.create(), SHORT_MS);
        world.advance(SHORT_MS + LATE_MS);
        Answers.assertRefused(create, Refusal.OVERLOADED);

        find.letGo();
        world.run();

        assertThat(world.database.rooms()).isEmpty();
    }

    /** CMD-8. */
    @Test
    void aRoomWhoseOutsidePartsTakeTooLongIsNotCreatedForACallerWhoIsGone() {
        HeldCall prepare = node.script.holdNext(Call.PREPARE);
        Future<Answer> create = node.send(ROOM, "create", Wishes.create(), SHORT_MS);
        world.advance(SHORT_MS + LATE_MS);
        Answers.assertRefused(create, Refusal.OVERLOADED);

        prepare.letGo();
        world.run();
        assertThat(world.loggedIds(ROOM)).isEmpty();

        Answers.assertDone(node.ask(ROOM, "create", Wishes.create()));
    }

    @Test
    void everyCallerIsToldByItsOwnDeadline() {
        node.create(ROOM);
        HeldCall busy = node.occupy(ROOM);
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            answers.add(node.send(ROOM, "join-" + i, Wishes.join("user-" + i), i * 70L));
        }
        for (int i = 1; i <= 40; i++) {
            world.advance(70);
            for (int j = 1; j <= 40; j++) {
                Future<Answer> answer = answers.get(j - 1);
                long overForMs = (i - j) * 70L;
                if (overForMs < 0) {
                    Answers.assertWaiting(answer);
                } else if (overForMs >= LATE_MS) {
                    Answers.assertRefused(answer, Refusal.OVERLOADED);
                }
            }
        }
        busy.letGo();
        world.run();
        assertThat(world.loggedIds(ROOM)).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void aCallerWhoComesLongAfterTheLastOneIsToldInTimeToo() {
        node.create(ROOM);
        world.advance(60_000);
        HeldCall busy = node.occupy(ROOM);
        world.advance(60_000);

        Future<Answer> join = node.send(ROOM, "join-ben", Wishes.join("ben"), SHORT_MS);
        world.advance(SHORT_MS - 1);
        Answers.assertWaiting(join);
        world.advance(LATE_MS + 1);

        Answers.assertRefused(join, Refusal.OVERLOADED);
        busy.letGo();
    }

    @Test
    void aProcessThatWasStoppedTellsEverybodyWhoseTimeIsOver() {
        node.create(ROOM);
        HeldCall busy = node.occupy(ROOM);
        Future<Answer> before = node.send(ROOM, "join-ben", Wishes.join("ben"), SHORT_MS);
        world.run();
        node.loop.freeze();
        Future<Answer> meanwhile = node.send(ROOM, "join-cid", Wishes.join("cid"), SHORT_MS);
        world.advance(10 * SHORT_MS);

        node.loop.thaw();
        world.advance(LATE_MS);

        Answers.assertRefused(before, Refusal.OVERLOADED);
        Answers.assertRefused(meanwhile, Refusal.OVERLOADED);
        busy.letGo();
    }

    @Test
    void aCommandSentInAnswerToAnExpiredOneHasADeadlineToo() {
        node.create(ROOM);
        HeldCall busy = node.occupy(ROOM);
        List<Future<Answer>> second = new ArrayList<>();
        node.send(ROOM, "join-ben", Wishes.join("ben"), SHORT_MS)
                .onComplete(expired -> second.add(node.send(ROOM, "join-ben", Wishes.join("ben"), -LATE_MS)));
        world.advance(SHORT_MS + LATE_MS);
        assertThat(second).hasSize(1);

        world.advance(LATE_MS);

        Answers.assertRefused(second.get(0), Refusal.OVERLOADED);
        busy.letGo();
    }

    /** CMD-3: the first of two equal ids gives up; the second has its own deadline and its own right to run. */
    @Test
    void whoeverSharesAnIdWithACallerWhoIsGoneStillRuns() {
        node.create(ROOM);
        HeldCall busy = node.occupy(ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> spoiled = node.send(ROOM, "join-long", Wishes.join("u".repeat(33)));
        Future<Answer> impatient = node.send(ROOM, "join-ben", Wishes.join("ben"), SHORT_MS);
        Future<Answer> patient = node.send(ROOM, "join-ben", Wishes.join("ben"));
        busy.letGo();
        world.advance(SHORT_MS + LATE_MS);
        Answers.assertRefused(impatient, Refusal.OUTCOME_UNKNOWN);

        commit.letGo();
        world.advance(SHORT_MS);

        Answers.assertRefused(spoiled, Refusal.INTERNAL);
        Answers.assertDone(patient);
    }

    /** CMD-3: the same when the cell goes and its commands are dealt with anew. */
    @Test
    void whoeverSharesAnIdWithACallerWhoIsGoneRunsInTheNextIncarnationToo() {
        node.create(ROOM);
        HeldCall busy = node.occupy(ROOM);
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> spoiled = node.send(ROOM, "join-long", Wishes.join("u".repeat(33)));
        Future<Answer> impatient = node.send(ROOM, "join-ben", Wishes.join("ben"), SHORT_MS);
        Future<Answer> patient = node.send(ROOM, "join-ben", Wishes.join("ben"));
        busy.letGo();
        world.advance(SHORT_MS + LATE_MS);
        Answers.assertRefused(impatient, Refusal.OUTCOME_UNKNOWN);

        node.script.next(Call.VERIFY, PortScript.answered(List.of(false)));
        node.script.next(Call.VERIFY, PortScript.answered(List.of(false)));
        commit.letGo();
        world.advance(SHORT_MS);

        Answers.assertRefused(spoiled, Refusal.LEASE_LOST);
        Answers.assertDone(patient);
    }
}
