package dev.roomcell.adapter.codec;

import dev.roomcell.domain.CommandResult;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Lifecycle.CloseCause;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Presence.LeaveCause;
import dev.roomcell.domain.Presence.Member;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import io.vavr.collection.HashMap;
import io.vavr.collection.Vector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** One of everything that is stored, with no field left at its default; each name once used is used for ever. */
final class Examples {
    static final RoomKey ROOM = new RoomKey("lala", "room-1");
    static final Stamp STAMP = new Stamp(7, 1_700_000_000_123L);
    static final Lifecycle.Profile PROFILE = new Lifecycle.Profile(
            "olga", "Tea \u8336 \ud83c\udf75", "GB", "https://img.example/cover", "https://img.example/back");

    private Examples() {}

    static Map<String, RoomCommand> commands() {
        Map<String, RoomCommand> commands = new LinkedHashMap<>();
        for (RoomCommand.Kind kind : RoomCommand.Kind.values()) {
            commands.put(kind.name(), command(kind));
        }
        return commands;
    }

    static RoomCommand command(RoomCommand.Kind kind) {
        return switch (kind) {
            case CREATE_ROOM -> new Lifecycle.CreateRoom("carl", PROFILE, 12);
            case CLOSE_ROOM -> new Lifecycle.CloseRoom("olga");
            case HEAL_ROOM -> new Lifecycle.HealRoom();
            case JOIN_ROOM -> new Presence.JoinRoom("ben");
            case LEAVE_ROOM -> new Presence.LeaveRoom("ben");
        };
    }

    /** The example of that name. */
    static RoomEvent event(String name) {
        return Objects.requireNonNull(events().get(name), name);
    }

    static Map<String, RoomEvent> events() {
        Map<String, RoomEvent> events = new LinkedHashMap<>();
        for (RoomEvent.Type type : RoomEvent.Type.values()) {
            switch (type) {
                case ROOM_CREATED -> events.put("ROOM_CREATED", new Lifecycle.RoomCreated(PROFILE, 12));
                case ROOM_CLOSED -> {
                    for (CloseCause cause : CloseCause.values()) {
                        events.put("ROOM_CLOSED-" + cause, new Lifecycle.RoomClosed(cause, 41));
                    }
                }
                case ROOM_USER_JOINED -> events.put("ROOM_USER_JOINED", new Presence.RoomUserJoined("ben", 42));
                case ROOM_USER_LEFT -> {
                    for (LeaveCause cause : LeaveCause.values()) {
                        events.put(
                                "ROOM_USER_LEFT-" + cause,
                                new Presence.RoomUserLeft("ben", cause, 1_700_000_000_001L, 40));
                    }
                }
                case ROOM_MIC_CHANGED -> micChanges(events);
            }
        }
        return events;
    }

    private static void micChanges(Map<String, RoomEvent> events) {
        for (MicSeats.Cause cause : MicSeats.Cause.values()) {
            events.put(
                    "ROOM_MIC_CHANGED-" + cause,
                    new MicSeats.RoomMicChanged(
                            5, MicSeats.Status.PUBLISHING, MicSeats.Status.IDLE, "ben", "mic-9", cause));
        }
        for (MicSeats.Status status : MicSeats.Status.values()) {
            events.put(
                    "ROOM_MIC_CHANGED-to-" + status,
                    new MicSeats.RoomMicChanged(5, status, status, "ben", "mic-9", MicSeats.Cause.TAKEN));
        }
    }

    static Map<String, CommandResult> results() {
        return Map.of(
                "Created", new Lifecycle.Created(1, 1_700_000_000_123L),
                "Closed", new Lifecycle.Closed(9, 41, 1_700_000_000_456L),
                "Joined", new Presence.Joined(7, 1_700_000_000_123L, 42),
                "Left", new Presence.Left(8, 40));
    }

    static Map<String, RoomState> states() {
        Map<String, RoomState> states = new LinkedHashMap<>();
        for (Lifecycle.Status status : Lifecycle.Status.values()) {
            states.put(status.name(), state(status));
        }
        return states;
    }

    static RoomState state(Lifecycle.Status status) {
        return switch (status) {
            case CREATING -> RoomState.creating(ROOM);
            case ACTIVE, CLOSING ->
                new RoomState(
                        ROOM,
                        7,
                        status,
                        PROFILE,
                        1_700_000_000_001L,
                        0,
                        HashMap.of(
                                "ben", new Member("ben", 1_700_000_000_002L, 2, 1_700_000_000_092L),
                                "cara", new Member("cara", 1_700_000_000_003L, 3, 1_700_000_000_093L),
                                "adam", new Member("adam", 1_700_000_000_004L, 4, 1_700_000_000_094L)),
                        Vector.of(
                                new Seat(1, MicSeats.Status.IDLE, "", ""),
                                new Seat(2, MicSeats.Status.LOCKED, "", ""),
                                new Seat(3, MicSeats.Status.PENDING_PUBLISH, "ben", "mic-5"),
                                new Seat(4, MicSeats.Status.PUBLISHING, "cara", "mic-6")));
            case CLOSED ->
                new RoomState(
                        ROOM,
                        8,
                        status,
                        PROFILE,
                        1_700_000_000_001L,
                        1_700_000_000_999L,
                        HashMap.empty(),
                        Vector.of(
                                new Seat(1, MicSeats.Status.IDLE, "", ""),
                                new Seat(2, MicSeats.Status.LOCKED, "", "")));
        };
    }
}
