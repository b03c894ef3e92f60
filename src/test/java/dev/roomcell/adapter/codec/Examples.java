package dev.roomcell.adapter.codec;

import dev.roomcell.domain.CommandResult;
import dev.roomcell.domain.GiftBoard;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.HouseRules;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Lifecycle.CloseCause;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSession;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Presence.LeaveCause;
import dev.roomcell.domain.Presence.Member;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.Rocket;
import dev.roomcell.domain.RocketPlan;
import dev.roomcell.domain.Rockets;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.domain.Stamp;
import io.vavr.collection.HashMap;
import io.vavr.collection.HashSet;
import io.vavr.collection.Vector;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** One of everything that is stored, with no field left at its default; each name once used is used for ever. */
final class Examples {
    static final RoomKey ROOM = new RoomKey("lala", "room-1");
    static final Stamp STAMP = new Stamp(7, 1_700_000_000_123L);
    static final Profile PROFILE = new Profile(
            "olga", "Tea \u8336 \ud83c\udf75", "GB", "https://img.example/cover", "https://img.example/back");

    private Examples() {}

    static Map<String, RoomCommand> commands() {
        Map<String, RoomCommand> commands = new LinkedHashMap<>();
        for (RoomCommand.Kind kind : RoomCommand.Kind.values()) {
            commands.put(kind.name(), command(kind));
        }
        commands.put("JOIN_ROOM-robot", new Presence.JoinRoom("ben", Presence.MemberKind.ROBOT));
        return commands;
    }

    static RoomCommand command(RoomCommand.Kind kind) {
        return switch (kind) {
            case CREATE_ROOM -> new Lifecycle.CreateRoom("carl", PROFILE, 12);
            case CLOSE_ROOM -> new Lifecycle.CloseRoom("olga");
            case HEAL_ROOM -> new Lifecycle.HealRoom();
            case JOIN_ROOM -> new Presence.JoinRoom("ben");
            case LEAVE_ROOM -> new Presence.LeaveRoom("ben");
            case SWEEP_STALE ->
                new Presence.SweepStale(List.of(
                        new Presence.Silent("ben", 2, 1_700_000_000_002L),
                        new Presence.Silent("cara", 3, 1_700_000_000_003L)));
            case UPDATE_ROOM_PROFILE ->
                new Profile.UpdateRoomProfile(
                        "olga", Optional.of("Coffee"), Optional.of(""), Optional.of("https://img.example/other"));
            case SET_ROOM_BACKGROUND -> new Profile.SetRoomBackground("olga", "https://img.example/wall");
            case MIC_UP -> new MicSeats.MicUp("ben", 5);
            case MIC_DOWN -> new MicSeats.MicDown("olga", "ben", "mic-9");
            case CHANGE_MIC_SEAT -> new MicSeats.ChangeMicSeat("ben", 6, "mic-9");
            case CONFIRM_MIC_PUBLISHING -> new MicSeats.ConfirmMicPublishing("ben", "mic-9");
            case SET_MIC_SEAT_LOCK -> new MicSeats.SetMicSeatLock("olga", 5, true, true);
            case TIME_OUT_MIC -> new MicSeats.TimeOutMic("mic-9", 1_700_000_015_000L);
            case REPORT_RTC -> new RtcReports.ReportRtc("ben", RtcReports.Fact.AUDIO_STARTED, 1_700_000_009_100L);
            case DOUBT_MIC -> new RtcReports.DoubtMic("mic-9");
            case SET_CHAT_ENABLED -> new Moderation.SetChatEnabled("olga", true);
            case SET_ROOM_ADMIN -> new Moderation.SetRoomAdmin("olga", "ben", true);
            case MUTE_USER -> new Moderation.MuteUser("olga", "ben", 60_000);
            case KICK_USER -> new Moderation.KickUser("olga", "ben");
            case UNBAN_USER -> new Moderation.UnbanUser("olga", "ben");
            case SEND_GIFT ->
                new Gifts.SendGift(
                        "ben",
                        "rose",
                        3,
                        List.of("olga", "cara"),
                        new Gifts.Payment(100, 600, 9_400, 50, false),
                        Rockets.Fuel.NONE);
            case LAUNCH_ROCKET -> new Rockets.LaunchRocket("r17", 2, 1_700_000_030_000L, ROCKETS);
        };
    }

    private static final RocketPlan ROCKETS = new RocketPlan(
            List.of(new RocketPlan.Level(1_000, 10_000), new RocketPlan.Level(5_000, 30_000)),
            LocalTime.of(5, 0),
            ZoneId.of("Asia/Riyadh"));

    private static final Rocket FUELING =
            new Rocket("r21", 2, Rocket.Status.FUELING, 4_999, 5_000, 0, 1_700_001_000_000L, Rocket.Next.NONE);

    private static final Rocket IGNITED = new Rocket(
            "r17",
            1,
            Rocket.Status.IGNITED,
            1_000,
            1_000,
            1_700_000_030_000L,
            1_700_001_000_000L,
            new Rocket.Next(2, 250, "cara"));

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
                case ROOM_USER_JOINED -> {
                    events.put("ROOM_USER_JOINED", new Presence.RoomUserJoined("ben", Presence.MemberKind.USER, 42));
                    events.put(
                            "ROOM_USER_JOINED-robot",
                            new Presence.RoomUserJoined("ben", Presence.MemberKind.ROBOT, 42));
                }
                case ROOM_USER_LEFT -> {
                    for (LeaveCause cause : LeaveCause.values()) {
                        events.put(
                                "ROOM_USER_LEFT-" + cause,
                                new Presence.RoomUserLeft(
                                        "ben", Presence.MemberKind.USER, cause, 1_700_000_000_001L, 40));
                    }
                    events.put(
                            "ROOM_USER_LEFT-robot",
                            new Presence.RoomUserLeft(
                                    "ben", Presence.MemberKind.ROBOT, LeaveCause.LEFT, 1_700_000_000_001L, 40));
                }
                case ROOM_MIC_CHANGED -> micChanges(events);
                case ROOM_MIC_SEAT_LOCKED ->
                    events.put("ROOM_MIC_SEAT_LOCKED", new MicSeats.RoomMicSeatLocked(5, true));
                case ROOM_PROFILE_UPDATED ->
                    events.put(
                            "ROOM_PROFILE_UPDATED",
                            new Profile.RoomProfileUpdated(
                                    "Coffee", "US", "https://img.example/other", List.of(Profile.Field.values())));
                case ROOM_BACKGROUND_CHANGED ->
                    events.put(
                            "ROOM_BACKGROUND_CHANGED", new Profile.RoomBackgroundChanged("https://img.example/wall"));
                case ROOM_CHAT_ENABLED_CHANGED ->
                    events.put("ROOM_CHAT_ENABLED_CHANGED", new Moderation.RoomChatEnabledChanged(true));
                case ROOM_ADMIN_CHANGED ->
                    events.put("ROOM_ADMIN_CHANGED", new Moderation.RoomAdminChanged("ben", true));
                case ROOM_USER_MUTED ->
                    events.put("ROOM_USER_MUTED", new Moderation.RoomUserMuted("ben", 1_700_000_060_123L));
                case ROOM_USER_KICKED -> events.put("ROOM_USER_KICKED", new Moderation.RoomUserKicked("ben", true));
                case ROOM_USER_UNBANNED -> events.put("ROOM_USER_UNBANNED", new Moderation.RoomUserUnbanned("ben"));
                case ROOM_GIFT_SENT -> {
                    events.put(
                            "ROOM_GIFT_SENT",
                            new Gifts.RoomGiftSent("ben", List.of("olga", "cara"), "rose", 3, 100, 600, 50));
                    events.put(
                            "ROOM_GIFT_SENT-most",
                            new Gifts.RoomGiftSent(
                                    "ben", List.of("olga"), "rose", 1, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE));
                }
                case ROOM_ROCKET_FUEL_CHANGED -> {
                    events.put("ROOM_ROCKET_FUEL_CHANGED", new Rockets.RoomRocketFuelChanged(Optional.of(FUELING)));
                    events.put("ROOM_ROCKET_FUEL_CHANGED-none", new Rockets.RoomRocketFuelChanged(Optional.empty()));
                }
                case ROOM_ROCKET_IGNITED -> {
                    events.put("ROOM_ROCKET_IGNITED", new Rockets.RoomRocketIgnited(IGNITED, "ben"));
                    events.put(
                            "ROOM_ROCKET_IGNITED-most",
                            new Rockets.RoomRocketIgnited(
                                    new Rocket(
                                            "r17",
                                            Integer.MAX_VALUE,
                                            Rocket.Status.IGNITED,
                                            Long.MAX_VALUE,
                                            Long.MAX_VALUE,
                                            Long.MAX_VALUE,
                                            Long.MAX_VALUE,
                                            new Rocket.Next(Integer.MAX_VALUE, Long.MAX_VALUE, "ben")),
                                    "ben"));
                }
                case ROOM_ROCKET_LAUNCHED -> {
                    events.put("ROOM_ROCKET_LAUNCHED", new Rockets.RoomRocketLaunched("r17", 2, Optional.of(FUELING)));
                    events.put("ROOM_ROCKET_LAUNCHED-last", new Rockets.RoomRocketLaunched("r17", 2, Optional.empty()));
                }
            }
        }
        return events;
    }

    private static void micChanges(Map<String, RoomEvent> events) {
        MicSession session = session("mic-9", "ben");
        for (MicSeats.Cause cause : MicSeats.Cause.values()) {
            events.put(
                    "ROOM_MIC_CHANGED-" + cause,
                    new MicSeats.RoomMicChanged(
                            5, 0, MicSeats.Status.PUBLISHING, MicSeats.Status.IDLE, session, cause));
        }
        for (MicSeats.Status status : MicSeats.Status.values()) {
            events.put(
                    "ROOM_MIC_CHANGED-to-" + status,
                    new MicSeats.RoomMicChanged(5, 0, status, status, session, MicSeats.Cause.TAKEN));
        }
        events.put(
                "ROOM_MIC_CHANGED-moved",
                new MicSeats.RoomMicChanged(
                        5,
                        4,
                        MicSeats.Status.PUBLISHING,
                        MicSeats.Status.PENDING_PUBLISH,
                        new MicSession("mic-9", "ben", 9, 1_700_000_000_009L, 1_700_000_015_009L, true, 0),
                        MicSeats.Cause.SEAT_CHANGED));
    }

    /** As it was written before a session had a beginning and a deadline. */
    private static MicSession session(String id, String userId) {
        return new MicSession(id, userId, 0, 0, 0, false, 0);
    }

    private static Seat vacant(int seatNo, MicSeats.Status status) {
        return new Seat(seatNo, status, MicSession.NONE);
    }

    static Map<String, CommandResult> results() {
        Seat seat = new Seat(
                5,
                MicSeats.Status.PENDING_PUBLISH,
                new MicSession("mic-9", "ben", 9, 1_700_000_000_009L, 1_700_000_015_009L, true, 0));
        Map<String, CommandResult> results = new LinkedHashMap<>();
        results.put("Created", new Lifecycle.Created(1, 1_700_000_000_123L));
        results.put("Closed", new Lifecycle.Closed(9, 41, 1_700_000_000_456L));
        results.put("Joined", new Presence.Joined(7, 1_700_000_000_123L, 42));
        results.put("Left", new Presence.Left(8, 40));
        results.put("Updated", new Profile.Updated(9, PROFILE));
        results.put("BackgroundSet", new Profile.BackgroundSet(9, "https://img.example/wall"));
        results.put("SeatTaken", new MicSeats.SeatTaken(9, seat));
        results.put("SeatFreed", new MicSeats.SeatFreed(10, 5, "mic-9"));
        results.put("SeatChanged", new MicSeats.SeatChanged(10, seat, 4));
        results.put("SeatLockSet", new MicSeats.SeatLockSet(10, vacant(5, MicSeats.Status.LOCKED), "ben"));
        results.put("ChatSwitched", new Moderation.ChatSwitched(9, true));
        results.put("AdminSet", new Moderation.AdminSet(9, true));
        results.put("Muted", new Moderation.Muted(9, 1_700_000_060_123L));
        results.put("Kicked", new Moderation.Kicked(9, 40));
        results.put("GiftSent", new Gifts.GiftSent(9, 9_450, 600, 50, false));
        results.put("GiftSent-most", new Gifts.GiftSent(9, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, true));
        results.put("LaunchDone", new Rockets.LaunchDone(9, true));
        results.put("RtcHeard", new RtcReports.RtcHeard(9, RtcReports.Outcome.DOUBTED));
        results.put("Unbanned", new Moderation.Unbanned(9));
        return results;
    }

    static Map<String, RoomState> states() {
        Map<String, RoomState> states = new LinkedHashMap<>();
        for (Lifecycle.Status status : Lifecycle.Status.values()) {
            states.put(status.name(), state(status));
        }
        states.put("MODERATED", moderated());
        states.put("GIVEN_TO", givenTo());
        states.put("ROCKET_FUELING", withRocket(FUELING));
        states.put("ROCKET_IGNITED", withRocket(IGNITED));
        return states;
    }

    private static RoomState withRocket(Rocket rocket) {
        RoomState room = state(Lifecycle.Status.ACTIVE);
        return new RoomState(
                room.key(),
                room.version(),
                room.status(),
                room.profile(),
                room.createdAtMs(),
                room.closedAtMs(),
                room.members(),
                room.robots(),
                room.seats(),
                room.houseRules(),
                room.board(),
                Optional.of(rocket));
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
                                "ben",
                                        new Member(
                                                "ben",
                                                Presence.MemberKind.USER,
                                                1_700_000_000_002L,
                                                2,
                                                1_700_000_000_092L),
                                "cara",
                                        new Member(
                                                "cara",
                                                Presence.MemberKind.USER,
                                                1_700_000_000_003L,
                                                3,
                                                1_700_000_000_093L),
                                "adam",
                                        new Member(
                                                "adam",
                                                Presence.MemberKind.USER,
                                                1_700_000_000_004L,
                                                4,
                                                1_700_000_000_094L)),
                        0,
                        Vector.of(
                                vacant(1, MicSeats.Status.IDLE),
                                vacant(2, MicSeats.Status.LOCKED),
                                new Seat(3, MicSeats.Status.PENDING_PUBLISH, session("mic-5", "ben")),
                                new Seat(4, MicSeats.Status.PUBLISHING, session("mic-6", "cara"))),
                        HouseRules.INITIAL,
                        GiftBoard.EMPTY,
                        Optional.empty());
            case CLOSED ->
                new RoomState(
                        ROOM,
                        8,
                        status,
                        PROFILE,
                        1_700_000_000_001L,
                        1_700_000_000_999L,
                        HashMap.empty(),
                        0,
                        Vector.of(vacant(1, MicSeats.Status.IDLE), vacant(2, MicSeats.Status.LOCKED)),
                        HouseRules.INITIAL,
                        GiftBoard.EMPTY,
                        Optional.empty());
        };
    }

    /** With all that came after. */
    private static RoomState moderated() {
        return new RoomState(
                ROOM,
                70,
                Lifecycle.Status.ACTIVE,
                PROFILE,
                1_700_000_000_001L,
                0,
                HashMap.of(
                        "ben",
                        new Member("ben", Presence.MemberKind.USER, 1_700_000_000_002L, 2, 1_700_000_000_092L),
                        "r2",
                        new Member("r2", Presence.MemberKind.ROBOT, 1_700_000_000_003L, 3, 1_700_000_000_093L)),
                1,
                Vector.of(
                        vacant(1, MicSeats.Status.LOCKED),
                        new Seat(
                                2,
                                MicSeats.Status.PENDING_PUBLISH,
                                new MicSession("mic-9", "ben", 9, 1_700_000_000_009L, 1_700_000_015_009L, true, 0))),
                new HouseRules(
                        false,
                        HashSet.of("dora", "cara"),
                        HashSet.of("mallory", "eve"),
                        HashMap.of("ben", 1_700_000_060_123L, "adam", 1_700_000_060_124L)),
                GiftBoard.EMPTY,
                Optional.empty());
    }

    private static RoomState givenTo() {
        RoomState room = moderated();
        return new RoomState(
                ROOM,
                71,
                room.status(),
                room.profile(),
                room.createdAtMs(),
                0,
                room.members(),
                room.robots(),
                room.seats(),
                room.houseRules(),
                GiftBoard.of(
                        Long.MAX_VALUE,
                        List.of(
                                new GiftBoard.Giver("ben", Long.MAX_VALUE, 70),
                                new GiftBoard.Giver("cara", 600, 9),
                                new GiftBoard.Giver("adam", 600, 71))),
                Optional.empty());
    }
}
