package dev.roomcell.check;

import static dev.roomcell.check.Invariant.I2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Presence.Member;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.SnapshotStore.Snapshot;
import io.vavr.collection.Map;
import io.vavr.collection.Vector;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The snapshot of version 6, field by field, and snapshots of versions that are not there. */
final class DoctoredSnapshotTest {
    private final Doctored room = Doctored.room();
    private final RoomState right = room.stateAt(6);

    private void snapshot(RoomState state) {
        snapshot(LivedRoom.CODEC.encodeState(state, 1));
    }

    private void snapshot(Snapshot snapshot) {
        room.stored.snapshots.set(0, snapshot);
    }

    private static RoomState with(RoomState state, Map<String, Member> members) {
        return new RoomState(
                state.key(),
                state.version(),
                state.status(),
                state.profile(),
                state.createdAtMs(),
                state.closedAtMs(),
                members,
                state.robots(),
                state.seats(),
                state.houseRules(),
                state.board(),
                Optional.empty());
    }

    private static RoomState with(
            RoomState state, Profile profile, long createdAtMs, long closedAtMs, Vector<MicSeats.Seat> seats) {
        return new RoomState(
                state.key(),
                state.version(),
                state.status(),
                profile,
                createdAtMs,
                closedAtMs,
                state.members(),
                state.robots(),
                seats,
                state.houseRules(),
                state.board(),
                Optional.empty());
    }

    @Test
    void damaged() {
        Snapshot stored = room.stored.snapshots.get(0);
        byte[] state = stored.state().clone();
        state[0] ^= 1;
        snapshot(new Snapshot(stored.version(), stored.atMs(), state, stored.checksum(), stored.lastSeen()));
        room.isRefused("the snapshot of version 6: it can't be read: the checksum", I2);
    }

    @Test
    void withoutAUser() {
        snapshot(with(right, right.members().remove("dora")));
        room.isRefused("the snapshot of version 6: members", I2);
    }

    @Test
    void withAUserTooMany() {
        snapshot(with(right, right.members().put("emil", new Member("emil", Presence.MemberKind.USER, 1, 5, 1))));
        room.isRefused("the snapshot of version 6: members", I2);
    }

    @Test
    void withAnotherStayOfAUser() {
        Member dora = right.member("dora").orElseThrow();
        Member other = new Member("dora", Presence.MemberKind.USER, dora.joinedAtMs(), 5, dora.lastSeenAtMs());
        snapshot(with(right, right.members().put("dora", other)));
        room.isRefused("the snapshot of version 6: member dora", I2);
    }

    /** PRES-7: when somebody was last seen is a hint, which no log row knows. */
    @Test
    void withAnotherSignOfLifeItIsRight() {
        Member dora = right.member("dora").orElseThrow();
        Member seen = new Member(
                "dora",
                Presence.MemberKind.USER,
                dora.joinedAtMs(),
                dora.joinedVersion(),
                dora.lastSeenAtMs() + 60_000);
        snapshot(with(right, right.members().put("dora", seen)));
        assertThat(room.check(room.acks)).isEmpty();
    }

    @Test
    void withAnotherProfile() {
        Profile other = new Profile("olga", "Coffee", "eu", "c.png", "b.png");
        snapshot(with(right, other, right.createdAtMs(), 0, right.seats()));
        room.isRefused("the snapshot of version 6: profile", I2);
    }

    @Test
    void withAnotherTimeOfCreation() {
        snapshot(with(right, right.profile(), right.createdAtMs() + 1, 0, right.seats()));
        room.isRefused("the snapshot of version 6: created_at_ms", I2);
    }

    @Test
    void withATimeOfClosing() {
        snapshot(with(right, right.profile(), right.createdAtMs(), 1, right.seats()));
        room.isRefused("the snapshot of version 6: closed_at_ms 1; by the log 0", I2);
    }

    @Test
    void withoutASeat() {
        snapshot(with(
                right, right.profile(), right.createdAtMs(), 0, right.seats().init()));
        room.isRefused("the snapshot of version 6: seats", I2);
    }

    @Test
    void underAnotherVersion() {
        Snapshot stored = room.stored.snapshots.get(0);
        snapshot(Snapshot.of(5, stored.atMs(), stored.state(), stored.lastSeen()));
        room.isRefused("the snapshot of version 5: it can't be read: ", I2);
    }

    @Test
    void aheadOfTheLog() {
        Snapshot stored = room.stored.snapshots.get(1);
        room.stored.snapshots.set(1, Snapshot.of(10, stored.atMs(), stored.state(), stored.lastSeen()));
        room.isRefused("the snapshot of version 10: the log ends before it", I2);
    }

    @Test
    void ofAVersionBeforeTheFirst() {
        Snapshot stored = room.stored.snapshots.get(0);
        snapshot(Snapshot.of(-1, stored.atMs(), stored.state(), stored.lastSeen()));
        room.isRefused("the snapshot of version -1: there is no such version", I2);
    }

    @Test
    void closingThoughTheRoomWentOn() {
        snapshot(right.closingBegun());
        room.isRefused("the snapshot of version 6: status CLOSING; by the log ACTIVE", I2);
    }

    /** ROOM-5: of a closing that had begun, only the room's row and such a snapshot know. */
    @Test
    void closingIsRightOnlyIfTheRowSaysSoToo() {
        room.stored.snapshots.clear();
        room.stored.snapshots.addAll(
                List.of(LivedRoom.CODEC.encodeState(room.stateAt(9).closingBegun(), 1)));
        room.isRefused("the snapshot of version 9: status CLOSING; by the log ACTIVE", I2);

        room.stored.editRow(row -> row.status = Status.CLOSING.name());
        assertThat(room.check(room.acks)).isEmpty();
    }
}
