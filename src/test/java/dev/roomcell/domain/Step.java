package dev.roomcell.domain;

import dev.roomcell.domain.RoomCommand.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** One thing that may happen to a room; some time passes before each. */
sealed interface Step {
    List<String> USERS = List.of("olga", "ben", "cara", "dora");

    long afterMs();

    /**
     * A command.
     *
     * @param afterMs since the step before, ms
     * @param command what is asked
     */
    record Asked(long afterMs, RoomCommand command) implements Step {}

    /**
     * Something that is no command.
     *
     * @param afterMs since the step before, ms
     * @param twist what
     * @param userId whom it concerns, where it concerns anybody
     */
    record Twisted(long afterMs, Twist twist, String userId) implements Step {}

    /** What RTC may say. */
    List<RtcReports.Fact> FACTS = List.of(RtcReports.Fact.values());

    /** What else may happen; a twist that does not apply does nothing. */
    enum Twist {
        SIGN_OF_LIFE,
        CLOSING_BEGUN
    }

    static Arbitrary<Step> any() {
        Arbitrary<Long> after = Arbitraries.longs().between(0, 10_000);
        Arbitrary<String> user = Arbitraries.of(USERS);
        Arbitrary<Step> asked = Combinators.combine(
                        after, kinds(), user, user, Arbitraries.integers().between(0, 1_000))
                .as((afterMs, kind, actor, target, lot) -> new Asked(afterMs, command(kind, actor, target, lot)));
        Arbitrary<Twist> twist = Arbitraries.frequencyOf(
                Tuple.of(20, Arbitraries.just(Twist.SIGN_OF_LIFE)), Tuple.of(1, Arbitraries.just(Twist.CLOSING_BEGUN)));
        Arbitrary<Step> twisted = Combinators.combine(after, twist, user).as(Twisted::new);
        return Arbitraries.frequencyOf(Tuple.of(12, asked), Tuple.of(1, twisted));
    }

    private static Arbitrary<Kind> kinds() {
        List<Kind> often = List.of(Kind.JOIN_ROOM, Kind.MIC_UP, Kind.CONFIRM_MIC_PUBLISHING, Kind.CHANGE_MIC_SEAT);
        List<Kind> seldom = List.of(Kind.CREATE_ROOM, Kind.CLOSE_ROOM, Kind.HEAL_ROOM);
        List<Kind> other = Arrays.stream(Kind.values())
                .filter(kind -> !often.contains(kind) && !seldom.contains(kind))
                .toList();
        return Arbitraries.frequencyOf(
                Tuple.of(24, Arbitraries.of(often)),
                Tuple.of(24, Arbitraries.of(other)),
                Tuple.of(1, Arbitraries.of(seldom)));
    }

    /** A command of a kind; {@code lot} draws the rest of it. */
    static RoomCommand command(Kind kind, String actor, String target, int lot) {
        int seatNo = 1 + lot % 4;
        boolean coin = lot % 2 == 0;
        String session = lot % 3 == 0 ? "" : "mic-" + lot % 40;
        return switch (kind) {
            case CREATE_ROOM -> new Lifecycle.CreateRoom(actor, Story.PROFILE, 3);
            case CLOSE_ROOM -> new Lifecycle.CloseRoom(actor);
            case HEAL_ROOM -> new Lifecycle.HealRoom();
            case JOIN_ROOM ->
                new Presence.JoinRoom(actor, lot % 10 == 0 ? Presence.MemberKind.ROBOT : Presence.MemberKind.USER);
            case LEAVE_ROOM -> new Presence.LeaveRoom(actor);
            case SWEEP_STALE -> new Presence.SweepStale(List.of());
            case UPDATE_ROOM_PROFILE ->
                new Profile.UpdateRoomProfile(
                        actor,
                        Optional.of("title " + lot % 3),
                        coin ? Optional.of("GB") : Optional.empty(),
                        Optional.empty());
            case SET_ROOM_BACKGROUND -> new Profile.SetRoomBackground(actor, coin ? "" : "https://x/" + lot % 3);
            case MIC_UP -> new MicSeats.MicUp(actor, seatNo);
            case MIC_DOWN -> new MicSeats.MicDown(actor, coin ? actor : target, session);
            case CHANGE_MIC_SEAT -> new MicSeats.ChangeMicSeat(actor, seatNo, session);
            case CONFIRM_MIC_PUBLISHING -> new MicSeats.ConfirmMicPublishing(actor, session);
            case SET_MIC_SEAT_LOCK -> new MicSeats.SetMicSeatLock(actor, seatNo, lot % 3 == 0, coin);
            case TIME_OUT_MIC -> new MicSeats.TimeOutMic(session, Story.atMs(lot));
            case REPORT_RTC -> new RtcReports.ReportRtc(target, FACTS.get(lot % FACTS.size()), Story.atMs(lot));
            case DOUBT_MIC -> new RtcReports.DoubtMic(session);
            case SET_CHAT_ENABLED -> new Moderation.SetChatEnabled(actor, coin);
            case SET_ROOM_ADMIN -> new Moderation.SetRoomAdmin(actor, target, lot % 3 > 0);
            case MUTE_USER -> new Moderation.MuteUser(actor, target, lot % 3 == 0 ? 0 : 1_000L * lot);
            case KICK_USER -> new Moderation.KickUser(actor, target);
            case UNBAN_USER -> new Moderation.UnbanUser(actor, target);
            case SEND_GIFT ->
                new Gifts.SendGift(
                        actor,
                        "rose",
                        1,
                        List.of(target),
                        new Gifts.Payment(1 + lot, 1 + lot, 0, 0, coin),
                        new Rockets.Fuel(lot, Story.ROCKETS));
            case LAUNCH_ROCKET -> new Rockets.LaunchRocket("r" + lot % 40, 1 + lot % 2, Story.atMs(lot), Story.ROCKETS);
        };
    }
}
