package dev.roomcell.domain;

import io.vavr.collection.Vector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The mic seats of a room: numbered 1..{@link #MAX_SEATS}, each with at most one user, who has no other (MIC-6). A seat
 * is taken first, and confirmed after.
 */
public final class MicSeats {
    /** The most seats a room may have. */
    public static final int MAX_SEATS = 20;
    /** The seats of a room whose creator named no number. */
    public static final int DEFAULT_SEATS = 9;

    private MicSeats() {}

    /** What a seat is doing. The names are stored in snapshots and events: never rename one. */
    public enum Status {
        /** Free: may be taken, may be locked. */
        IDLE,
        /** Free and closed to everybody until it is unlocked. */
        LOCKED,
        /** Taken; the user's audio has not been confirmed yet. Goes to PUBLISHING or IDLE. */
        PENDING_PUBLISH,
        /** Taken, and the audio was confirmed. Goes to IDLE or, by a change of seat, to PENDING_PUBLISH. */
        PUBLISHING;

        /** Whether somebody sits here. */
        public boolean occupied() {
            return this == PENDING_PUBLISH || this == PUBLISHING;
        }
    }

    /** Why a seat changed. The names are stored in events: never rename one. */
    public enum Cause {
        /** MicUp. */
        TAKEN,
        /** ChangeMicSeat. */
        SEAT_CHANGED,
        /** ConfirmMicPublishing. */
        PUBLISH_CONFIRMED,
        /** The deadline came after ChangeMicSeat, and the stream had never stopped (MIC-7). */
        STREAM_KEPT,
        /** MicDown by the occupant. */
        MIC_DOWN,
        /** MicDown by the owner or an admin. */
        TAKEN_DOWN,
        /** SetMicSeatLock with force (MIC-8). */
        SEAT_LOCKED,
        /** RTC heard the audio begin. */
        RTC_AUDIO_STARTED,
        /** RTC heard the audio end. */
        RTC_AUDIO_STOPPED,
        /** RTC saw the user leave its room (PRES-4). */
        RTC_ROOM_EXITED,
        /** Nothing was heard of the audio for too long (MIC-10). */
        UNHEARD,
        /** Not confirmed by the deadline (MIC-3). */
        PUBLISH_TIMEOUT,
        /** The user left the room (PRES-3). */
        USER_LEFT,
        /** The stale sweep (PRES-6). */
        USER_STALE,
        /** KickUser (PRES-5). */
        USER_KICKED,
        /** The room was closed (ROOM-4). */
        ROOM_CLOSED
    }

    /**
     * One seat.
     *
     * @param seatNo 1..{@link #MAX_SEATS}
     * @param status what it is doing
     * @param session who sits there, since when; NONE unless occupied
     */
    public record Seat(int seatNo, Status status, MicSession session) {
        static Seat idle(int seatNo) {
            return new Seat(seatNo, Status.IDLE, MicSession.NONE);
        }

        /** Who sits there; empty unless occupied. */
        public String userId() {
            return session.userId();
        }

        /** The stay on the mic; empty unless occupied. */
        public String micSessionId() {
            return session.id();
        }
    }

    /**
     * Take an idle seat.
     *
     * @param actorUserId who takes it
     * @param seatNo which one
     */
    public record MicUp(String actorUserId, int seatNo) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.MIC_UP;
        }
    }

    /**
     * Free a seat.
     *
     * @param actorUserId who asks
     * @param targetUserId whose seat; the actor's own, or another's by the owner and admins
     * @param micSessionId only this session; empty for whichever the target has
     */
    public record MicDown(String actorUserId, String targetUserId, String micSessionId) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.MIC_DOWN;
        }
    }

    /**
     * Move to another idle seat within the same session (MIC-7).
     *
     * @param actorUserId who moves
     * @param seatNo where to
     * @param micSessionId only this session; empty for whichever the actor has
     */
    public record ChangeMicSeat(String actorUserId, int seatNo, String micSessionId) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.CHANGE_MIC_SEAT;
        }
    }

    /**
     * Say that the audio is on the air.
     *
     * @param actorUserId whose audio
     * @param micSessionId of which session (MIC-1)
     */
    public record ConfirmMicPublishing(String actorUserId, String micSessionId) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.CONFIRM_MIC_PUBLISHING;
        }
    }

    /**
     * Lock or unlock a seat (MIC-8).
     *
     * @param actorUserId who asks; the owner or an admin
     * @param seatNo which seat
     * @param locked what it shall be
     * @param force whether to take down who sits there
     */
    public record SetMicSeatLock(String actorUserId, int seatNo, boolean locked, boolean force) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.SET_MIC_SEAT_LOCK;
        }
    }

    /**
     * The room's own command (CMD-5): a publish deadline is over (MIC-3). It names the deadline that it saw, so that one
     * which was moved since is not over.
     *
     * @param micSessionId of which session (MIC-1)
     * @param deadlineMs which deadline, epoch ms
     */
    public record TimeOutMic(String micSessionId, long deadlineMs) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.TIME_OUT_MIC;
        }

        @Override
        public String actorUserId() {
            return "";
        }
    }

    /**
     * A mic session began, moved, was confirmed, doubted or ended, or RTC was heard of it.
     *
     * @param seatNo the seat that the session has after, or had when it ended
     * @param previousSeatNo the seat it moved from; 0 when it did not move
     * @param from the session's seat before; IDLE when it begins
     * @param to the seat's status after; IDLE when it ended
     * @param session the session after, or as it was when it ended
     * @param cause why
     */
    public record RoomMicChanged(
            int seatNo, int previousSeatNo, Status from, Status to, MicSession session, Cause cause)
            implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_MIC_CHANGED;
        }
    }

    /**
     * A seat was locked or unlocked; nobody sits there.
     *
     * @param seatNo which seat
     * @param locked what it is now
     */
    public record RoomMicSeatLocked(int seatNo, boolean locked) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_MIC_SEAT_LOCKED;
        }
    }

    /**
     * The answer to {@link MicUp}, {@link ConfirmMicPublishing} and {@link TimeOutMic}.
     *
     * @param roomVersion the version that changed it, or the room's version if it was so already
     * @param seat the seat after
     */
    public record SeatTaken(long roomVersion, Seat seat) implements CommandResult {}

    /**
     * The answer to {@link MicDown}.
     *
     * @param roomVersion the version that freed it
     * @param seatNo which seat
     * @param micSessionId the session that ended
     */
    public record SeatFreed(long roomVersion, int seatNo, String micSessionId) implements CommandResult {}

    /**
     * The answer to {@link ChangeMicSeat}.
     *
     * @param roomVersion the version that moved it, or the room's version if the actor sat there already
     * @param seat the new seat after
     * @param previousSeatNo the seat left behind
     */
    public record SeatChanged(long roomVersion, Seat seat, int previousSeatNo) implements CommandResult {}

    /**
     * The answer to {@link SetMicSeatLock}.
     *
     * @param roomVersion the version that changed it, or the room's version if it was so already
     * @param seat the seat after
     * @param removedUserId who was taken down; may be empty
     */
    public record SeatLockSet(long roomVersion, Seat seat, String removedUserId) implements CommandResult {}

    /** Stands in an answer for the seat that there is none of. */
    static Seat nobodysSeat() {
        return Seat.idle(0);
    }

    static Vector<Seat> idleSeats(int count) {
        return Vector.range(1, count + 1).map(Seat::idle);
    }

    /** The seat of {@code userId}, if there is one. */
    public static Optional<Seat> seatOf(RoomState state, String userId) {
        return state.seats()
                .find(seat -> seat.status().occupied() && seat.userId().equals(userId))
                .toJavaOptional();
    }

    /** The seats whose publish deadline runs, in the order of their numbers. */
    public static List<Seat> pending(RoomState state) {
        return state.seats()
                .filter(seat -> seat.status() == Status.PENDING_PUBLISH)
                .toJavaList();
    }

    /** The first of the publish deadlines that run, epoch ms (MIC-3). */
    public static OptionalLong firstDeadlineMs(RoomState state) {
        return pending(state).stream()
                .mapToLong(seat -> seat.session().publishDeadlineMs())
                .min();
    }

    static Optional<RoomEvent> freeSeatOf(RoomState state, String userId, Cause cause) {
        return seatOf(state, userId).map(seat -> freed(seat, cause));
    }

    static List<RoomEvent> freeAll(RoomState state, Cause cause) {
        List<RoomEvent> events = new ArrayList<>();
        for (Seat seat : state.seats()) {
            if (seat.status().occupied()) {
                events.add(freed(seat, cause));
            }
        }
        return events;
    }

    static RoomMicChanged freed(Seat seat, Cause cause) {
        return new RoomMicChanged(
                seat.seatNo(), 0, seat.status(), Status.IDLE, seat.session().due(0), cause);
    }

    static RoomMicChanged taken(int seatNo, MicSession session) {
        return new RoomMicChanged(seatNo, 0, Status.IDLE, Status.PENDING_PUBLISH, session, Cause.TAKEN);
    }

    static RoomMicChanged moved(Seat from, int seatNo, long deadlineMs) {
        return new RoomMicChanged(
                seatNo,
                from.seatNo(),
                from.status(),
                Status.PENDING_PUBLISH,
                from.session().due(deadlineMs),
                Cause.SEAT_CHANGED);
    }

    static RoomMicChanged onTheAir(Seat seat, Cause cause) {
        return new RoomMicChanged(
                seat.seatNo(),
                0,
                seat.status(),
                Status.PUBLISHING,
                seat.session().onTheAir(),
                cause);
    }

    /** The same seat, after RTC was heard of it at {@code eventAtMs} (MIC-2). */
    static Seat heard(Seat seat, long eventAtMs) {
        return new Seat(seat.seatNo(), seat.status(), seat.session().heardAt(eventAtMs));
    }

    /** The audio is off the air, by what was heard; the seat stays as it is. */
    static RoomMicChanged offTheAir(Seat seat, Cause cause) {
        return new RoomMicChanged(
                seat.seatNo(), 0, seat.status(), seat.status(), seat.session().offTheAir(), cause);
    }

    /** Nobody knows whether there is audio: it is to be confirmed again, or the seat is taken away (MIC-9, MIC-10). */
    static RoomMicChanged doubted(Seat seat, long deadlineMs, Cause cause) {
        return new RoomMicChanged(
                seat.seatNo(),
                0,
                seat.status(),
                Status.PENDING_PUBLISH,
                seat.session().offTheAir().due(deadlineMs),
                cause);
    }

    static RoomState evolve(RoomState state, RoomMicChanged event) {
        Vector<Seat> seats = state.seats();
        if (event.previousSeatNo() != 0) {
            seats = seats.update(event.previousSeatNo() - 1, Seat.idle(event.previousSeatNo()));
        }
        return state.withSeats(seats.update(event.seatNo() - 1, after(event)));
    }

    /** The seat that a change leaves behind. */
    static Seat after(RoomMicChanged event) {
        return event.to().occupied()
                ? new Seat(event.seatNo(), event.to(), event.session())
                : new Seat(event.seatNo(), event.to(), MicSession.NONE);
    }

    static RoomState evolve(RoomState state, RoomMicSeatLocked event) {
        return state.withSeats(state.seats().update(event.seatNo() - 1, after(event)));
    }

    static Seat after(RoomMicSeatLocked event) {
        return new Seat(event.seatNo(), event.locked() ? Status.LOCKED : Status.IDLE, MicSession.NONE);
    }
}
