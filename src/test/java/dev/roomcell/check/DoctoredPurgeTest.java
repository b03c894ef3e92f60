package dev.roomcell.check;

import static dev.roomcell.check.Invariant.I1;
import static dev.roomcell.check.Invariant.I11;
import static dev.roomcell.check.Invariant.I2;
import static dev.roomcell.check.Invariant.I3;
import static dev.roomcell.check.Invariant.I8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.SnapshotStore.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The beginning of the log is gone, as a purge leaves it: versions 1 to 4; there are snapshots of 6 and 8. */
@Tag("LOG-1")
final class DoctoredPurgeTest {
    private static final int PURGED = 4;

    private final Doctored room = Doctored.room();

    private void purge(int versions) {
        room.stored.log.subList(0, versions).clear();
    }

    private List<Violation> check(Purged purged) {
        return new HistoryChecker(LivedRoom.CODEC, purged).check(room.stored.history(), room.acks);
    }

    private List<Violation> check() {
        return check(new Purged(Long.MIN_VALUE, Long.MAX_VALUE));
    }

    private void isRefused(String told, Invariant broken) {
        List<Violation> violations = check();
        assertThat(violations)
                .extracting(Violation::invariant)
                .as("%s", violations)
                .contains(broken);
        assertThat(violations)
                .extracting(Violation::message)
                .anySatisfy(message -> assertThat(message).contains(told));
    }

    private void damage(int snapshot) {
        Snapshot stored = room.stored.snapshots.get(snapshot);
        byte[] state = stored.state().clone();
        state[0] ^= 1;
        room.stored.snapshots.set(
                snapshot, new Snapshot(stored.version(), stored.atMs(), state, stored.checksum(), stored.lastSeen()));
    }

    @Test
    void aPurgedRoomIsRight() {
        for (int version = 1; version <= 6; version++) {
            purge(1);
            assertThat(check()).as("first kept: %d", version + 1).isEmpty();
        }
    }

    @Test
    void aClosedRoomThatWasPurgedIsRight() {
        Doctored closed = Doctored.closedRoom();
        closed.stored.log.subList(0, 6).clear();
        assertThat(new HistoryChecker(LivedRoom.CODEC, Purged.before(Long.MAX_VALUE))
                        .check(closed.stored.history(), closed.acks))
                .isEmpty();
    }

    @Test
    void aRoomThatIsTooYoungMayMissNothing() {
        purge(PURGED);
        long madeAtMs = LivedRoom.CODEC
                .decodeState(Doctored.ROOM, room.stored.snapshots.get(0))
                .createdAtMs();
        assertThat(check(new Purged(Long.MIN_VALUE, madeAtMs)))
                .extracting(Violation::invariant)
                .contains(I1, I3, I8);
        assertThat(check(new Purged(Long.MIN_VALUE, madeAtMs + 1))).isEmpty();
    }

    @Test
    void moreIsGoneThanTwoSnapshotsCover() {
        purge(PURGED + 3);
        isRefused("versions 1 to 7 are missing", I1);
    }

    @Test
    void oneSnapshotIsNotEnough() {
        purge(PURGED);
        room.stored.snapshots.remove(0);
        isRefused("versions 1 to 4 are missing", I1);
    }

    @Test
    void theSnapshotThatItBeginsBehindIsDamaged() {
        purge(PURGED);
        damage(0);
        isRefused("the snapshot of version 6: it can't be read: the checksum", I2);
        assertThat(check()).hasSize(1);
    }

    @Test
    void bothSnapshotsAreDamaged() {
        purge(PURGED);
        damage(0);
        damage(1);
        isRefused("versions 1 to 4 are missing", I1);
    }

    @Test
    void aRowBeforeTheSnapshotIsMissing() {
        purge(PURGED - 1);
        room.stored.log.remove(1);
        isRefused("version 5 is missing", I1);
    }

    @Test
    void aRowBehindTheSnapshotIsMissing() {
        purge(PURGED);
        room.stored.log.remove(2);
        isRefused("version 7 is missing", I1);
    }

    @Test
    void whatFollowsTheSnapshotIsDecidedAgain() {
        purge(PURGED);
        byte[] other = room.stored.version(8).result();
        room.stored.editLog(7, row -> row.result = other);
        isRefused("version 7: the logged result is not", I2);
    }

    @Test
    void whoIsPresentIsCountedFromTheSnapshotOn() {
        room.happened(7, new Presence.RoomUserJoined("dora", Presence.MemberKind.USER, 5));
        purge(PURGED);
        isRefused("version 7: dora joins, and is present already", I11);
    }

    /** PRES-7: a sign of life is in the snapshot of an owner; the next one took over before it was there, and never knew. */
    @Test
    void whatOnlyTheSnapshotKnowsIsNothingToDecideBy() {
        LivedRoom lived = new LivedRoom(Doctored.ROOM).loaded("node-a");
        lived.asks(new Lifecycle.CreateRoom("olga", LivedRoom.PROFILE, 3));
        lived.asks(new Presence.JoinRoom("olga"));
        lived.asks(new Presence.JoinRoom("ben"));
        lived.commits();
        RoomState joined = lived.state();
        lived.after(60_000).loaded("node-b");
        lived.asks(new Presence.SweepStale(List.of(
                new Presence.Silent("ben", 3, joined.member("ben").orElseThrow().lastSeenAtMs()))));
        lived.commits().snapshot();
        StoredRoom stored = lived.stored();
        long seenAtMs = joined.createdAtMs() + 30_000;
        stored.snapshots.add(0, LivedRoom.CODEC.encodeState(Presence.seen(joined, "ben", seenAtMs), seenAtMs));
        stored.log.subList(0, 2).clear();

        assertThat(stored.log).hasSize(2);
        assertThat(new HistoryChecker(LivedRoom.CODEC, Purged.before(Long.MAX_VALUE))
                        .check(stored.history(), lived.acks()))
                .isEmpty();
    }

    @Test
    void theSnapshotAfterItIsHeldAgainstTheReplay() {
        purge(PURGED);
        Snapshot of8 = room.stored.snapshots.get(1);
        room.stored.snapshots.set(1, Snapshot.of(7, of8.atMs(), of8.state(), of8.lastSeen()));
        isRefused("the snapshot of version 7: it can't be read: ", I2);
    }

    @Test
    void whatIsLeftOfTheOutboxIsHeldAgainstTheLog() {
        purge(PURGED);
        room.stored.outbox.removeIf(row -> row.version() == 6);
        isRefused("version 6 event 0: ROOM_USER_JOINED is not in the outbox", I8);
    }

    @Test
    void anAcknowledgementOfWhatIsLeftMustBeInTheLog() {
        purge(PURGED);
        room.stored.editLog(6, row -> row.commandId = "another");
        isRefused("was acknowledged with version 6, and is not in the log", I3);
    }
}
