package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CMD-3: the same id twice in one batch; the second waits for the first one's outcome. */
class SameIdTwiceTest {
    private static final GroupOutcome UNAVAILABLE = new GroupOutcome.RolledBack(Cause.UNAVAILABLE, "no connection");

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    @BeforeEach
    void aRoom() {
        node.create(ROOM);
    }

    private record Two(Future<Answer> first, Future<Answer> second) {}

    private Two together(RoomCommand first, RoomCommand second) {
        HeldCall busy = node.occupy(ROOM);
        Two two = new Two(node.send(ROOM, "id-1", first), node.send(ROOM, "id-1", second));
        busy.letGo();
        world.run();
        return two;
    }

    /** CMD-3. */
    @Test
    void theSameWishSharesTheOutcome() {
        Two two = together(Wishes.join("ben"), Wishes.join("ben"));

        Answers.assertReplayed(two.second, Answers.assertDone(two.first));
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "id-1");
    }

    /** CMD-3. */
    @Test
    void anotherWishIsAConflictWhenTheFirstCommits() {
        Two two = together(Wishes.join("ben"), Wishes.join("cid"));

        Answers.assertDone(two.first);
        Answers.assertRefused(two.second, Refusal.COMMAND_ID_CONFLICT);
        assertThat(node.present(ROOM)).containsExactly("ben");
    }

    /** CMD-3, CMD-4. */
    @Test
    void anotherWishRunsWhenTheFirstIsRejected() {
        Two two = together(Wishes.leave("ben"), Wishes.join("cid"));

        Answers.assertRejected(two.first, Reason.NOT_PRESENT);
        Answers.assertDone(two.second);
        assertThat(node.present(ROOM)).containsExactly("cid");
    }

    /** CMD-3. */
    @Test
    void theSameWishSharesARejection() {
        Two two = together(Wishes.leave("ben"), Wishes.leave("ben"));

        Answers.assertRejected(two.first, Reason.NOT_PRESENT);
        Answers.assertRejected(two.second, Reason.NOT_PRESENT);
    }

    /** CMD-3. */
    @Test
    void anotherWishRunsWhenTheFirstCouldNotBeCommitted() {
        node.script.next(Call.COMMIT, PortScript.answered(UNAVAILABLE));

        Two two = together(Wishes.join("ben"), Wishes.join("cid"));

        Answers.assertRefused(two.first, Refusal.STORE_UNAVAILABLE);
        Answers.assertDone(two.second);
        assertThat(node.present(ROOM)).containsExactly("cid");
    }

    /** CMD-3. */
    @Test
    void theSameWishSharesAFailedCommit() {
        node.script.next(Call.COMMIT, PortScript.answered(UNAVAILABLE));

        Two two = together(Wishes.join("ben"), Wishes.join("ben"));

        Answers.assertRefused(two.first, Refusal.STORE_UNAVAILABLE);
        Answers.assertRefused(two.second, Refusal.STORE_UNAVAILABLE);
    }

    /** CMD-3. */
    @Test
    void bothAreRetriesOfWhatTheLogHolds() {
        byte[] joined = Answers.assertDone(node.ask(ROOM, "id-1", Wishes.join("ben")));

        Two two = together(Wishes.join("ben"), Wishes.join("cid"));

        Answers.assertReplayed(two.first, joined);
        Answers.assertRefused(two.second, Refusal.COMMAND_ID_CONFLICT);
    }

    /** CMD-3: the first is a stranger to what the log holds, and the second is the retry. */
    @Test
    void theLogDecidesWhichOfTheTwoIsTheRetry() {
        byte[] joined = Answers.assertDone(node.ask(ROOM, "id-1", Wishes.join("ben")));

        Two two = together(Wishes.join("cid"), Wishes.join("ben"));

        Answers.assertRefused(two.first, Refusal.COMMAND_ID_CONFLICT);
        Answers.assertReplayed(two.second, joined);
    }

    /** CMD-3, LEASE-7: the second is sent to the next incarnation, which decides it alone. */
    @Test
    void anotherWishRunsInTheNextIncarnationWhenTheFirstLostTheLease() {
        world.redis.delete(ROOM.routeKey());
        HeldCall verification = node.script.holdNext(Call.VERIFY);
        Future<Answer> filler = node.send(ROOM, "filler", Wishes.leave("nobody"));
        world.run();
        Future<Answer> first = node.send(ROOM, "id-1", Wishes.join("ben"));
        Future<Answer> second = node.send(ROOM, "id-1", Wishes.join("cid"));
        world.run();
        verification.answerWith(List.of(true));
        world.run();

        Answers.assertRejected(filler, Reason.NOT_PRESENT);
        Answers.assertRefused(first, Refusal.LEASE_LOST);
        Answers.assertDone(second);
        assertThat(node.present(ROOM)).containsExactly("cid");
    }
}
