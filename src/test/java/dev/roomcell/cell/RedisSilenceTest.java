package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.sim.Call;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** LEASE-13: Redis does not answer. */
class RedisSilenceTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    @BeforeEach
    void aRoomWithBenAndThenSilence() {
        node.createWith(ROOM, "ben");
        node.script.breakDown(Call::toRedis);
        node.script.forget();
    }

    /** LEASE-13. */
    @Test
    void commandsAnswerUnavailableAndNothingIsWritten() {
        Answers.assertRefused(node.ask(ROOM, "join-cid", Wishes.join("cid")), Refusal.STORE_UNAVAILABLE);
        world.advance(Limits.TTL_MS);
        Answers.assertRefused(node.ask(ROOM, "join-dan", Wishes.join("dan")), Refusal.STORE_UNAVAILABLE);
        Answers.assertRefused(node.ask(OTHER_ROOM, "create", Wishes.create()), Refusal.STORE_UNAVAILABLE);

        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
        assertThat(world.loggedIds(OTHER_ROOM)).isEmpty();
        assertThat(node.script.count(Call.COMMIT)).isZero();
    }

    /** LEASE-13, B05. */
    @Test
    void aSilenceShorterThanTheLeaseCostsNoCell() {
        world.advance(Limits.TTL_MS - 1);
        Answers.assertRefused(node.ask(ROOM, "join-cid", Wishes.join("cid")), Refusal.STORE_UNAVAILABLE);
        node.script.recover();

        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));

        assertThat(node.script.count(call -> call == Call.LOAD || call == Call.MINT))
                .isZero();
        assertThat(node.present(ROOM)).containsExactly("ben", "cid");
    }

    /** LEASE-13, B05. */
    @Test
    void afterALongSilenceServiceResumesByItself() {
        world.advance(10 * Limits.TTL_MS);
        node.script.recover();
        world.advance(Limits.TTL_MS);

        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));
        assertThat(node.present(ROOM)).containsExactly("ben", "cid");
    }

    /** LEASE-13. */
    @Test
    void aRoomThatNobodyElseTookIsStillInMemoryAfterALongSilence() {
        world.advance(10 * Limits.TTL_MS);
        node.script.recover();

        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));

        assertThat(node.script.count(Call.LOAD)).isZero();
    }

    /** LEASE-13, LEASE-11: the silence was ours alone. */
    @Test
    void aRoomThatAnotherNodeTookDuringTheSilenceIsAnothers() {
        CellNode b = world.node("b");
        world.advance(Limits.TTL_MS);
        Answers.assertDone(b.ask(ROOM, "join-cid", Wishes.join("cid")));
        node.script.recover();

        Answers.assertRefused(node.ask(ROOM, "join-dan", Wishes.join("dan")), Refusal.LEASE_LOST);
        Answers.assertRefused(node.ask(ROOM, "join-dan", Wishes.join("dan")), Refusal.NOT_OWNER);
        assertThat(b.present(ROOM)).containsExactly("ben", "cid");
    }
}
