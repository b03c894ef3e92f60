package dev.roomcell.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.domain.MicSeats.Cause;
import dev.roomcell.domain.MicSeats.RoomMicChanged;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.port.SnapshotStore.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** A room that lives through steps, beside a plain account of who should be present, checked after each. */
final class LivedRoom {
    private static final StoredForm CODEC = new StoredForm();

    private final RoomLog log = new RoomLog();
    /** Who should be present, since when; kept by other means than the room's own. */
    private final Map<String, Long> present = new TreeMap<>();

    private RoomState room = RoomState.creating(Story.ROOM);
    private long nowMs = Story.atMs(0);
    private boolean seatFreed;

    RoomState state() {
        return room;
    }

    /** Whether somebody lost a seat by leaving or by the room's end. */
    boolean seatFreed() {
        return seatFreed;
    }

    void live(Step step) {
        nowMs += step.afterMs();
        if (step instanceof Step.Asked asked) {
            ask(asked.command());
        } else {
            twist((Step.Twisted) step);
        }
        assertThat(room.checked().members().keySet()).containsExactlyInAnyOrderElementsOf(present.keySet());
        present.forEach((userId, sinceMs) ->
                assertThat(room.member(userId).orElseThrow().joinedAtMs()).isEqualTo(sinceMs));
    }

    void assertVersionsWithoutGap() {
        assertThat(log.versions())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, room.version()).boxed().toList());
    }

    private void ask(RoomCommand command) {
        Stamp stamp = new Stamp(room.version() + 1, nowMs);
        byte[] before = CODEC.encodeState(room, nowMs).state();
        Decision decision = RoomDecider.decide(room, command, stamp);
        assertThat(CODEC.encodeState(room, nowMs).state()).isEqualTo(before);

        if (decision instanceof Decision.Accepted accepted) {
            assertThat(room.status()).isNotEqualTo(Lifecycle.Status.CLOSED);
            assertThat(accepted.result().roomVersion()).isEqualTo(stamp.version());
            assertOrder(accepted.events());
            happens(accepted.events());
            expect(command);
        } else if (decision instanceof Decision.Unchanged unchanged) {
            assertThat(unchanged.result().roomVersion()).isEqualTo(room.version());
            unchanged.seenUserId().ifPresent(userId -> room = Presence.seen(room, userId, nowMs));
        }
    }

    private void happens(List<RoomEvent> events) {
        Stamp stamp = new Stamp(room.version() + 1, nowMs);
        log.append(stamp, events);
        room = RoomDecider.evolve(room, events, stamp);
        assertThat(room.version()).isEqualTo(stamp.version());
    }

    /** PRES-3, ROOM-4: seats first, then presence, then the room; the seats of whoever is gone are free. */
    private void assertOrder(List<RoomEvent> events) {
        List<Integer> ranks = events.stream().map(LivedRoom::rank).toList();
        assertThat(ranks).isSorted();
        for (RoomEvent event : events) {
            switch (event.type()) {
                case ROOM_USER_JOINED ->
                    assertThat(((Presence.RoomUserJoined) event).onlineCount()).isEqualTo(present.size() + 1);
                case ROOM_USER_LEFT ->
                    assertThat(((Presence.RoomUserLeft) event).onlineCount()).isEqualTo(present.size() - 1);
                case ROOM_CLOSED ->
                    assertThat(((Lifecycle.RoomClosed) event).usersPresent()).isEqualTo(present.size());
                case ROOM_MIC_CHANGED -> seatFreed = true;
                case ROOM_CREATED -> assertThat(room.version()).isZero();
            }
        }
    }

    private static int rank(RoomEvent event) {
        return switch (event.type()) {
            case ROOM_MIC_CHANGED -> 0;
            case ROOM_USER_JOINED, ROOM_USER_LEFT -> 1;
            case ROOM_CREATED, ROOM_CLOSED -> 2;
        };
    }

    private void expect(RoomCommand accepted) {
        switch (accepted.kind()) {
            case JOIN_ROOM ->
                assertThat(present.put(accepted.actorUserId(), nowMs)).isNull();
            case LEAVE_ROOM ->
                assertThat(present.remove(accepted.actorUserId())).isNotNull();
            case CLOSE_ROOM, HEAL_ROOM -> present.clear();
            case CREATE_ROOM -> assertThat(present).isEmpty();
        }
    }

    private void twist(Step.Twisted step) {
        if (step.twist() == Step.Twist.SIGN_OF_LIFE) {
            room = Presence.seen(room, step.userId(), nowMs);
        } else if (room.status() != Lifecycle.Status.ACTIVE) {
            return;
        } else if (step.twist() == Step.Twist.CLOSING_BEGUN) {
            room = room.closingBegun();
        } else if (step.seatNo() <= room.seats().size()) {
            micChange(room.seats().get(step.seatNo() - 1), step).ifPresent(event -> happens(List.of(event)));
        }
    }

    private Optional<RoomEvent> micChange(Seat seat, Step.Twisted step) {
        boolean maySit = present.containsKey(step.userId())
                && MicSeats.seatOf(room, step.userId()).isEmpty();
        return switch (seat.status()) {
            case IDLE ->
                switch (step.twist()) {
                    case SIT_DOWN ->
                        maySit
                                ? change(seat, MicSeats.Status.PENDING_PUBLISH, step.userId(), "mic-" + room.version())
                                : Optional.empty();
                    case LOCK -> change(seat, MicSeats.Status.LOCKED, "", "");
                    default -> Optional.empty();
                };
            case LOCKED ->
                step.twist() == Step.Twist.UNLOCK ? change(seat, MicSeats.Status.IDLE, "", "") : Optional.empty();
            case PENDING_PUBLISH ->
                step.twist() == Step.Twist.PUBLISH
                        ? change(seat, MicSeats.Status.PUBLISHING, seat.userId(), seat.micSessionId())
                        : Optional.empty();
            case PUBLISHING -> Optional.empty();
        };
    }

    private static Optional<RoomEvent> change(Seat seat, MicSeats.Status to, String userId, String micSessionId) {
        return Optional.of(new RoomMicChanged(seat.seatNo(), seat.status(), to, userId, micSessionId, Cause.TAKEN));
    }

    void assertComesBackFromItsLog() {
        RoomState replayed = log.replay(Story.ROOM);
        if (room.status() == Lifecycle.Status.CLOSING) {
            replayed = replayed.closingBegun();
        }
        assertThat(replayed.checked()).isEqualTo(RoomLog.withoutSignsOfLife(room));
    }

    /** PRES-7: with the hint of who was seen when, and without it. */
    void assertComesBackFromASnapshot() {
        Snapshot snapshot = CODEC.encodeState(room, nowMs);
        assertThat(CODEC.decodeState(Story.ROOM, snapshot)).isEqualTo(room);

        Snapshot withoutHint = Snapshot.of(snapshot.version(), nowMs, snapshot.state(), new byte[0]);
        assertThat(CODEC.decodeState(Story.ROOM, withoutHint)).isEqualTo(RoomLog.withoutSignsOfLife(room));
    }
}
