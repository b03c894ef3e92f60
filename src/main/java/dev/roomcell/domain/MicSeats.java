package dev.roomcell.domain;

import io.vavr.collection.Vector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The mic seats of a room: numbered 1..{@link #MAX_SEATS}, each with at most one user (MIC-6). */
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
        /** The user took the seat. */
        TAKEN,
        /** The user left the room (PRES-3). */
        USER_LEFT,
        /** The room was closed (ROOM-4). */
        ROOM_CLOSED
    }

    /**
     * One seat.
     *
     * @param seatNo 1..{@link #MAX_SEATS}
     * @param status what it is doing
     * @param userId who sits there; empty unless occupied
     * @param micSessionId the one stay on the mic that this is (MIC-1); empty unless occupied
     */
    public record Seat(int seatNo, Status status, String userId, String micSessionId) {
        static Seat idle(int seatNo) {
            return new Seat(seatNo, Status.IDLE, "", "");
        }
    }

    /**
     * A seat went from one status to another.
     *
     * @param seatNo which seat
     * @param from its status before
     * @param to its status after
     * @param userId whom it concerns: who took the seat, or who had it
     * @param micSessionId the stay on the mic that began or ended
     * @param cause why
     */
    public record RoomMicChanged(int seatNo, Status from, Status to, String userId, String micSessionId, Cause cause)
            implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_MIC_CHANGED;
        }
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

    private static RoomEvent freed(Seat seat, Cause cause) {
        return new RoomMicChanged(seat.seatNo(), seat.status(), Status.IDLE, seat.userId(), seat.micSessionId(), cause);
    }

    static RoomState evolve(RoomState state, RoomMicChanged event) {
        Seat changed = event.to().occupied()
                ? new Seat(event.seatNo(), event.to(), event.userId(), event.micSessionId())
                : new Seat(event.seatNo(), event.to(), "", "");
        return state.withSeats(state.seats().update(event.seatNo() - 1, changed));
    }
}
