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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

/** A room that lives through steps, beside a plain account of who should be present, checked after each. */
final class LivedRoom {
    private static final StoredForm CODEC = new StoredForm();

    private final RoomLog log = new RoomLog();
    /** Who should be present, since when; kept by other means than the room's own. */
    private final Map<String, Long> present = new TreeMap<>();

    private RoomState room = RoomState.creating(Story.ROOM);
    private long nowMs = Story.atMs(0);
    private final Set<String> banned = new TreeSet<>();
    private boolean seatFreed;
    private int commands;

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
            ask(seen(asked.command()));
        } else {
            twist((Step.Twisted) step);
        }
        assertThat(room.houseRules().banned()).containsExactlyInAnyOrderElementsOf(banned);
        assertThat(room.checked().members().keySet()).containsExactlyInAnyOrderElementsOf(present.keySet());
        present.forEach((userId, sinceMs) ->
                assertThat(room.member(userId).orElseThrow().joinedAtMs()).isEqualTo(sinceMs));
    }

    void assertVersionsWithoutGap() {
        assertThat(log.versions())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, room.version()).boxed().toList());
    }

    /** How many commands were asked. */
    int commands() {
        return commands;
    }

    /** What the room's own timers would ask now: they name what the room has, which no plan knows. */
    private RoomCommand seen(RoomCommand command) {
        if (command.kind() == RoomCommand.Kind.SWEEP_STALE) {
            return new Presence.SweepStale(Presence.silent(room, nowMs - 30_000, Presence.MAX_SWEPT));
        }
        List<Seat> pending = MicSeats.pending(room);
        if (command.kind() == RoomCommand.Kind.TIME_OUT_MIC && !pending.isEmpty()) {
            Seat first = pending.get(0);
            return new MicSeats.TimeOutMic(first.micSessionId(), first.session().publishDeadlineMs());
        }
        Optional<Rocket> ignited = room.rocket().filter(Rocket::ignited);
        if (command.kind() == RoomCommand.Kind.LAUNCH_ROCKET && ignited.isPresent()) {
            Rocket rocket = ignited.get();
            return new Rockets.LaunchRocket(rocket.id(), rocket.level(), rocket.launchAtMs(), Story.ROCKETS);
        }
        return command;
    }

    private void ask(RoomCommand command) {
        commands++;
        Stamp stamp = new Stamp(room.version() + 1, nowMs);
        byte[] before = CODEC.encodeState(room, nowMs).state();
        Decision decision = RoomDecider.decide(room, command, stamp, RoomPolicy.STANDARD);
        assertThat(CODEC.encodeState(room, nowMs).state()).isEqualTo(before);

        if (decision instanceof Decision.Accepted accepted) {
            assertThat(room.status()).isNotEqualTo(Lifecycle.Status.CLOSED);
            assertThat(accepted.result().roomVersion()).isEqualTo(stamp.version());
            assertOrder(accepted.events());
            assertUntouched(command, accepted.events());
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

    /** PRES-3, ROOM-4: seats first, then presence, then rights and the room; the seats of whoever is gone are free. */
    private void assertOrder(List<RoomEvent> events) {
        assertThat(events.stream().map(LivedRoom::rank)).isSorted();
        int users = users();
        for (RoomEvent event : events) {
            if (event instanceof Presence.RoomUserJoined joined) {
                users += joined.kind() == Presence.MemberKind.USER ? 1 : 0;
                assertThat(joined.onlineCount()).isEqualTo(users);
                assertThat(banned).doesNotContain(joined.userId());
            } else if (event instanceof Presence.RoomUserLeft left) {
                users -= left.kind() == Presence.MemberKind.USER ? 1 : 0;
                assertThat(left.onlineCount()).isEqualTo(users);
            } else if (event instanceof Lifecycle.RoomClosed closed) {
                assertThat(closed.usersPresent()).isEqualTo(users);
            } else if (event instanceof RoomMicChanged changed) {
                seatFreed |= changed.to() == MicSeats.Status.IDLE;
            }
        }
    }

    private int users() {
        return (int) present.keySet().stream().filter(room::isUser).count();
    }

    /** MIC-1, MIC-2: a session that goes on keeps its beginning, and nobody but its user's own events touch it. */
    private void assertUntouched(RoomCommand command, List<RoomEvent> events) {
        for (RoomEvent event : events) {
            if (event instanceof RoomMicChanged changed && changed.cause() != Cause.TAKEN) {
                Seat before = MicSeats.seatOf(room, changed.session().userId()).orElseThrow();
                assertThat(changed.session().id()).as("%s", command).isEqualTo(before.micSessionId());
                assertThat(changed.session().roomVersion())
                        .isEqualTo(before.session().roomVersion());
                assertThat(changed.session().startedAtMs())
                        .isEqualTo(before.session().startedAtMs());
            }
        }
    }

    private static int rank(RoomEvent event) {
        return switch (event.type()) {
            case ROOM_MIC_CHANGED -> 0;
            case ROOM_USER_JOINED, ROOM_USER_LEFT -> 1;
            case ROOM_CREATED,
                    ROOM_CLOSED,
                    ROOM_PROFILE_UPDATED,
                    ROOM_BACKGROUND_CHANGED,
                    ROOM_MIC_SEAT_LOCKED,
                    ROOM_CHAT_ENABLED_CHANGED,
                    ROOM_ADMIN_CHANGED,
                    ROOM_USER_MUTED,
                    ROOM_USER_KICKED,
                    ROOM_USER_UNBANNED,
                    ROOM_GIFT_SENT,
                    ROOM_ROCKET_FUEL_CHANGED,
                    ROOM_ROCKET_IGNITED,
                    ROOM_ROCKET_LAUNCHED -> 2;
        };
    }

    private void expect(RoomCommand accepted) {
        switch (accepted.kind()) {
            case JOIN_ROOM ->
                assertThat(present.put(accepted.actorUserId(), nowMs)).isNull();
            case LEAVE_ROOM ->
                assertThat(present.remove(accepted.actorUserId())).isNotNull();
            case KICK_USER -> {
                String target = ((Moderation.KickUser) accepted).targetUserId();
                present.remove(target);
                assertThat(banned.add(target)).isTrue();
            }
            case UNBAN_USER ->
                assertThat(banned.remove(((Moderation.UnbanUser) accepted).targetUserId()))
                        .isTrue();
            case SWEEP_STALE ->
                ((Presence.SweepStale) accepted)
                        .silent()
                        .forEach(silent ->
                                assertThat(present.remove(silent.userId())).isNotNull());
            case CLOSE_ROOM, HEAL_ROOM -> present.clear();
            case CREATE_ROOM,
                    UPDATE_ROOM_PROFILE,
                    SET_ROOM_BACKGROUND,
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
                    SEND_GIFT,
                    LAUNCH_ROCKET -> {
                // Nobody comes or goes by it.
            }
        }
    }

    private void twist(Step.Twisted step) {
        switch (step.twist()) {
            case SIGN_OF_LIFE -> room = Presence.seen(room, step.userId(), nowMs);
            case CLOSING_BEGUN -> {
                if (room.status() == Lifecycle.Status.ACTIVE) {
                    room = room.closingBegun();
                }
            }
        }
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
