package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.OutboxStore.Claim;
import dev.roomcell.port.OutboxStore.ClaimRequest;
import dev.roomcell.port.OutboxStore.End;
import dev.roomcell.port.OutboxStore.FactId;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.sim.MemoryOutbox.DeliveryFields;
import dev.roomcell.sim.MemoryOutbox.Status;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may deliver which fact, and when. */
abstract class OutboxStoreContract extends OutboxScene {
    @Test
    @Tag("OUT-1")
    void aClaimGivesWhatWasCommittedInOrder() {
        Await.result(database().node().commands().insertCreating(ROOM, 1));
        Batch batch = Batch.of(ROOM, 0, 1)
                .row(Batch.row(1, "c-1", "user-1", List.of(Batch.fact(0, "c-1"), Batch.fact(2, "c-1"))))
                .row(Batch.row(2, "c-2"));
        Await.result(database().node().commands().commit(List.of(batch.done()), true));

        Claim claim = claim(store, "w1", "t1", MANY);

        assertThat(ids(claim)).containsExactly(new FactId(ROOM, 1, 0), new FactId(ROOM, 1, 2), new FactId(ROOM, 2, 0));
        Fact second = Batch.fact(2, "c-1");
        assertThat(claim.rows().get(1).envelope()).isEqualTo(second.envelope());
        assertThat(claim.rows().get(1).type()).isEqualTo(second.type());
        assertThat(claim.rows().get(1).attempts()).isZero();
        assertThat(database().deliveries(ROOM).values())
                .extracting(DeliveryFields::status)
                .containsOnly(Status.DELIVERING);
    }

    @Test
    @Tag("OUT-2")
    void whatIsClaimedIsNobodysUntilTheClaimHasRunOut() {
        List<FactId> facts = facts(ROOM, 2);
        assertThat(claim("t1", MANY)).isEqualTo(facts);
        assertThat(claim("t2", MANY)).isEmpty();
        database().letOutboxTimePass(CLAIM_MS - 5_000);
        assertThat(claim("t3", MANY)).isEmpty();
        database().letOutboxTimePass(5_000);
        assertThat(claim("t4", MANY)).isEqualTo(facts);
    }

    /** B77. */
    @Test
    @Tag("OUT-2")
    void aFinishUnderAnOldClaimChangesNothing() {
        FactId fact = facts(ROOM, 1).get(0);
        claim("old", MANY);
        database().letOutboxTimePass(CLAIM_MS);
        assertThat(claim("new", MANY)).containsExactly(fact);

        assertThat(delivered("old", fact)).isZero();
        assertThat(finish("old", End.RETRY, 1, "late", fact)).isZero();
        assertThat(finish("old", End.PARKED, 0, "late", fact)).isZero();

        assertThat(row(fact).status()).isEqualTo(Status.DELIVERING);
        assertThat(row(fact).attempts()).isZero();
        assertThat(delivered("new", fact)).isEqualTo(1);
        assertThat(delivered("new", fact)).as("said again").isZero();
        assertThat(row(fact).status()).isEqualTo(Status.DELIVERED);
    }

    @Test
    @Tag("OUT-3")
    void whatIsDeliveredIsNeverClaimedAgain() {
        List<FactId> facts = facts(ROOM, 3);
        claim("t1", MANY);
        assertThat(delivered("t1", facts.toArray(FactId[]::new))).isEqualTo(3);
        database().letOutboxTimePass(10 * CLAIM_MS);
        held = Await.result(store.lease("w1", LEASE_MS));
        assertThat(claim("t2", MANY)).isEmpty();
    }

    @Test
    @Tag("OUT-4")
    void whatWasRefusedIsDueAgainAfterItsDelayWithItsErrorAndItsEnvelope() {
        FactId fact = facts(ROOM, 1).get(0);
        claim("t1", MANY);
        assertThat(finish("t1", End.RETRY, 20_000, "too blue 💙", fact)).isEqualTo(1);
        assertThat(row(fact).status()).isEqualTo(Status.RETRYABLE);
        assertThat(row(fact).lastError()).isEqualTo("too blue 💙");
        database().letOutboxTimePass(15_000);
        assertThat(claim("t2", MANY)).isEmpty();
        database().letOutboxTimePass(5_000);
        Claim again = claim(store, "w1", "t3", MANY);
        assertThat(ids(again)).containsExactly(fact);
        assertThat(again.rows().get(0).attempts()).isEqualTo(1);
        assertThat(again.rows().get(0).envelope())
                .isEqualTo(Batch.fact(0, "c-1").envelope());
    }

    @Test
    @Tag("OUT-4")
    void anErrorIsKeptUpToItsLimit() {
        FactId fact = facts(ROOM, 1).get(0);
        claim("t1", MANY);
        finish("t1", End.RETRY, 1, "é".repeat(OutboxStore.ERROR_CHARS + 1), fact);
        assertThat(row(fact).lastError()).isEqualTo("é".repeat(OutboxStore.ERROR_CHARS));
    }

    /** B75: an outage counts for nothing, and forgets no reason. */
    @Test
    @Tag("OUT-4")
    void whatIsPutBackHasLostNoAttempt() {
        FactId fact = facts(ROOM, 1).get(0);
        claim("t1", MANY);
        finish("t1", End.RETRY, 1, "refused", fact);
        database().letOutboxTimePass(1_000);
        assertThat(claim("t2", MANY)).containsExactly(fact);
        assertThat(finish("t2", End.PUT_BACK, 0, "", fact)).isEqualTo(1);
        assertThat(row(fact).attempts()).isEqualTo(1);
        assertThat(row(fact).lastError()).isEqualTo("refused");
        assertThat(claim("t3", MANY)).containsExactly(fact);
    }

    /** B76. */
    @Test
    @Tag("OUT-6")
    void nothingOvertakesWhatItsRoomHasInFront() {
        List<FactId> facts = facts(ROOM, 3);
        assertThat(claim("t1", 1)).containsExactly(facts.get(0));
        assertThat(claim("t2", MANY)).as("while it is delivered").isEmpty();
        finish("t1", End.RETRY, 20_000, "refused", facts.get(0));
        List<FactId> later = facts(ROOM, 2);
        assertThat(claim("t3", MANY)).as("while it waits").isEmpty();
        database().letOutboxTimePass(CLAIM_MS);
        List<FactId> all = new ArrayList<>(facts);
        all.addAll(later);
        assertThat(claim("t4", MANY)).isEqualTo(all);
    }

    /** B74. */
    @Test
    @Tag("OUT-6")
    void aBlockedRoomWithManyRowsIsInNobodysWay() {
        List<FactId> blocked = facts(ROOM, 40);
        assertThat(claim("t1", 1)).containsExactly(blocked.get(0));
        finish("t1", End.RETRY, 20_000, "refused", blocked.get(0));
        RoomKey neighbour = neighbourOf(ROOM);
        List<FactId> others = facts(neighbour, 3);

        List<FactId> claimed = new ArrayList<>();
        for (int look = 0; look < 40 && claimed.size() < others.size(); look++) {
            List<FactId> some = claim("look-" + look, 4);
            claimed.addAll(some);
            delivered("look-" + look, some.toArray(FactId[]::new));
        }
        assertThat(claimed).isEqualTo(others);
        long headDueMs = row(blocked.get(0)).dueMs();
        assertThat(blocked).allSatisfy(id -> assertThat(row(id).dueMs()).isEqualTo(headDueMs));
        assertThat(claim(store, "w1", "t2", 4)).isEqualTo(new Claim(List.of(), false));
    }

    /** Another room of the same partition. */
    private static RoomKey neighbourOf(RoomKey key) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> new RoomKey("app", "neighbour-" + i))
                .filter(room -> OutboxStore.partitionOf(room) == OutboxStore.partitionOf(key))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("OUT-6")
    void whatIsParkedLetsItsRoomGoOn() {
        List<FactId> facts = facts(ROOM, 2);
        claim("t1", 1);
        assertThat(finish("t1", End.PARKED, 0, "for the last time", facts.get(0)))
                .isEqualTo(1);
        assertThat(row(facts.get(0)).status()).isEqualTo(Status.FAILED);
        assertThat(row(facts.get(0)).attempts()).isEqualTo(1);
        assertThat(row(facts.get(0)).lastError()).isEqualTo("for the last time");
        assertThat(database().outbox(ROOM).get(0).fact().envelope())
                .isEqualTo(Batch.fact(0, "c-1").envelope());
        assertThat(claim("t2", MANY)).containsExactly(facts.get(1));
        database().letOutboxTimePass(CLAIM_MS);
        assertThat(claim("t3", MANY)).containsExactly(facts.get(1));
    }

    @Test
    @Tag("OUT-6")
    void whatIsDueOnBothSidesOfAParkedFactIsClaimedInOrder() {
        List<FactId> facts = facts(ROOM, 4);
        assertThat(claim("t1", MANY)).isEqualTo(facts);
        finish("t1", End.PUT_BACK, 0, "", facts.get(0), facts.get(3));
        finish("t1", End.PARKED, 0, "no", facts.get(1), facts.get(2));
        assertThat(claim("t2", MANY)).containsExactly(facts.get(0), facts.get(3));
    }

    /** B85: the facts of a transaction that commits later are found, whatever their numbers. */
    @Test
    void factsThatAreCommittedLaterAreFoundHoweverSmallTheirVersion() {
        List<FactId> many = facts(ROOM, 30);
        assertThat(claim("t1", MANY)).isEqualTo(many);
        List<FactId> few = facts(new RoomKey("aaa", "a"), 1);
        assertThat(claim("t2", MANY)).isEqualTo(few);
    }

    @Test
    @Tag("OUT-6")
    void aClaimTakesNoMoreThanItsLimitAndSaysThatThereIsMore() {
        List<FactId> facts = facts(ROOM, 5);
        Claim first = claim(store, "w1", "t1", 3);
        assertThat(ids(first)).isEqualTo(facts.subList(0, 3));
        assertThat(first.more()).isTrue();
        delivered("t1", facts.subList(0, 3).toArray(FactId[]::new));
        Claim second = claim(store, "w1", "t2", 3);
        assertThat(ids(second)).isEqualTo(facts.subList(3, 5));
        assertThat(second.more()).isFalse();
    }

    @Test
    void everyPartitionGetsItsTurn() {
        List<FactId> facts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            facts.addAll(facts(new RoomKey("app", "room-" + i), 3));
        }
        Set<FactId> claimed = new HashSet<>();
        for (int look = 0; look < 100 && claimed.size() < facts.size(); look++) {
            Claim claim = claim(store, "w1", "look-" + look, 16);
            assertThat(claim.rows()).hasSizeLessThanOrEqualTo(16).isNotEmpty();
            claimed.addAll(ids(claim));
            assertThat(claim.more() || claimed.size() == facts.size()).isTrue();
            delivered("look-" + look, ids(claim).toArray(FactId[]::new));
        }
        assertThat(claimed).containsExactlyInAnyOrderElementsOf(facts);
    }

    @Test
    @Tag("OUT-6")
    void onlyWhoHoldsAPartitionClaimsInIt() {
        facts(ROOM, 1);
        assertThat(ids(claim(otherNode, "w2", "t1", MANY))).isEmpty();
        database().letOutboxTimePass(LEASE_MS);
        assertThat(claim("t2", MANY)).as("under a lease that has run out").isEmpty();
        assertThat(Await.result(otherNode.lease("w2", LEASE_MS))).hasSize(OutboxStore.PARTITIONS);
        assertThat(ids(claim(otherNode, "w2", "t3", MANY))).hasSize(1);
    }

    @Test
    @Tag("OUT-6")
    void theWorkersThatLiveShareThePartitions() {
        assertThat(held).hasSize(OutboxStore.PARTITIONS);
        assertThat(Await.result(otherNode.lease("w2", LEASE_MS))).isEmpty();
        List<Integer> first = Await.result(store.lease("w1", LEASE_MS));
        List<Integer> second = Await.result(otherNode.lease("w2", LEASE_MS));
        assertThat(first).hasSize(32).isSorted();
        assertThat(second).hasSize(32).isSorted().doesNotContainAnyElementsOf(first);

        Await.result(otherNode.lease("w3", LEASE_MS));
        assertThat(Await.result(store.lease("w1", LEASE_MS))).isEqualTo(first.subList(0, 22));

        Await.result(otherNode.release("w2"));
        Await.result(otherNode.release("w3"));
        assertThat(Await.result(store.lease("w1", LEASE_MS))).hasSize(OutboxStore.PARTITIONS);
    }

    /** B81. */
    @Test
    void whatADeadWorkerHeldIsTakenWhenItsLeaseHasRunOut() {
        Await.result(otherNode.lease("w2", LEASE_MS));
        held = Await.result(store.lease("w1", LEASE_MS));
        List<Integer> others = Await.result(otherNode.lease("w2", LEASE_MS));
        database().letOutboxTimePass(LEASE_MS - 5_000);
        assertThat(Await.result(store.lease("w1", LEASE_MS))).isEqualTo(held);
        database().letOutboxTimePass(5_000);
        List<Integer> all = new ArrayList<>(held);
        all.addAll(others);
        assertThat(Await.result(store.lease("w1", LEASE_MS))).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    @Tag("OUT-7")
    void onlyWhatWasDeliveredLongAgoIsPurgedAFewAtATime() {
        List<FactId> facts = facts(ROOM, 6);
        claim("t1", 5);
        delivered("t1", facts.get(0), facts.get(1));
        database().letOutboxTimePass(10_000);
        finish("t1", End.PARKED, 0, "no", facts.get(2));
        delivered("t1", facts.get(3));
        assertThat(Await.result(store.purge(15_000, 10))).isZero();
        assertThat(Await.result(store.purge(9_000, 1))).isEqualTo(1);
        assertThat(Await.result(store.purge(9_000, 10))).isEqualTo(1);
        assertThat(database().deliveries(ROOM).keySet()).containsExactlyElementsOf(facts.subList(2, 6));
        database().letOutboxTimePass(CLAIM_MS);
        assertThat(Await.result(store.purge(9_000, 10))).isEqualTo(1);
        assertThat(database().deliveries(ROOM).keySet()).containsExactly(facts.get(2), facts.get(4), facts.get(5));
        assertThat(claim("t2", MANY)).as("behind what was purged").isEqualTo(facts.subList(4, 6));
    }

    @Test
    void theBacklogIsWhatIsNotFinishedAndItsAge() {
        List<FactId> facts = facts(ROOM, 3);
        RoomKey other = new RoomKey("app", "b");
        facts(other, 1);
        database().letOutboxTimePass(10_000);
        assertThat(Await.result(store.backlog(held)).rows()).isEqualTo(4);
        assertThat(Await.result(store.backlog(held)).overdueMs()).isBetween(10_000L, 70_000L);
        assertThat(Await.result(store.backlog(List.of(OutboxStore.partitionOf(ROOM))))
                        .rows())
                .isEqualTo(3);
        assertThat(Await.result(store.backlog(List.of())).rows()).isZero();

        claim("t1", MANY);
        delivered("t1", facts.get(0));
        finish("t1", End.PARKED, 0, "no", facts.get(1));
        assertThat(Await.result(store.backlog(held)).rows())
                .as("claimed ones too")
                .isEqualTo(2);
        assertThat(Await.result(store.backlog(held)).overdueMs()).isZero();
    }

    @Test
    @Tag("OUT-2")
    void workersThatClaimAtOnceGetDifferentFacts() {
        List<FactId> facts = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            facts.addAll(facts(new RoomKey("app", "room-" + i), 1));
        }
        List<FactId> claimed = new ArrayList<>();
        for (int look = 0; look < 60; look++) {
            Future<Claim> here = store.claim(new ClaimRequest("w1", "here-" + look, held, 16, CLAIM_MS, true));
            Future<Claim> there = otherNode.claim(new ClaimRequest("w1", "there-" + look, held, 16, CLAIM_MS, true));
            claimed.addAll(ids(Await.result(here)));
            claimed.addAll(ids(Await.result(there)));
        }
        assertThat(claimed).doesNotHaveDuplicates();
        Set<FactId> all = new HashSet<>(claimed);
        database().letOutboxTimePass(CLAIM_MS);
        for (int look = 0; look < 60 && all.size() < facts.size(); look++) {
            all.addAll(ids(claim(store, "w1", "again-" + look, 16)));
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(facts);
    }
}
