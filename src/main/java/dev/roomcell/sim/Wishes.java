package dev.roomcell.sim;

import dev.roomcell.adapter.codec.PublicForm;
import dev.roomcell.cell.Answer;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSession;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RtcReports;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/** What one user wishes: mostly what is sensible for somebody who is where the user takes herself to be. */
final class Wishes {
    private static final int SEAT_COUNT = 4;
    /** One more than there are: now and then somebody wants a seat that is not there. */
    private static final int SEATS_ASKED_FOR = SEAT_COUNT + 1;
    /** So often a user who believes to be in a room does what can be done in one, and one who does not joins it. */
    private static final int SENSIBLE_PERCENT = 85;

    private static final int ROBOT_PERCENT = 5;
    private static final int MOST_RECEIVERS = 3;
    private static final int MOST_PIECES = 20;
    private static final int CREATIONS = 8;
    private static final int CLOSINGS = 10;
    /** From there to here in a hundred RTC tells something. */
    private static final int RTC_REPORTS = 16;
    /** RTC's reports may be so late, ms. */
    private static final int REPORT_LATE_MS = 60_000;

    private static final List<RtcReports.Fact> FACTS = List.of(RtcReports.Fact.values());
    private static final List<Long> MUTES_MS = List.of(0L, 0L, 5_000L, 600_000L);

    private final Dice dice;
    private final LongSupplier nowMs;
    private final Rooms rooms;
    private final String userId;
    private final List<String> others;
    /** Where the user takes herself to be, rightly or not. */
    private final Set<RoomKey> believedIn = new TreeSet<>();
    /** The mic sessions that she was given last. */
    private final Map<RoomKey, String> sessions = new HashMap<>();

    Wishes(Dice dice, LongSupplier nowMs, Rooms rooms, String userId, List<String> others) {
        this.dice = dice;
        this.nowMs = nowMs;
        this.rooms = rooms;
        this.userId = userId;
        this.others = List.copyOf(others);
    }

    RoomCommand next(RoomKey room) {
        int kind = dice.below(100);
        if (kind < CREATIONS) {
            return new Lifecycle.CreateRoom(userId, new Profile(userId, "tea at " + userId, "eu", "", ""), SEAT_COUNT);
        }
        if (kind < CLOSINGS && rooms.mayBeClosed(room)) {
            return new Lifecycle.CloseRoom(userId);
        }
        if (kind < RTC_REPORTS) {
            return report();
        }
        boolean inside = dice.percent(SENSIBLE_PERCENT) ? believedIn.contains(room) : dice.coin();
        return inside ? inside(room) : join();
    }

    /** RTC tells what somebody did, late and in any order. */
    private RoomCommand report() {
        long agoMs = dice.coin() ? dice.below(2_000) : dice.below(REPORT_LATE_MS);
        return new RtcReports.ReportRtc(
                dice.coin() ? userId : dice.any(others), dice.any(FACTS), nowMs.getAsLong() - agoMs);
    }

    private RoomCommand join() {
        return new Presence.JoinRoom(
                userId, dice.percent(ROBOT_PERCENT) ? Presence.MemberKind.ROBOT : Presence.MemberKind.USER);
    }

    private RoomCommand inside(RoomKey room) {
        return switch (dice.below(18)) {
            case 0, 1, 2 -> new Presence.LeaveRoom(userId);
            case 3, 4, 5 -> new MicSeats.MicUp(userId, seatNo());
            case 6 -> new MicSeats.MicDown(userId, dice.percent(70) ? userId : dice.any(others), session(room));
            case 7 -> new MicSeats.ChangeMicSeat(userId, seatNo(), session(room));
            case 8, 9 -> new MicSeats.ConfirmMicPublishing(userId, sessions.getOrDefault(room, "mic-1"));
            case 10 -> new MicSeats.SetMicSeatLock(userId, seatNo(), dice.coin(), dice.coin());
            case 11 -> new Presence.JoinRoom(userId, Presence.MemberKind.USER);
            case 12, 13, 14, 15 -> gift(room);
            default -> inCharge();
        };
    }

    /** Mostly for those who are there. */
    private Gifts.SendGift gift(RoomKey room) {
        List<String> receivers = new ArrayList<>(dice.percent(SENSIBLE_PERCENT) ? rooms.guests(room) : others);
        receivers.remove(userId);
        if (receivers.isEmpty()) {
            receivers.addAll(others);
            receivers.remove(userId);
        }
        int most = 1 + dice.below(MOST_RECEIVERS);
        while (receivers.size() > most) {
            receivers.remove(dice.below(receivers.size()));
        }
        return Gifts.SendGift.wish(userId, dice.any(GiftMarket.GIFTS), 1 + dice.skewed(MOST_PIECES), receivers);
    }

    /** A gift in another room in which she takes herself to be: paid from the same account. */
    Optional<Elsewhere> giftElsewhere(RoomKey room) {
        return believedIn.stream()
                .filter(other -> !other.equals(room))
                .findFirst()
                .map(other -> new Elsewhere(other, gift(other)));
    }

    /** A wish in another room. */
    record Elsewhere(RoomKey room, Gifts.SendGift gift) {}

    private RoomCommand inCharge() {
        String other = dice.any(others);
        return switch (dice.below(8)) {
            case 0 -> new Moderation.SetRoomAdmin(userId, other, dice.percent(80));
            case 1 -> new Moderation.MuteUser(userId, other, dice.any(MUTES_MS));
            case 2 -> new Moderation.KickUser(userId, other);
            case 3, 4 -> new Moderation.UnbanUser(userId, other);
            case 5 -> new Moderation.SetChatEnabled(userId, dice.coin());
            case 6 -> new Profile.SetRoomBackground(userId, dice.coin() ? "" : "https://pictures/" + dice.below(3));
            default ->
                new Profile.UpdateRoomProfile(
                        userId,
                        Optional.of("tea at " + dice.below(3)),
                        dice.coin() ? Optional.of("us") : Optional.empty(),
                        Optional.empty());
        };
    }

    private int seatNo() {
        return 1 + dice.below(SEATS_ASKED_FOR);
    }

    /** The session that she knows of, or whichever she has. */
    String session(RoomKey room) {
        return dice.coin() ? "" : sessions.getOrDefault(room, "");
    }

    private void believe(RoomKey room, boolean inside) {
        if (inside) {
            believedIn.add(room);
        } else {
            believedIn.remove(room);
        }
        rooms.seen(room, userId, inside);
    }

    /** What she makes of an answer. */
    void told(RoomKey room, RoomCommand command, Answer answer) {
        if (!(answer instanceof Answer.Done done)) {
            if (answer instanceof Answer.Rejected no && no.rejection().reason() == Rejection.Reason.NOT_PRESENT) {
                believe(room, false);
            }
            return;
        }
        switch (command.kind()) {
            case JOIN_ROOM -> believe(room, true);
            case LEAVE_ROOM -> believe(room, false);
            case MIC_UP -> sessions.put(room, MicSession.idOf(PublicForm.roomVersionOf(done.result())));
            case CREATE_ROOM,
                    CLOSE_ROOM,
                    HEAL_ROOM,
                    UPDATE_ROOM_PROFILE,
                    SET_ROOM_BACKGROUND,
                    SWEEP_STALE,
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
                    LAUNCH_ROCKET -> {
                // Nothing that decides what she wishes next.
            }
        }
    }
}
