package dev.roomcell.contract;

import static dev.roomcell.contract.LeaseBackend.NODE_A;
import static dev.roomcell.contract.LeaseBackend.NODE_B;
import static dev.roomcell.contract.LeaseBackend.TTL_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.LeaseDirectory.Acquisition;
import dev.roomcell.port.LeaseDirectory.Proof;
import dev.roomcell.port.LeaseDirectory.Renew;
import dev.roomcell.port.LeaseDirectory.Renewal;
import dev.roomcell.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who owns a room, for how long, and what proves it. */
abstract class LeaseDirectoryContract {
    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final RoomKey OTHER = new RoomKey("app", "other");
    private static final Acquisition ACQUIRED = new Acquisition.Acquired();
    /** More than a test takes, and less than a renewal gives. */
    private static final long NEARLY_OVER_MS = 60_000;

    private LeaseDirectory a;
    private LeaseDirectory b;

    abstract LeaseBackend backend();

    @BeforeEach
    void takeDirectories() {
        a = backend().nodeA().leases();
        b = backend().nodeB().leases();
    }

    private static Acquisition acquire(LeaseDirectory by, RoomKey key, String token) {
        return Await.result(by.acquire(key, token));
    }

    private static boolean record(LeaseDirectory by, RoomKey key, String token, long epoch) {
        return Await.result(by.recordEpoch(key, token, epoch));
    }

    private static Renewal renew(LeaseDirectory by, RoomKey key, long epoch, String token) {
        return Await.result(by.renew(List.of(new Renew(key, epoch, token)))).get(0);
    }

    private static boolean verify(LeaseDirectory by, RoomKey key, long epoch, String... tokens) {
        return Await.result(by.verify(List.of(new Proof(key, epoch, Set.of(tokens)))))
                .get(0);
    }

    private void own(LeaseDirectory by, RoomKey key, String token, long epoch) {
        assertThat(acquire(by, key, token + "-0")).isEqualTo(ACQUIRED);
        assertThat(record(by, key, token, epoch)).isTrue();
    }

    private void assertFreshTtl(RoomKey key) {
        assertThat(backend().remainingMs(key.routeKey()).orElseThrow()).isBetween(TTL_MS - NEARLY_OVER_MS, TTL_MS);
    }

    private void nearlyOver(RoomKey key) {
        backend().letRemain(key.routeKey(), NEARLY_OVER_MS);
    }

    @Test
    void aFreeRoomIsTakenForOneTimeToLive() {
        assertThat(acquire(a, ROOM, "t-1")).isEqualTo(ACQUIRED);
        assertFreshTtl(ROOM);
        assertThat(verify(a, ROOM, 0, "t-1")).isTrue();
    }

    @Test
    void anotherNodesRoomIsNotTakenAndItsOwnerIsNamed() {
        own(a, ROOM, "t-1", 7);
        nearlyOver(ROOM);
        assertThat(acquire(b, ROOM, "t-2")).isEqualTo(new Acquisition.OwnedBy(NODE_A));
        assertThat(verify(a, ROOM, 7, "t-1")).isTrue();
        assertThat(backend().remainingMs(ROOM.routeKey()).orElseThrow()).isLessThanOrEqualTo(NEARLY_OVER_MS);
    }

    @Test
    void takingOnesOwnRoomAgainRenewsItUnderTheNewTokenAndKeepsTheEpoch() {
        own(a, ROOM, "t-1", 7);
        nearlyOver(ROOM);
        assertThat(acquire(a, ROOM, "t-2")).isEqualTo(ACQUIRED);
        assertFreshTtl(ROOM);
        assertThat(verify(a, ROOM, 7, "t-2")).isTrue();
        assertThat(verify(a, ROOM, 7, "t-1")).isFalse();
    }

    @Test
    void aLeaseThatRanOutIsFreeForAnybodyAndItsEpochIsForgotten() {
        own(a, ROOM, "t-1", 7);
        backend().letRemain(ROOM.routeKey(), 0);
        assertThat(acquire(b, ROOM, "t-2")).isEqualTo(ACQUIRED);
        assertThat(acquire(a, ROOM, "t-3")).isEqualTo(new Acquisition.OwnedBy(NODE_B));
        assertThat(verify(b, ROOM, 0, "t-2")).isTrue();
    }

    @Test
    @Tag("LEASE-2")
    void theRouteKeyIsAppCodeNulAndRoomIdAndThereIsNoOther() {
        acquire(a, new RoomKey("app", "room"), "t-1");
        acquire(a, new RoomKey("default", "room"), "t-2");
        assertThat(backend().keys()).containsExactly("app\0room", "default\0room");
    }

    @Test
    @Tag("LEASE-2")
    void idsThatDifferInAnyByteHaveRoutesOfTheirOwn() {
        List<RoomKey> keys = List.of(
                new RoomKey("ab", "c"),
                new RoomKey("a", "bc"),
                new RoomKey("a", "Bc"),
                new RoomKey("a", "bc "),
                new RoomKey("a", "b\u00e7"),
                new RoomKey("a", "bc\ud83d\ude00"),
                new RoomKey("a", "bc\ud83d\ude01"));
        for (RoomKey key : keys) {
            assertThat(acquire(a, key, "t-" + key)).isEqualTo(ACQUIRED);
        }
        assertThat(backend().keys()).hasSize(keys.size());
        for (RoomKey key : keys) {
            assertThat(verify(a, key, 0, "t-" + key)).isTrue();
        }
    }

    @Test
    void aMintedEpochIsRecordedUnderItsTokenAndRenewsTheLease() {
        acquire(a, ROOM, "t-1");
        nearlyOver(ROOM);
        assertThat(record(a, ROOM, "t-2", 7)).isTrue();
        assertFreshTtl(ROOM);
        assertThat(verify(a, ROOM, 7, "t-2")).isTrue();
        assertThat(verify(a, ROOM, 7, "t-1")).isFalse();
        assertThat(verify(a, ROOM, 0, "t-2")).isFalse();
    }

    @Test
    void anEpochThatIsNotNewerIsNotRecorded() {
        own(a, ROOM, "t-1", 10);
        assertThat(record(a, ROOM, "t-2", 10)).isFalse();
        assertThat(record(a, ROOM, "t-3", 9)).isFalse();
        assertThat(verify(a, ROOM, 10, "t-1")).isTrue();
        assertThat(record(a, ROOM, "t-4", 11)).isTrue();
        assertThat(record(a, ROOM, "t-5", Long.MAX_VALUE >> 10)).isTrue();
        assertThat(verify(a, ROOM, Long.MAX_VALUE >> 10, "t-5")).isTrue();
    }

    @Test
    void noEpochIsRecordedForALeaseThatIsGoneOrAnothers() {
        assertThat(record(a, ROOM, "t-1", 7)).isFalse();
        assertThat(backend().keys()).isEmpty();
        own(b, ROOM, "t-2", 7);
        assertThat(record(a, ROOM, "t-3", 8)).isFalse();
        assertThat(verify(b, ROOM, 7, "t-2")).isTrue();
    }

    @Test
    @Tag("LEASE-16")
    void aRenewalAsksForNodeAndEpochNotForTheTokenAndRotatesIt() {
        own(a, ROOM, "t-1", 7);
        nearlyOver(ROOM);
        assertThat(renew(a, ROOM, 7, "t-2")).isEqualTo(Renewal.KEPT);
        assertThat(renew(a, ROOM, 7, "t-3")).isEqualTo(Renewal.KEPT);
        assertFreshTtl(ROOM);
        assertThat(verify(a, ROOM, 7, "t-2")).isFalse();
        assertThat(verify(a, ROOM, 7, "t-3")).isTrue();
    }

    @Test
    @Tag("LEASE-16")
    void aLeaseThatIsAbsentIsNotTakenByARenewal() {
        assertThat(renew(a, ROOM, 7, "t-1")).isEqualTo(Renewal.ABSENT);
        own(a, ROOM, "t-2", 7);
        backend().letRemain(ROOM.routeKey(), 0);
        assertThat(renew(a, ROOM, 7, "t-3")).isEqualTo(Renewal.ABSENT);
        assertThat(backend().keys()).isEmpty();
    }

    @Test
    @Tag("LEASE-16")
    void aLeaseOfAnotherNodeOrEpochIsLostAndStaysAsItIs() {
        own(b, ROOM, "t-1", 7);
        nearlyOver(ROOM);
        assertThat(renew(a, ROOM, 7, "t-2")).isEqualTo(Renewal.LOST);
        assertThat(renew(b, ROOM, 6, "t-3")).isEqualTo(Renewal.LOST);
        assertThat(renew(b, ROOM, 8, "t-4")).isEqualTo(Renewal.LOST);
        assertThat(verify(b, ROOM, 7, "t-1")).isTrue();
        assertThat(backend().remainingMs(ROOM.routeKey()).orElseThrow()).isLessThanOrEqualTo(NEARLY_OVER_MS);
    }

    @Test
    void manyLeasesAreRenewedInOneCallEachWithItsOwnAnswer() {
        List<Renew> wishes = new ArrayList<>();
        List<Renewal> expected = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            RoomKey key = new RoomKey("app", "room-" + i);
            switch (i % 3) {
                case 0 -> {
                    own(a, key, "t-" + i, i + 1);
                    expected.add(Renewal.KEPT);
                }
                case 1 -> {
                    own(b, key, "t-" + i, i + 1);
                    expected.add(Renewal.LOST);
                }
                default -> expected.add(Renewal.ABSENT);
            }
            wishes.add(new Renew(key, i + 1, "new-" + i));
        }
        assertThat(Await.result(a.renew(wishes))).isEqualTo(expected);
        List<Proof> proofs = wishes.stream()
                .map(wish -> new Proof(wish.key(), wish.epoch(), Set.of(wish.newToken())))
                .toList();
        List<Boolean> kept = expected.stream().map(Renewal.KEPT::equals).toList();
        assertThat(Await.result(a.verify(proofs))).isEqualTo(kept);
    }

    @Test
    void noLeasesAreRenewedAndVerifiedToo() {
        assertThat(Await.result(a.renew(List.of()))).isEmpty();
        assertThat(Await.result(a.verify(List.of()))).isEmpty();
    }

    @Test
    @Tag("LEASE-16")
    void theConfirmedTokenProvesTheLeaseAndSoDoesOneThatWasSentAndNotConfirmed() {
        own(a, ROOM, "confirmed", 7);
        assertThat(verify(a, ROOM, 7, "confirmed", "sent")).isTrue();
        // The renewal took effect, its answer was lost.
        renew(a, ROOM, 7, "sent");
        assertThat(verify(a, ROOM, 7, "confirmed", "sent")).isTrue();
        assertThat(verify(a, ROOM, 7, "confirmed")).isFalse();
    }

    @Test
    @Tag("LEASE-16")
    void aWrongNodeEpochOrTokenProvesNothing() {
        own(a, ROOM, "token", 7);
        assertThat(verify(b, ROOM, 7, "token")).isFalse();
        assertThat(verify(a, ROOM, 6, "token")).isFalse();
        assertThat(verify(a, ROOM, 8, "token")).isFalse();
        assertThat(verify(a, ROOM, 7, "toke", "token-2", "TOKEN", "oken")).isFalse();
        assertThat(verify(a, OTHER, 7, "token")).isFalse();
        assertThat(verify(a, ROOM, 7, "token")).isTrue();
    }

    @Test
    @Tag("LEASE-7")
    void aLeaseThatRanOutProvesNothing() {
        own(a, ROOM, "token", 7);
        backend().letRemain(ROOM.routeKey(), 0);
        assertThat(verify(a, ROOM, 7, "token")).isFalse();
    }

    @Test
    void verifyingKeepsNoLeaseAlive() {
        own(a, ROOM, "token", 7);
        nearlyOver(ROOM);
        verify(a, ROOM, 7, "token");
        assertThat(backend().remainingMs(ROOM.routeKey()).orElseThrow()).isLessThanOrEqualTo(NEARLY_OVER_MS);
    }

    @Test
    void aReleasedRoomIsFreeAtOnce() {
        own(a, ROOM, "t-1", 7);
        Await.result(a.release(ROOM, 7));
        assertThat(backend().keys()).isEmpty();
        assertThat(acquire(b, ROOM, "t-2")).isEqualTo(ACQUIRED);
    }

    @Test
    void onlyTheOwnerReleasesARoomAndOnlyUnderItsEpoch() {
        own(a, ROOM, "t-1", 7);
        Await.result(b.release(ROOM, 7));
        Await.result(a.release(ROOM, 6));
        Await.result(a.release(ROOM, 8));
        assertThat(verify(a, ROOM, 7, "t-1")).isTrue();
        Await.result(a.release(OTHER, 7));
        assertThat(backend().keys()).containsExactly(ROOM.routeKey());
    }
}
