package dev.roomcell.check;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An account of who is present (I11) and whether the room has ended (I12), kept from the events alone and by other means
 * than the room's own: where the two differ, one of them is wrong.
 */
final class EventAccount {
    private final Findings findings;
    /** Who is present, and since which version. */
    private final Map<String, Long> present = new HashMap<>();

    private long closedAtVersion;

    EventAccount(Findings findings) {
        this.findings = findings;
    }

    void apply(long version, List<RoomEvent> events) {
        for (RoomEvent event : events) {
            findings.require(
                    closedAtVersion == 0,
                    Invariant.I12,
                    () -> at(version) + event.type() + " follows the end of the room at version " + closedAtVersion);
            switch (event.type()) {
                case ROOM_USER_JOINED -> joined(version, (Presence.RoomUserJoined) event);
                case ROOM_USER_LEFT -> left(version, (Presence.RoomUserLeft) event);
                case ROOM_CLOSED -> closed(version, (Lifecycle.RoomClosed) event);
                case ROOM_CREATED ->
                    findings.require(
                            version == 1, Invariant.I12, () -> at(version) + "the room is created a second time");
                case ROOM_MIC_CHANGED -> {
                    // Seats have no account of their own: RoomState.checked() knows their rules.
                }
            }
        }
    }

    private static String at(long version) {
        return "version " + version + ": ";
    }

    private void joined(long version, Presence.RoomUserJoined joined) {
        findings.require(
                present.put(joined.userId(), version) == null,
                Invariant.I11,
                () -> at(version) + joined.userId() + " joins, and is present already");
        count(version, joined.onlineCount());
    }

    private void left(long version, Presence.RoomUserLeft left) {
        findings.require(
                present.remove(left.userId()) != null,
                Invariant.I11,
                () -> at(version) + left.userId() + " leaves, and is not present");
        count(version, left.onlineCount());
    }

    private void closed(long version, Lifecycle.RoomClosed closed) {
        count(version, closed.usersPresent());
        present.clear();
        closedAtVersion = version;
    }

    private void count(long version, int told) {
        findings.require(
                present.size() == told,
                Invariant.I11,
                () -> at(version) + "its event counts " + told + " users present; by joins and leavings "
                        + present.size() + " are");
    }

    /** Whether as many are present as should be; cheap enough for every version. */
    boolean counts(RoomState state) {
        return state.onlineCount() == present.size();
    }

    /** Compares {@code state} with this account, user by user. */
    void compare(RoomState state) {
        state.members()
                .forEach((userId, member) -> findings.require(
                        Long.valueOf(member.joinedVersion()).equals(present.get(userId)),
                        Invariant.I11,
                        () -> at(state.version()) + userId + " is present since version " + member.joinedVersion()
                                + "; by joins and leavings since version "
                                + present.getOrDefault(userId, 0L)));
        findings.require(
                counts(state),
                Invariant.I11,
                () -> at(state.version()) + state.onlineCount() + " users are present; by joins and leavings "
                        + present.size() + " are");
    }
}
