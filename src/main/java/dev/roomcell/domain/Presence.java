package dev.roomcell.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who is in the room: business membership, kept by commands and heartbeats, not an IM or RTC connection.
 *
 * <p>{@code absent → present} by JoinRoom; {@code present → left} by LeaveRoom; {@code present → closed_left} by the
 * closing of the room, which for its users is the event {@code RoomClosed} itself (ROOM-4).
 */
public final class Presence {
    /** The most users present in one room at once; one more is refused with ROOM_FULL. */
    public static final int MAX_PRESENT = 50_000;

    private Presence() {}

    /** Why a user is no longer present. The names are stored in events: never rename one. */
    public enum LeaveCause {
        /** The user asked to leave. */
        LEFT
    }

    /**
     * A user who is present.
     *
     * @param userId who
     * @param joinedAtMs when the present stay began, epoch ms
     * @param joinedVersion the room version that began it
     * @param lastSeenAtMs the last sign of life, epoch ms; lives in memory, in snapshots only a hint (PRES-7)
     */
    public record Member(String userId, long joinedAtMs, long joinedVersion, long lastSeenAtMs) {
        Member seenAt(long atMs) {
            return atMs <= lastSeenAtMs ? this : new Member(userId, joinedAtMs, joinedVersion, atMs);
        }
    }

    /**
     * Enter the room, or say that one is still there (PRES-1).
     *
     * @param actorUserId who enters
     */
    public record JoinRoom(String actorUserId) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.JOIN_ROOM;
        }
    }

    /**
     * Leave the room, and the mic seat with it (PRES-3).
     *
     * @param actorUserId who leaves
     */
    public record LeaveRoom(String actorUserId) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.LEAVE_ROOM;
        }
    }

    /**
     * A user entered.
     *
     * @param userId who
     * @param onlineCount users present, this one included
     */
    public record RoomUserJoined(String userId, int onlineCount) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_USER_JOINED;
        }
    }

    /**
     * A user is gone.
     *
     * @param userId who
     * @param cause why
     * @param joinedAtMs when the stay that ended had begun, epoch ms
     * @param onlineCount users still present
     */
    public record RoomUserLeft(String userId, LeaveCause cause, long joinedAtMs, int onlineCount) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_USER_LEFT;
        }
    }

    /**
     * The answer to {@link JoinRoom}.
     *
     * @param roomVersion the version that made the user present, or for a repeated join the room's version
     * @param joinedAtMs when the stay began, epoch ms
     * @param onlineCount users present, this one included
     */
    public record Joined(long roomVersion, long joinedAtMs, int onlineCount) implements CommandResult {}

    /**
     * The answer to {@link LeaveRoom}.
     *
     * @param roomVersion the version that ended the stay
     * @param onlineCount users still present
     */
    public record Left(long roomVersion, int onlineCount) implements CommandResult {}

    static Decision join(RoomState state, JoinRoom command, Stamp stamp) {
        String userId = command.actorUserId();
        Optional<Member> present = state.member(userId);
        if (present.isPresent()) {
            Joined result = new Joined(state.version(), present.get().joinedAtMs(), state.onlineCount());
            return new Decision.Unchanged(result, Optional.of(userId));
        }
        if (state.onlineCount() >= MAX_PRESENT) {
            return Decision.Rejected.because(
                    Rejection.Reason.ROOM_FULL,
                    "the room holds " + MAX_PRESENT + " users; try again when some have left");
        }
        return new Decision.Accepted(
                List.of(new RoomUserJoined(userId, state.onlineCount() + 1)),
                new Joined(stamp.version(), stamp.atMs(), state.onlineCount() + 1));
    }

    static Decision leave(RoomState state, LeaveRoom command, Stamp stamp) {
        String userId = command.actorUserId();
        Optional<Member> member = state.member(userId);
        if (member.isEmpty()) {
            return notPresent(userId);
        }
        int remaining = state.onlineCount() - 1;
        List<RoomEvent> events = new ArrayList<>();
        MicSeats.freeSeatOf(state, userId, MicSeats.Cause.USER_LEFT).ifPresent(events::add);
        events.add(new RoomUserLeft(userId, LeaveCause.LEFT, member.get().joinedAtMs(), remaining));
        return new Decision.Accepted(events, new Left(stamp.version(), remaining));
    }

    /** The refusal of whoever is not in the room. */
    public static Decision.Rejected notPresent(String userId) {
        return Decision.Rejected.because(
                Rejection.Reason.NOT_PRESENT, "user " + userId + " is not in the room; JoinRoom first");
    }

    /** The state after a sign of life at {@code atMs}: no version, and nobody becomes present by it (PRES-2, PRES-7). */
    public static RoomState seen(RoomState state, String userId, long atMs) {
        return state.member(userId)
                .map(member -> state.withMembers(state.members().put(userId, member.seenAt(atMs))))
                .orElse(state);
    }

    static RoomState evolve(RoomState state, RoomUserJoined event, Stamp stamp) {
        Member member = new Member(event.userId(), stamp.atMs(), stamp.version(), stamp.atMs());
        return state.withMembers(state.members().put(event.userId(), member));
    }

    static RoomState evolve(RoomState state, RoomUserLeft event) {
        return state.withMembers(state.members().remove(event.userId()));
    }
}
