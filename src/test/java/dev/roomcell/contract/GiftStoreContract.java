package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.GiftCatalog.Gift;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.GiftStore.Reward;
import dev.roomcell.port.GiftStore.State;
import dev.roomcell.port.GiftStore.Unsettled;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.testkit.Await;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who ends an intent: exactly one. */
abstract class GiftStoreContract {
    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final RoomKey OTHER = new RoomKey("app", "other");
    private static final long LONG_MS = 60_000;
    /** Is over at once. */
    private static final long NO_TIME_MS = -1;

    private GiftStore store;
    private GiftStore otherNode;

    abstract Database database();

    @BeforeEach
    void takeStores() {
        store = database().node().gifts();
        otherNode = database().otherNode().gifts();
        for (RoomKey key : List.of(ROOM, OTHER)) {
            Await.result(database().node().commands().insertCreating(key, LONG_MS));
            Await.result(database().node().commands().mint(key, Batch.NODE, Batch.TOKEN, OptionalLong.empty()));
        }
    }

    private static Intent intent(String commandId) {
        return intent(commandId, "room", 1);
    }

    private static Intent intent(String commandId, String roomId, int payload) {
        byte[] hash = new byte[16];
        hash[0] = (byte) payload;
        return Intent.begun(
                new GiftKey("app", commandId),
                roomId,
                "ann",
                hash,
                new Gift("rose", 100L * payload, payload == 1, 7L * payload),
                6,
                600L * payload);
    }

    private Intent begin(String commandId, long voidAfterMs) {
        return Await.result(store.begin(List.of(intent(commandId)), voidAfterMs))
                .get(0);
    }

    private Intent stored(String commandId) {
        GiftKey key = new GiftKey("app", commandId);
        return Optional.ofNullable(Await.result(otherNode.find(List.of(key))).get(key))
                .orElseThrow();
    }

    private long open() {
        return Await.result(store.unsettled()).open();
    }

    private GroupOutcome commit(Batch... batches) {
        List<RoomBatch> group = Stream.of(batches).map(Batch::done).toList();
        return Await.result(database().node().commands().commit(group, true));
    }

    private void commitAll(Batch... batches) {
        assertThat(((GroupOutcome.Committed) commit(batches)).verdicts()).containsOnly(Verdict.APPENDED);
    }

    private static void assertSame(Intent found, Intent expected) {
        assertThat(found).usingRecursiveComparison().isEqualTo(expected);
    }

    @Test
    void whatIsBegunIsThereAsItWasGiven() {
        assertSame(begin("g-1", LONG_MS), intent("g-1"));
        assertSame(stored("g-1"), intent("g-1"));
        assertThat(Await.result(store.find(List.of(new GiftKey("app", "g-2"), new GiftKey("other", "g-1")))))
                .isEmpty();
        assertThat(Await.result(store.find(List.of()))).isEmpty();
    }

    /** GIFT-5: the first one counts, whatever came with the second. */
    @Test
    @Tag("GIFT-5")
    void anIdThatWasUsedBeforeIsAnsweredWithWhatIsThere() {
        begin("g-1", LONG_MS);
        List<Intent> answered = Await.result(
                otherNode.begin(List.of(intent("g-2"), intent("g-1", "other", 2), intent("g-3")), LONG_MS));
        assertSame(answered.get(0), intent("g-2"));
        assertSame(answered.get(1), intent("g-1"));
        assertSame(answered.get(2), intent("g-3"));
        assertSame(stored("g-1"), intent("g-1"));
        assertSame(stored("g-3"), intent("g-3"));
    }

    @Test
    void ofTheSameIdTwiceAtOnceTheFirstCounts() {
        List<Intent> answered =
                Await.result(store.begin(List.of(intent("g-1", "room", 3), intent("g-1", "other", 2)), LONG_MS));
        assertSame(answered.get(0), intent("g-1", "room", 3));
        assertSame(answered.get(1), intent("g-1", "room", 3));
    }

    @Test
    void manyAtOnceAreAllThere() {
        List<Intent> many =
                IntStream.range(0, 100).mapToObj(i -> intent("g-" + i)).toList();
        assertThat(Await.result(store.begin(many, LONG_MS))).hasSize(100);
        assertThat(Await.result(otherNode.find(many.stream().map(Intent::key).toList())))
                .hasSize(100);
        assertThat(open()).isEqualTo(100);
    }

    @Test
    @Tag("GIFT-2")
    void theRoomsCommitEndsItsIntents() {
        Await.result(store.begin(
                Stream.of("g-1", "g-2", "g-3", "g-4")
                        .map(GiftStoreContract::intent)
                        .toList(),
                LONG_MS));
        commitAll(
                Batch.of(ROOM, 0, 2)
                        .gift("g-1", Reward.NONE, 0)
                        .commands("c-1")
                        .gift("g-2", Reward.DUE, 50)
                        .gift("g-4", Reward.NONE, 0),
                Batch.of(OTHER, 0, 2).gift("g-3", Reward.DRAWING, 0));
        assertThat(Stream.of("g-1", "g-2", "g-3", "g-4").map(id -> stored(id).state()))
                .containsOnly(State.COMMITTED);
        assertThat(Stream.of("g-1", "g-2", "g-3", "g-4").map(id -> stored(id).reward()))
                .containsExactly(Reward.NONE, Reward.DUE, Reward.DRAWING, Reward.NONE);
        assertThat(stored("g-2").rewardCoins()).isEqualTo(50);
        assertThat(stored("g-2").rewardLate()).isFalse();
        assertThat(open()).isEqualTo(2);
        assertThat(Await.result(store.claimDue(10, LONG_MS, LONG_MS))).isEmpty();
    }

    /** And nothing of the whole transaction is there: not the rooms beside it, and no row of the log. */
    @Test
    @Tag("GIFT-2")
    void aCommitWithAGiftThatWasGivenUpWritesNothing() {
        begin("g-1", LONG_MS);
        begin("g-2", LONG_MS);
        assertThat(Await.result(otherNode.giveUp(new GiftKey("app", "g-2"), LONG_MS)))
                .contains(State.VOIDING);
        GroupOutcome outcome = commit(
                Batch.of(ROOM, 0, 2).gift("g-1", Reward.NONE, 0).gift("g-2", Reward.NONE, 0),
                Batch.of(OTHER, 0, 2).commands("c-1"));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        GroupOutcome.RolledBack.class,
                        undone -> assertThat(undone.cause()).isEqualTo(Cause.GIFT_GONE));
        assertThat(stored("g-1").state()).isEqualTo(State.INTENT);
        assertThat(database().log(ROOM)).isEmpty();
        assertThat(database().log(OTHER)).isEmpty();
        commitAll(
                Batch.of(ROOM, 0, 2).gift("g-1", Reward.NONE, 0),
                Batch.of(OTHER, 0, 2).commands("c-1"));
    }

    @Test
    @Tag("GIFT-2")
    void aGiftWithARewardThatWasGivenUpIsNotCommittedEither() {
        begin("g-1", LONG_MS);
        Await.result(store.giveUp(new GiftKey("app", "g-1"), LONG_MS));
        assertThat(commit(Batch.of(ROOM, 0, 2).gift("g-1", Reward.DUE, 5))).isInstanceOf(GroupOutcome.RolledBack.class);
        assertThat(commit(Batch.of(ROOM, 0, 2).gift("never-begun", Reward.NONE, 0)))
                .isInstanceOf(GroupOutcome.RolledBack.class);
        assertThat(database().log(ROOM)).isEmpty();
    }

    /** A reason that was there before it. */
    @Test
    void anIdThatIsInTheLogIsADuplicateWhateverItsIntentSays() {
        begin("g-1", LONG_MS);
        commitAll(Batch.of(ROOM, 0, 2).gift("g-1", Reward.NONE, 0));
        assertThat(commit(Batch.of(ROOM, 1, 2).gift("g-1", Reward.NONE, 0)))
                .isInstanceOfSatisfying(
                        GroupOutcome.RolledBack.class,
                        undone -> assertThat(undone.cause()).isEqualTo(Cause.DUPLICATE_KEY));
    }

    @Test
    @Tag("GIFT-2")
    void whatIsCommittedIsNeverGivenUp() {
        begin("g-1", NO_TIME_MS);
        commitAll(Batch.of(ROOM, 0, 2).gift("g-1", Reward.NONE, 0));
        assertThat(Await.result(store.giveUp(new GiftKey("app", "g-1"), LONG_MS)))
                .contains(State.COMMITTED);
        assertThat(Await.result(store.claimDue(10, LONG_MS, LONG_MS))).isEmpty();
        Await.result(store.voided(new GiftKey("app", "g-1")));
        assertThat(stored("g-1").state()).isEqualTo(State.COMMITTED);
        assertThat(Await.result(store.giveUp(new GiftKey("app", "g-2"), LONG_MS)))
                .isEmpty();
    }

    @Test
    @Tag("GIFT-2")
    void whatIsDueIsGivenUpByWhoeverClaimsItAndIsOnesAtATime() {
        begin("g-1", NO_TIME_MS);
        begin("g-2", LONG_MS);
        Intent claimed = Await.result(store.claimDue(10, LONG_MS, LONG_MS)).get(0);
        assertThat(claimed.key().commandId()).isEqualTo("g-1");
        assertThat(claimed.state()).isEqualTo(State.VOIDING);
        assertThat(stored("g-1").state()).isEqualTo(State.VOIDING);
        assertThat(stored("g-2").state()).isEqualTo(State.INTENT);
        assertThat(Await.result(otherNode.claimDue(10, LONG_MS, LONG_MS))).isEmpty();
        Await.result(store.voided(claimed.key()));
        assertThat(stored("g-1").state()).isEqualTo(State.VOIDED);
        assertThat(open()).isEqualTo(1);
    }

    /** B31: what was claimed by a node that died is due again, and again. */
    @Test
    @Tag("B31")
    void whatWasClaimedAndNotEndedIsDueAgain() {
        begin("g-1", NO_TIME_MS);
        for (int i = 0; i < 3; i++) {
            assertThat(Await.result(store.claimDue(10, NO_TIME_MS, NO_TIME_MS))).hasSize(1);
        }
        assertThat(Await.result(store.claimDue(10, LONG_MS, LONG_MS))).hasSize(1);
        assertThat(Await.result(store.claimDue(10, LONG_MS, LONG_MS))).isEmpty();
    }

    @Test
    void noMoreAreClaimedThanWereAskedFor() {
        for (int i = 0; i < 5; i++) {
            begin("g-" + i, NO_TIME_MS);
        }
        assertThat(Await.result(store.claimDue(3, LONG_MS, LONG_MS))).hasSize(3);
        assertThat(Await.result(store.claimDue(3, LONG_MS, LONG_MS))).hasSize(2);
    }

    @Test
    @Tag("GIFT-6")
    void aRewardIsDrawnAndPaidOnce() {
        for (String id : List.of("g-1", "g-2")) {
            begin(id, LONG_MS);
        }
        commitAll(Batch.of(ROOM, 0, 2).gift("g-1", Reward.DRAWING, 0).gift("g-2", Reward.DRAWING, 0));
        GiftKey nothing = new GiftKey("app", "g-1");
        GiftKey something = new GiftKey("app", "g-2");
        Await.result(store.drawn(nothing, 0, LONG_MS));
        Await.result(store.drawn(something, 70, NO_TIME_MS));
        assertThat(stored("g-1").reward()).isEqualTo(Reward.NONE);
        assertThat(stored("g-2").reward()).isEqualTo(Reward.DUE);
        assertThat(stored("g-2").rewardLate()).isTrue();
        assertThat(open()).isEqualTo(1);
        Intent due = Await.result(store.claimDue(10, LONG_MS, LONG_MS)).get(0);
        assertThat(due.state()).isEqualTo(State.COMMITTED);
        assertThat(due.rewardCoins()).isEqualTo(70);
        assertThat(due.rewardLate()).isTrue();
        Await.result(store.rewardPaid(something));
        Await.result(store.drawn(something, 80, LONG_MS));
        assertThat(stored("g-2").reward()).isEqualTo(Reward.PAID);
        assertThat(stored("g-2").rewardCoins()).isEqualTo(70);
        assertThat(open()).isZero();
    }

    private boolean refused(String commandId, int most) {
        return Await.result(store.refused(new GiftKey("app", commandId), most, "no \ud83c\udf89".repeat(100)));
    }

    @Test
    @Tag("GIFT-2")
    void aRefundThatIsRefusedToTheLastIsParkedAndAnOperatorPutsItBack() {
        begin("g-1", NO_TIME_MS);
        begin("g-2", LONG_MS);
        for (int i = 1; i <= 3; i++) {
            assertThat(Await.result(store.claimDue(10, NO_TIME_MS, NO_TIME_MS))).hasSize(1);
            assertThat(refused("g-1", 3)).as("refusal %d", i).isEqualTo(i == 3);
        }
        assertThat(Await.result(store.unsettled())).isEqualTo(new Unsettled(1, 1));
        assertThat(Await.result(otherNode.claimDue(10, LONG_MS, LONG_MS))).isEmpty();
        assertThat(stored("g-1").state()).isEqualTo(State.VOIDING);
        assertThat(refused("g-1", 3)).as("parked again").isFalse();

        database().putParkedGiftBack(new GiftKey("app", "g-2"));
        assertThat(Await.result(store.unsettled())).as("it is not parked").isEqualTo(new Unsettled(1, 1));
        database().putParkedGiftBack(new GiftKey("app", "g-1"));

        assertThat(Await.result(store.unsettled())).isEqualTo(new Unsettled(2, 0));
        assertThat(Await.result(store.claimDue(10, LONG_MS, LONG_MS))).hasSize(1);
        assertThat(refused("g-1", 3)).as("it has all its refusals again").isFalse();
        Await.result(store.voided(new GiftKey("app", "g-1")));
        assertThat(stored("g-1").state()).isEqualTo(State.VOIDED);
        assertThat(Await.result(store.unsettled())).isEqualTo(new Unsettled(1, 0));
    }

    @Test
    @Tag("GIFT-6")
    void aCreditThatIsRefusedIsParkedAndMayBePaidAllTheSame() {
        begin("g-1", LONG_MS);
        commitAll(Batch.of(ROOM, 0, 2).gift("g-1", Reward.DUE, 50));
        assertThat(refused("g-1", 1)).isTrue();
        assertThat(Await.result(store.unsettled())).isEqualTo(new Unsettled(0, 1));
        Await.result(store.rewardPaid(new GiftKey("app", "g-1")));
        assertThat(stored("g-1").reward()).isEqualTo(Reward.PAID);
        assertThat(Await.result(store.unsettled())).isEqualTo(new Unsettled(0, 0));
    }

    /** A refusal that was on its way when somebody else had settled it. */
    @Test
    void whatIsOverOrNotAskedForIsNotParked() {
        begin("intent", LONG_MS);
        begin("drawing", LONG_MS);
        begin("voided", LONG_MS);
        commitAll(Batch.of(ROOM, 0, 2).gift("drawing", Reward.DRAWING, 0));
        Await.result(store.giveUp(new GiftKey("app", "voided"), LONG_MS));
        Await.result(store.voided(new GiftKey("app", "voided")));
        assertThat(Stream.of("intent", "drawing", "voided", "never-begun").map(id -> refused(id, 1)))
                .containsOnly(false);
        assertThat(Await.result(store.unsettled())).isEqualTo(new Unsettled(2, 0));
    }
}
