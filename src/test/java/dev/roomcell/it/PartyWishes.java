package dev.roomcell.it;

import com.google.protobuf.Message;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.proto.room.v1.ChangeMicSeatResponse;
import dev.roomcell.proto.room.v1.MicUpResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * What one guest of a room wishes next: mostly what makes sense where she takes herself to be, so that most commands make
 * a version. Guest 0 owns the room.
 */
final class PartyWishes {
    private static final int SEATS = 8;
    /** So often an owner closes the room, once in so many wishes. */
    private static final int CLOSINGS = 600;

    private static final int ROBOT_PERCENT = 3;
    private static final List<Long> MUTES_MS = List.of(0L, 5_000L, 600_000L);

    private final Random dice;
    private final String userId;
    private final List<String> others;
    private final boolean owner;
    private final boolean mayClose;
    private boolean made;
    private boolean inside;
    private boolean onAir;
    /** The seat's session; empty without a seat. */
    private String session = "";
    /** Those whom she has kicked. */
    private final Deque<String> kicked = new ArrayDeque<>();

    PartyWishes(Random dice, String userId, List<String> others, boolean owner, boolean mayClose) {
        this.dice = dice;
        this.userId = userId;
        this.others = List.copyOf(others);
        this.owner = owner;
        this.mayClose = mayClose;
    }

    /** She comes to another room, which is hers to make if she is its owner. */
    void comeToNewRoom() {
        made = false;
        inside = false;
        standUp();
        kicked.clear();
    }

    private void standUp() {
        session = "";
        onAir = false;
    }

    private boolean percent(int chance) {
        return dice.nextInt(100) < chance;
    }

    RoomCommand next() {
        if (owner && !made) {
            return new Lifecycle.CreateRoom(userId, new Profile(userId, "tea at " + userId, "eu", "", ""), SEATS);
        }
        if (owner && mayClose && dice.nextInt(CLOSINGS) == 0) {
            return new Lifecycle.CloseRoom(userId);
        }
        if (!inside) {
            return join();
        }
        if (percent(owner ? 43 : 3)) {
            return inCharge();
        }
        if (session.isEmpty()) {
            return standing();
        }
        return onAir ? onAir() : pending();
    }

    private RoomCommand join() {
        return new Presence.JoinRoom(
                userId, percent(ROBOT_PERCENT) ? Presence.MemberKind.ROBOT : Presence.MemberKind.USER);
    }

    private RoomCommand standing() {
        int kind = dice.nextInt(100);
        if (kind < 50) {
            return new MicSeats.MicUp(userId, seatNo());
        }
        if (kind < 92) {
            return new Presence.LeaveRoom(userId);
        }
        return kind < 96 ? join() : new MicSeats.MicDown(userId, userId, "");
    }

    private RoomCommand pending() {
        int kind = dice.nextInt(100);
        if (kind < 75) {
            return new MicSeats.ConfirmMicPublishing(userId, session);
        }
        return kind < 88
                ? new MicSeats.ChangeMicSeat(userId, seatNo(), session)
                : new MicSeats.MicDown(userId, userId, session);
    }

    private RoomCommand onAir() {
        int kind = dice.nextInt(100);
        if (kind < 50) {
            return new MicSeats.MicDown(userId, userId, percent(50) ? session : "");
        }
        return kind < 80 ? new MicSeats.ChangeMicSeat(userId, seatNo(), "") : new Presence.LeaveRoom(userId);
    }

    private RoomCommand inCharge() {
        if (!kicked.isEmpty() && percent(70)) {
            return new Moderation.UnbanUser(userId, kicked.getFirst());
        }
        String other = others.get(dice.nextInt(others.size()));
        return switch (dice.nextInt(10)) {
            case 0, 1 -> new Moderation.SetRoomAdmin(userId, other, percent(60));
            case 2 -> new Moderation.MuteUser(userId, other, MUTES_MS.get(dice.nextInt(MUTES_MS.size())));
            case 3 -> new Moderation.KickUser(userId, other);
            case 4 -> new Moderation.SetChatEnabled(userId, dice.nextBoolean());
            case 5 -> new Profile.SetRoomBackground(userId, "https://pictures/" + dice.nextInt(5));
            case 6, 7 -> new MicSeats.SetMicSeatLock(userId, seatNo(), percent(40), dice.nextBoolean());
            case 8 -> new MicSeats.MicDown(userId, other, "");
            default ->
                new Profile.UpdateRoomProfile(
                        userId,
                        Optional.of("tea for " + dice.nextInt(100)),
                        dice.nextBoolean() ? Optional.of("us") : Optional.empty(),
                        Optional.empty());
        };
    }

    /** Now and then a seat that is not there. */
    private int seatNo() {
        return 1 + dice.nextInt(percent(2) ? SEATS + 1 : SEATS);
    }

    /** What she makes of a success. */
    void done(RoomCommand command, Message answer) {
        switch (command.kind()) {
            case CREATE_ROOM -> made = true;
            case JOIN_ROOM -> inside = true;
            case LEAVE_ROOM -> {
                inside = false;
                standUp();
            }
            case MIC_UP ->
                sitDown(((MicUpResponse) answer).getResult().getSeat().getMicSessionId());
            case CHANGE_MIC_SEAT ->
                sitDown(((ChangeMicSeatResponse) answer).getResult().getSeat().getMicSessionId());
            case CONFIRM_MIC_PUBLISHING -> onAir = true;
            case MIC_DOWN -> {
                if (((MicSeats.MicDown) command).targetUserId().equals(userId)) {
                    standUp();
                }
            }
            case KICK_USER -> kicked.add(((Moderation.KickUser) command).targetUserId());
            case UNBAN_USER -> kicked.remove(((Moderation.UnbanUser) command).targetUserId());
            case CLOSE_ROOM,
                    UPDATE_ROOM_PROFILE,
                    SET_ROOM_BACKGROUND,
                    SET_MIC_SEAT_LOCK,
                    SET_CHAT_ENABLED,
                    SET_ROOM_ADMIN,
                    MUTE_USER,
                    HEAL_ROOM,
                    SWEEP_STALE,
                    TIME_OUT_MIC,
                    REPORT_RTC,
                    DOUBT_MIC,
                    SEND_GIFT,
                    LAUNCH_ROCKET -> {
                // Nothing that decides what she wishes next.
            }
        }
    }

    private void sitDown(String micSessionId) {
        session = micSessionId;
        onAir = false;
    }

    /** What she makes of a business no. */
    void rejected(Rejection.Reason reason) {
        switch (reason) {
            case ROOM_EXISTS -> made = true;
            case NOT_PRESENT, BANNED -> {
                inside = false;
                standUp();
            }
            case NOT_ON_SEAT, MIC_SESSION_STALE, ALREADY_ON_SEAT -> standUp();
            case ROOM_NOT_FOUND,
                    ROOM_CLOSED,
                    ROOM_CREATING,
                    ROOM_FULL,
                    SEAT_NOT_FOUND,
                    SEAT_LOCKED,
                    SEAT_OCCUPIED,
                    NEED_OWNER,
                    NEED_ADMIN,
                    TARGET_PROTECTED,
                    MUTED,
                    CHAT_DISABLED,
                    LIMIT_REACHED,
                    INVALID_FIELD,
                    INSUFFICIENT_BALANCE,
                    GIFT_UNAVAILABLE,
                    GIFT_VOIDED,
                    RECEIVER_GONE -> {
                // She is where she was.
            }
        }
    }
}
