package dev.roomcell.domain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who is in the room: business membership, kept by commands and heartbeats, not an IM or RTC connection.
 *
 * <p>{@code absent → present} by JoinRoom; {@code present → left} by LeaveRoom; {@code present → stale_left} by the stale
 * sweep; {@code present → kicked} by KickUser, and back only after UnbanUser; {@code present → closed_left} by the closing
 * of the room, which for its users is the event {@code RoomClosed} itself (ROOM-4).
 */
public final class Presence {
    /** The most users present in one room at once; one more is refused with ROOM_FULL. */
    public static final int MAX_PRESENT = 50_000;
    /** The most robots present in one room at once; one more is refused with ROOM_FULL. */
    public static final int MAX_ROBOTS = 1_000;
    /** The most users that one stale sweep moves (PRES-6). */
    public static final int MAX_SWEPT = 200;

    private Presence() {}

    /** Why a user is no longer present. The names are stored in events: never rename one. */
    public enum LeaveCause {
        /** The user asked to leave. */
        LEFT,
        /** No sign of life for too long (PRES-6). */
        STALE,
        /** KickUser (PRES-5). */
        KICKED
    }

    /** What somebody present is. The names are stored in events: never rename one. */
    public enum MemberKind {
        /** A person. */
        USER,
        /** A robot: in no count, never stale, and no fact for others (PRES-8). */
        ROBOT
    }

    /**
     * A user who is present.
     *
     * @param userId who
     * @param kind a person or a robot
     * @param joinedAtMs when the present stay began, epoch ms
     * @param joinedVersion the room version that began it
     * @param lastSeenAtMs the last sign of life, epoch ms; lives in memory, in snapshots only a hint (PRES-7)
     */
    public record Member(String userId, MemberKind kind, long joinedAtMs, long joinedVersion, long lastSeenAtMs) {
        Member seenAt(long atMs) {
            return atMs <= lastSeenAtMs ? this : new Member(userId, kind, joinedAtMs, joinedVersion, atMs);
        }
    }

    /**
     * Enter the room, or say that one is still there (PRES-1).
     *
     * @param actorUserId who enters
     * @param memberKind as what; without meaning for who is present already
     */
    public record JoinRoom(String actorUserId, MemberKind memberKind) implements RoomCommand {
        /** A person enters. */
        public JoinRoom(String actorUserId) {
            this(actorUserId, MemberKind.USER);
        }

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
     * Somebody who gave no sign of life.
     *
     * @param userId who
     * @param joinedVersion which stay of theirs
     * @param lastSeenAtMs the last sign of life that the sweep saw, epoch ms: with a later one they stay
     */
    public record Silent(String userId, long joinedVersion, long lastSeenAtMs) {}

    /**
     * The room's own command (CMD-5): those who gave no sign of life for too long are gone (PRES-6). It names what the
     * sweep saw of whom, so that the log can be decided again without the signs of life, which no log keeps (PRES-7).
     *
     * @param silent 1..{@link #MAX_SWEPT} users
     */
    public record SweepStale(List<Silent> silent) implements RoomCommand {
        /** Keeps a copy of {@code silent}. */
        public SweepStale {
            silent = List.copyOf(silent);
        }

        @Override
        public Kind kind() {
            return Kind.SWEEP_STALE;
        }

        @Override
        public String actorUserId() {
            return "";
        }
    }

    /**
     * A user entered.
     *
     * @param userId who
     * @param kind a person or a robot
     * @param onlineCount users present after it; robots are not counted
     */
    public record RoomUserJoined(String userId, MemberKind kind, int onlineCount) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_USER_JOINED;
        }

        @Override
        public boolean durable() {
            return kind == MemberKind.USER;
        }
    }

    /**
     * A user is gone.
     *
     * @param userId who
     * @param kind a person or a robot
     * @param cause why
     * @param joinedAtMs when the stay that ended had begun, epoch ms
     * @param onlineCount users still present; robots are not counted
     */
    public record RoomUserLeft(String userId, MemberKind kind, LeaveCause cause, long joinedAtMs, int onlineCount)
            implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_USER_LEFT;
        }

        @Override
        public boolean durable() {
            return kind == MemberKind.USER;
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
     * The answer to {@link LeaveRoom} and {@link SweepStale}.
     *
     * @param roomVersion the version that ended the stay
     * @param onlineCount users still present
     */
    public record Left(long roomVersion, int onlineCount) implements CommandResult {}

    static Decision join(RoomState state, JoinRoom command, Stamp stamp) {
        String userId = command.actorUserId();
        Optional<Decision> banned = Rights.banned(state, userId);
        if (banned.isPresent()) {
            return banned.get();
        }
        Optional<Member> present = state.member(userId);
        if (present.isPresent()) {
            Joined result = new Joined(state.version(), present.get().joinedAtMs(), state.onlineCount());
            return new Decision.Unchanged(result, Optional.of(userId));
        }
        boolean isUser = command.memberKind() == MemberKind.USER;
        int limit = isUser ? MAX_PRESENT : MAX_ROBOTS;
        if ((isUser ? state.onlineCount() : state.robots()) >= limit) {
            return new Decision.Rejected(new Rejection(
                            Rejection.Reason.ROOM_FULL,
                            "the room holds " + limit + (isUser ? " users" : " robots")
                                    + "; try again when some have left")
                    .with("limit", Integer.toString(limit)));
        }
        int online = state.onlineCount() + (isUser ? 1 : 0);
        return new Decision.Accepted(
                List.of(new RoomUserJoined(userId, command.memberKind(), online)),
                new Joined(stamp.version(), stamp.atMs(), online));
    }

    static Decision leave(RoomState state, LeaveRoom command, Stamp stamp) {
        String userId = command.actorUserId();
        Optional<Decision> refused = notIn(state, userId);
        if (refused.isPresent()) {
            return refused.get();
        }
        int remaining = state.onlineCount() - (state.isUser(userId) ? 1 : 0);
        return new Decision.Accepted(
                remove(state, userId, MicSeats.Cause.USER_LEFT, LeaveCause.LEFT), new Left(stamp.version(), remaining));
    }

    /** What happens when a user is gone, the seat first (PRES-3); nothing if they are not there. */
    static List<RoomEvent> remove(RoomState state, String userId, MicSeats.Cause seatCause, LeaveCause cause) {
        Optional<Member> member = state.member(userId);
        if (member.isEmpty()) {
            return List.of();
        }
        List<RoomEvent> events = new ArrayList<>(2);
        MicSeats.freeSeatOf(state, userId, seatCause).ifPresent(events::add);
        events.add(gone(member.get(), cause, state.onlineCount() - (state.isUser(userId) ? 1 : 0)));
        return events;
    }

    private static RoomUserLeft gone(Member member, LeaveCause cause, int remaining) {
        return new RoomUserLeft(member.userId(), member.kind(), cause, member.joinedAtMs(), remaining);
    }

    /**
     * The users of whom nothing was seen since {@code seenBeforeMs}, the longest silent first (PRES-6).
     *
     * @param most at most so many, 1..{@link #MAX_SWEPT}
     */
    public static List<Silent> silent(RoomState state, long seenBeforeMs, int most) {
        return state
                .members()
                .values()
                .filter(member -> member.kind() == MemberKind.USER && member.lastSeenAtMs() < seenBeforeMs)
                .map(member -> new Silent(member.userId(), member.joinedVersion(), member.lastSeenAtMs()))
                .toJavaList()
                .stream()
                .sorted(Comparator.comparingLong(Silent::lastSeenAtMs).thenComparing(Silent::userId))
                .limit(most)
                .toList();
    }

    /** The oldest of the users' last signs of life, epoch ms; empty when no user is present. */
    public static OptionalLong oldestSignOfLifeMs(RoomState state) {
        long oldest = Long.MAX_VALUE;
        for (Member member : state.members().values()) {
            if (member.kind() == MemberKind.USER) {
                oldest = Math.min(oldest, member.lastSeenAtMs());
            }
        }
        return oldest == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(oldest);
    }

    /** Whoever gave a sign of life since, or has come anew, stays (PRES-6). */
    static Decision sweep(RoomState state, SweepStale command, Stamp stamp) {
        List<RoomEvent> events = new ArrayList<>();
        List<Member> gone = new ArrayList<>();
        for (Silent silent : command.silent()) {
            state.member(silent.userId())
                    .filter(member -> member.kind() == MemberKind.USER
                            && member.joinedVersion() == silent.joinedVersion()
                            && member.lastSeenAtMs() <= silent.lastSeenAtMs())
                    .ifPresent(gone::add);
        }
        gone.forEach(member -> MicSeats.freeSeatOf(state, member.userId(), MicSeats.Cause.USER_STALE)
                .ifPresent(events::add));
        int remaining = state.onlineCount();
        for (Member member : gone) {
            events.add(gone(member, LeaveCause.STALE, --remaining));
        }
        return events.isEmpty()
                ? Decision.Unchanged.answering(new Left(state.version(), state.onlineCount()))
                : new Decision.Accepted(events, new Left(stamp.version(), remaining));
    }

    /** The refusal of an actor who is shut out or not there; empty for one who is in the room. */
    public static Optional<Decision> notIn(RoomState state, String userId) {
        return Rights.banned(state, userId).or(() -> absent(state, userId));
    }

    /** The refusal of whoever is not in the room; empty for one who is. */
    static Optional<Decision> absent(RoomState state, String userId) {
        return state.member(userId).isPresent()
                ? Optional.empty()
                : Optional.of(new Decision.Rejected(new Rejection(
                                Rejection.Reason.NOT_PRESENT, "user " + userId + " is not in the room; JoinRoom first")
                        .with("user_id", userId)));
    }

    /** The refusal of whoever is no robot in the room, be it a user who is; empty for one (PRES-8). */
    public static Optional<Rejection> noRobotIn(RoomState state, String userId) {
        return state.member(userId)
                        .filter(member -> member.kind() == MemberKind.ROBOT)
                        .isPresent()
                ? Optional.empty()
                : Optional.of(new Rejection(
                                Rejection.Reason.NOT_PRESENT,
                                "there is no robot " + userId + " in the room; JoinRoom as a robot first")
                        .with("user_id", userId));
    }

    /** The state after a sign of life at {@code atMs}: no version, and nobody becomes present by it (PRES-2, PRES-7). */
    public static RoomState seen(RoomState state, String userId, long atMs) {
        return state.member(userId)
                .map(member -> state.withMember(member.seenAt(atMs)))
                .orElse(state);
    }

    static RoomState evolve(RoomState state, RoomUserJoined event, Stamp stamp) {
        return state.withMember(new Member(event.userId(), event.kind(), stamp.atMs(), stamp.version(), stamp.atMs()));
    }

    static RoomState evolve(RoomState state, RoomUserLeft event) {
        return state.withoutMember(event.userId());
    }
}
