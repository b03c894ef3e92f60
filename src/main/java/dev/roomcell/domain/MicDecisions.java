package dev.roomcell.domain;

import dev.roomcell.domain.MicSeats.Cause;
import dev.roomcell.domain.MicSeats.RoomMicChanged;
import dev.roomcell.domain.MicSeats.RoomMicSeatLocked;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSeats.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What becomes of the commands of {@link MicSeats}. A refused one alters nothing. */
final class MicDecisions {
    private MicDecisions() {}

    static Decision up(RoomState state, MicSeats.MicUp command, Stamp stamp, RoomPolicy policy) {
        String userId = command.actorUserId();
        Optional<Decision> refused = Presence.notIn(state, userId);
        if (refused.isPresent()) {
            return refused.get();
        }
        Optional<Seat> held = MicSeats.seatOf(state, userId);
        if (held.isPresent()) {
            return alreadyOnSeat(held.get());
        }
        Optional<Decision> unfit = notFree(state, command.seatNo());
        if (unfit.isPresent()) {
            return unfit.get();
        }
        return taken(MicSeats.taken(command.seatNo(), MicSession.begun(userId, stamp, policy)), stamp);
    }

    private static Decision taken(RoomMicChanged event, Stamp stamp) {
        return new Decision.Accepted(List.of(event), new MicSeats.SeatTaken(stamp.version(), MicSeats.after(event)));
    }

    static Decision down(RoomState state, MicSeats.MicDown command, Stamp stamp) {
        String target = command.targetUserId();
        boolean own = target.equals(command.actorUserId());
        Optional<Decision> refused = own
                ? Presence.notIn(state, target)
                : Rights.refused(state, command.actorUserId(), Rights.Action.TAKE_DOWN, target)
                        .or(() -> Presence.absent(state, target));
        if (refused.isPresent()) {
            return refused.get();
        }
        Optional<Seat> held = MicSeats.seatOf(state, target);
        Optional<Decision> stale = notOf(held, target, command.micSessionId());
        if (stale.isPresent()) {
            return stale.get();
        }
        Seat seat = held.orElseThrow();
        return new Decision.Accepted(
                List.of(MicSeats.freed(seat, own ? Cause.MIC_DOWN : Cause.TAKEN_DOWN)),
                new MicSeats.SeatFreed(stamp.version(), seat.seatNo(), seat.micSessionId()));
    }

    static Decision change(RoomState state, MicSeats.ChangeMicSeat command, Stamp stamp, RoomPolicy policy) {
        String userId = command.actorUserId();
        Optional<Seat> held = MicSeats.seatOf(state, userId);
        Optional<Decision> refused =
                Presence.notIn(state, userId).or(() -> notOf(held, userId, command.micSessionId()));
        if (refused.isPresent()) {
            return refused.get();
        }
        Seat seat = held.orElseThrow();
        if (seat.seatNo() == command.seatNo()) {
            return Decision.Unchanged.answering(new MicSeats.SeatChanged(state.version(), seat, seat.seatNo()));
        }
        Optional<Decision> unfit = notFree(state, command.seatNo());
        if (unfit.isPresent()) {
            return unfit.get();
        }
        // While pending the deadline stays, or hopping would live for ever (MIC-7).
        long deadlineMs = seat.status() == Status.PENDING_PUBLISH
                ? seat.session().publishDeadlineMs()
                : stamp.atMs() + policy.publishWithinMs();
        RoomMicChanged event = MicSeats.moved(seat, command.seatNo(), deadlineMs);
        return new Decision.Accepted(
                List.of(event), new MicSeats.SeatChanged(stamp.version(), MicSeats.after(event), seat.seatNo()));
    }

    static Decision confirm(RoomState state, MicSeats.ConfirmMicPublishing command, Stamp stamp) {
        String userId = command.actorUserId();
        Optional<Seat> held = MicSeats.seatOf(state, userId);
        Optional<Decision> refused =
                Presence.notIn(state, userId).or(() -> notOf(held, userId, command.micSessionId()));
        if (refused.isPresent()) {
            return refused.get();
        }
        Seat seat = held.orElseThrow();
        return seat.status() == Status.PUBLISHING
                ? Decision.Unchanged.answering(new MicSeats.SeatTaken(state.version(), seat))
                : taken(MicSeats.onTheAir(seat, Cause.PUBLISH_CONFIRMED), stamp);
    }

    static Decision setLock(RoomState state, MicSeats.SetMicSeatLock command, Stamp stamp) {
        String actor = command.actorUserId();
        Optional<Decision> refused =
                Rights.refused(state, actor, Rights.Action.LOCK_SEAT).or(() -> notThere(state, command.seatNo()));
        if (refused.isPresent()) {
            return refused.get();
        }
        Seat seat = state.seats().get(command.seatNo() - 1);
        boolean asWished = command.locked() ? seat.status() == Status.LOCKED : seat.status() != Status.LOCKED;
        if (asWished) {
            return Decision.Unchanged.answering(new MicSeats.SeatLockSet(state.version(), seat, ""));
        }
        String removed = seat.userId();
        List<RoomEvent> events = new ArrayList<>(2);
        if (seat.status().occupied()) {
            if (!command.force()) {
                return occupied(seat);
            }
            Optional<Decision> standsAbove = removed.equals(actor)
                    ? Optional.empty()
                    : Rights.refused(state, actor, Rights.Action.LOCK_SEAT, removed);
            if (standsAbove.isPresent()) {
                return standsAbove.get();
            }
            events.add(MicSeats.freed(seat, Cause.SEAT_LOCKED));
        }
        RoomMicSeatLocked locked = new RoomMicSeatLocked(command.seatNo(), command.locked());
        events.add(locked);
        return new Decision.Accepted(
                events, new MicSeats.SeatLockSet(stamp.version(), MicSeats.after(locked), removed));
    }

    /** Whichever of a confirmation and its timeout is committed first wins; the other finds nothing to do. */
    static Decision timeOut(RoomState state, MicSeats.TimeOutMic command, Stamp stamp) {
        Optional<Seat> due = state.seats()
                .find(seat -> seat.status() == Status.PENDING_PUBLISH
                        && seat.micSessionId().equals(command.micSessionId())
                        && seat.session().publishDeadlineMs() == command.deadlineMs()
                        && command.deadlineMs() <= stamp.atMs())
                .toJavaOptional();
        if (due.isEmpty()) {
            return Decision.Unchanged.answering(new MicSeats.SeatTaken(state.version(), MicSeats.nobodysSeat()));
        }
        Seat seat = due.get();
        return taken(
                seat.session().streaming()
                        ? MicSeats.onTheAir(seat, Cause.STREAM_KEPT)
                        : MicSeats.freed(seat, Cause.PUBLISH_TIMEOUT),
                stamp);
    }

    /** The refusal of a seat that can't be taken; empty if it can. */
    private static Optional<Decision> notFree(RoomState state, int seatNo) {
        Optional<Decision> missing = notThere(state, seatNo);
        if (missing.isPresent()) {
            return missing;
        }
        Seat seat = state.seats().get(seatNo - 1);
        return switch (seat.status()) {
            case IDLE -> Optional.empty();
            case LOCKED -> Optional.of(onSeat(Rejection.Reason.SEAT_LOCKED, "seat " + seatNo + " is locked", seatNo));
            case PENDING_PUBLISH, PUBLISHING -> Optional.of(occupied(seat));
        };
    }

    private static Optional<Decision> notThere(RoomState state, int seatNo) {
        return seatNo >= 1 && seatNo <= state.seats().size()
                ? Optional.empty()
                : Optional.of(onSeat(
                        Rejection.Reason.SEAT_NOT_FOUND,
                        "the room has seats 1 to " + state.seats().size(),
                        seatNo));
    }

    private static Decision onSeat(Rejection.Reason reason, String message, int seatNo) {
        return new Decision.Rejected(new Rejection(reason, message).with("seat_no", Integer.toString(seatNo)));
    }

    private static Decision occupied(Seat seat) {
        return new Decision.Rejected(new Rejection(
                        Rejection.Reason.SEAT_OCCUPIED, "user " + seat.userId() + " sits on seat " + seat.seatNo())
                .with("seat_no", Integer.toString(seat.seatNo()))
                .with("user_id", seat.userId()));
    }

    private static Decision alreadyOnSeat(Seat held) {
        return onSeat(
                Rejection.Reason.ALREADY_ON_SEAT,
                "the user sits on seat " + held.seatNo() + "; use ChangeMicSeat to move",
                held.seatNo());
    }

    /** The refusal where there is no such session (MIC-1); an empty id names whichever there is. */
    private static Optional<Decision> notOf(Optional<Seat> held, String userId, String micSessionId) {
        if (held.isEmpty()) {
            // The seat went with the session; whoever names one is told that it is over.
            return Optional.of(
                    micSessionId.isEmpty()
                            ? Decision.Rejected.because(
                                    Rejection.Reason.NOT_ON_SEAT, "user " + userId + " has no mic seat; MicUp first")
                            : sessionStale());
        }
        return micSessionId.isEmpty() || held.get().micSessionId().equals(micSessionId)
                ? Optional.empty()
                : Optional.of(sessionStale());
    }

    private static Decision sessionStale() {
        return Decision.Rejected.because(
                Rejection.Reason.MIC_SESSION_STALE, "the mic session is over; read the room again");
    }
}
