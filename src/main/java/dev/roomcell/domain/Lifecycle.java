package dev.roomcell.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The life of a room. Arrows: {@code creating → active}, {@code active → closed}, {@code active → closing → closed},
 * {@code creating → closed}; every other is refused.
 */
public final class Lifecycle {
    private Lifecycle() {}

    /** Where a room is in its life. The names are stored in tables and snapshots: never rename one. */
    public enum Status {
        /** Its row exists, its outside parts are being made; invisible to clients (ROOM-1). Goes to ACTIVE or CLOSED. */
        CREATING,
        /** Takes commands (ROOM-2). Goes to CLOSED or CLOSING. */
        ACTIVE,
        /** Half closed: takes no new business command (ROOM-3). Goes to CLOSED. */
        CLOSING,
        /** Ended for ever; the id is never used again (ROOM-6). */
        CLOSED
    }

    /** Why a room was closed. The names are stored in events: never rename one. */
    public enum CloseCause {
        /** The owner closed it. */
        CLOSED_BY_OWNER,
        /** It was never finished being created (ROOM-5). */
        CREATE_FAILED,
        /** A closing that had been begun was finished (ROOM-5). */
        CLOSING_FINISHED
    }

    /**
     * Make the room.
     *
     * @param actorUserId who asks
     * @param profile how it shall look
     * @param seatCount mic seats, 1..{@link MicSeats#MAX_SEATS}
     */
    public record CreateRoom(String actorUserId, Profile profile, int seatCount) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.CREATE_ROOM;
        }
    }

    /**
     * End the room for ever (ROOM-4).
     *
     * @param actorUserId who asks; must be the owner
     */
    public record CloseRoom(String actorUserId) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.CLOSE_ROOM;
        }
    }

    /**
     * The room's own command (CMD-5) that ends what a crash left half done: a room that stayed in CREATING for too
     * long, or one in CLOSING (ROOM-5).
     */
    public record HealRoom() implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.HEAL_ROOM;
        }

        @Override
        public String actorUserId() {
            return "";
        }
    }

    /**
     * The room is there.
     *
     * @param profile how it looks
     * @param seatCount its mic seats
     */
    public record RoomCreated(Profile profile, int seatCount) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_CREATED;
        }
    }

    /**
     * The room is over; its last event (ROOM-4).
     *
     * @param cause why
     * @param usersPresent users who were present; they are absent by this event
     */
    public record RoomClosed(CloseCause cause, int usersPresent) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_CLOSED;
        }
    }

    /**
     * The answer to {@link CreateRoom}.
     *
     * @param roomVersion the version that made the room
     * @param createdAtMs when, epoch ms
     */
    public record Created(long roomVersion, long createdAtMs) implements CommandResult {}

    /**
     * The answer to {@link CloseRoom} and {@link HealRoom}.
     *
     * @param roomVersion the room's last version
     * @param usersPresent users who were present
     * @param closedAtMs when, epoch ms
     */
    public record Closed(long roomVersion, int usersPresent, long closedAtMs) implements CommandResult {}

    /** What the table of states and commands has to tell apart. */
    private enum Sort {
        /** Makes the room. */
        BIRTH,
        /** Ends what a crash left half done. */
        HEALING,
        /** Everything that goes on in a room that is there (ROOM-2). */
        BUSINESS
    }

    private static Sort sortOf(RoomCommand.Kind kind) {
        return switch (kind) {
            case CREATE_ROOM -> Sort.BIRTH;
            case HEAL_ROOM -> Sort.HEALING;
            case CLOSE_ROOM,
                    UPDATE_ROOM_PROFILE,
                    SET_ROOM_BACKGROUND,
                    JOIN_ROOM,
                    LEAVE_ROOM,
                    SWEEP_STALE,
                    MIC_UP,
                    MIC_DOWN,
                    CHANGE_MIC_SEAT,
                    CONFIRM_MIC_PUBLISHING,
                    SET_MIC_SEAT_LOCK,
                    TIME_OUT_MIC,
                    REPORT_RTC,
                    DOUBT_MIC,
                    SET_CHAT_ENABLED,
                    SET_ROOM_ADMIN,
                    MUTE_USER,
                    KICK_USER,
                    UNBAN_USER,
                    SEND_GIFT,
                    LAUNCH_ROCKET -> Sort.BUSINESS;
        };
    }

    /**
     * The table of states and commands (ROOM-2): empty where the command's own rules go on, else the answer. The
     * command id was checked before; ban, presence and role come after.
     */
    static Optional<Decision> admit(RoomState state, RoomCommand.Kind kind) {
        Sort sort = sortOf(kind);
        return switch (state.status()) {
            case CREATING ->
                switch (sort) {
                    case BIRTH, HEALING -> Optional.empty();
                    case BUSINESS ->
                        rejected(Rejection.Reason.ROOM_CREATING, "the room is being created; try again in a moment");
                };
            case ACTIVE ->
                switch (sort) {
                    case BIRTH -> rejected(Rejection.Reason.ROOM_EXISTS, "the room id is taken; choose another one");
                    case HEALING -> healthy(state);
                    case BUSINESS -> Optional.empty();
                };
            case CLOSING ->
                switch (sort) {
                    case HEALING -> Optional.empty();
                    case BIRTH, BUSINESS -> closed();
                };
            case CLOSED ->
                switch (sort) {
                    case HEALING -> healthy(state);
                    case BIRTH, BUSINESS -> closed();
                };
        };
    }

    private static Optional<Decision> rejected(Rejection.Reason reason, String message) {
        return Optional.of(Decision.Rejected.because(reason, message));
    }

    private static Optional<Decision> closed() {
        return Optional.of(new Decision.Rejected(roomClosed()));
    }

    private static Optional<Decision> healthy(RoomState state) {
        return Optional.of(Decision.Unchanged.answering(new Closed(state.version(), 0, state.closedAtMs())));
    }

    /** The refusal of everything that comes after the end (ROOM-3, ROOM-6). */
    public static Rejection roomClosed() {
        return new Rejection(
                Rejection.Reason.ROOM_CLOSED,
                "the room is closed for ever; its id is not used again, create another room");
    }

    /** The refusal where no room of that id was ever created (ROOM-7). */
    public static Rejection roomNotFound() {
        return new Rejection(Rejection.Reason.ROOM_NOT_FOUND, "there is no such room; CreateRoom first");
    }

    static Decision create(CreateRoom command, Stamp stamp) {
        return new Decision.Accepted(
                List.of(new RoomCreated(command.profile(), command.seatCount())),
                new Created(stamp.version(), stamp.atMs()));
    }

    static Decision close(RoomState state, CloseRoom command, Stamp stamp) {
        return Rights.refused(state, command.actorUserId(), Rights.Action.CLOSE_ROOM)
                .orElseGet(() -> closing(state, CloseCause.CLOSED_BY_OWNER, stamp));
    }

    static Decision heal(RoomState state, Stamp stamp) {
        CloseCause cause = state.status() == Status.CREATING ? CloseCause.CREATE_FAILED : CloseCause.CLOSING_FINISHED;
        return closing(state, cause, stamp);
    }

    private static Decision closing(RoomState state, CloseCause cause, Stamp stamp) {
        List<RoomEvent> events = new ArrayList<>(MicSeats.freeAll(state, MicSeats.Cause.ROOM_CLOSED));
        events.add(new RoomClosed(cause, state.onlineCount()));
        return new Decision.Accepted(events, new Closed(stamp.version(), state.onlineCount(), stamp.atMs()));
    }

    static RoomState evolve(RoomState state, RoomCreated event, Stamp stamp) {
        return state.created(event.profile(), MicSeats.idleSeats(event.seatCount()), stamp.atMs());
    }

    static RoomState evolve(RoomState state, RoomClosed event, Stamp stamp) {
        return state.closed(stamp.atMs());
    }
}
