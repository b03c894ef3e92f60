package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.Presence.Member;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.SnapshotStore.Snapshot;
import io.vavr.collection.Map;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Holds every stored snapshot against the replay, field by field (I2). */
final class SnapshotMatch {
    /** No snapshot says that a closing had begun. */
    private static final long NONE = -1;

    private final RoomCodec codec;
    private final RoomHistory history;
    private final Findings findings;
    private final Deque<Snapshot> ahead;
    private long closingBegunAt = NONE;

    SnapshotMatch(RoomCodec codec, RoomHistory history, Findings findings) {
        this.codec = codec;
        this.history = history;
        this.findings = findings;
        this.ahead = new ArrayDeque<>(history.snapshots());
    }

    /** The replay begins with {@code base}, which a snapshot says: older ones can only be read, if at all. */
    void begins(RoomState base) {
        while (!ahead.isEmpty() && ahead.element().version() < base.version()) {
            // Each was the room's once, as the one after it is that was found right.
            read(ahead.remove());
        }
        reached(base);
    }

    /** The replay has come to {@code now}. */
    void reached(RoomState now) {
        while (!ahead.isEmpty() && ahead.element().version() <= now.version()) {
            Snapshot snapshot = ahead.remove();
            findings.require(
                    snapshot.version() == now.version(),
                    Invariant.I2,
                    () -> of(snapshot.version()) + "there is no such version");
            read(snapshot)
                    .filter(stored -> snapshot.version() == now.version())
                    .ifPresent(stored -> compare(stored, now));
        }
    }

    private static String of(long version) {
        return "the snapshot of version " + version + ": ";
    }

    private Optional<RoomState> read(Snapshot snapshot) {
        try {
            return Optional.of(codec.decodeState(history.key(), snapshot));
        } catch (RoomCodec.UnreadableException e) {
            findings.add(Invariant.I2, of(snapshot.version()) + "it can't be read: " + e.getMessage());
            return Optional.empty();
        }
    }

    private void compare(RoomState stored, RoomState now) {
        RoomState replayed = now;
        if (stored.status() == Status.CLOSING && now.status() == Status.ACTIVE) {
            closingBegunAt = now.version();
            replayed = now.closingBegun();
        }
        same(now, "status", stored.status(), replayed.status());
        same(now, "profile", stored.profile(), replayed.profile());
        same(now, "created_at_ms", stored.createdAtMs(), replayed.createdAtMs());
        same(now, "closed_at_ms", stored.closedAtMs(), replayed.closedAtMs());
        same(now, "seats", stored.seats(), replayed.seats());
        same(now, "robots", stored.robots(), replayed.robots());
        same(now, "house rules", stored.houseRules(), replayed.houseRules());
        Map<String, Member> left = unseen(stored);
        Map<String, Member> right = unseen(replayed);
        same(now, "members", left.removeAll(right.keySet()), right.removeAll(left.keySet()));
        left.forEach(
                (userId, member) -> right.get(userId).forEach(other -> same(now, "member " + userId, member, other)));
    }

    private void same(RoomState now, String field, Object stored, Object replayed) {
        findings.require(
                stored.equals(replayed),
                Invariant.I2,
                () -> of(now.version()) + field + " " + stored + "; by the log " + replayed);
    }

    /** Signs of life leave no trace in the log (PRES-7). */
    private static Map<String, Member> unseen(RoomState state) {
        return state.members()
                .mapValues(member -> new Member(
                        member.userId(),
                        member.kind(),
                        member.joinedAtMs(),
                        member.joinedVersion(),
                        member.joinedAtMs()));
    }

    /** The log goes on with {@code row}: after a closing that had begun, only with its end. */
    void leaving(LogRow row) {
        if (closingBegunAt == row.version() - 1 && !row.kind().equals(RoomCommand.Kind.HEAL_ROOM.name())) {
            closingNotBegun();
        }
    }

    private void closingNotBegun() {
        findings.add(Invariant.I2, of(closingBegunAt) + "status CLOSING; by the log ACTIVE");
    }

    /** The log ends with {@code last}, or could not be followed to its end. */
    void end(@Nullable RoomState last) {
        for (Snapshot snapshot : ahead) {
            read(snapshot);
            findings.require(last == null, Invariant.I2, () -> of(snapshot.version()) + "the log ends before it");
        }
        boolean closing = history.row()
                .filter(row -> row.status().equals(Status.CLOSING.name()))
                .isPresent();
        if (last != null && closingBegunAt == last.version() && !closing) {
            closingNotBegun();
        }
    }
}
