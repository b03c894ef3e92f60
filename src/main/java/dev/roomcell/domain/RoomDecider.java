package dev.roomcell.domain;

import java.util.List;
import java.util.Optional;

/** Decides commands and applies events: {@code decide} changes nothing, {@code evolve} judges nothing. */
public final class RoomDecider {
    private RoomDecider() {}

    /**
     * What becomes of {@code command} in {@code state}. The order of checks is fixed: the room's state, then ban,
     * presence, role and feature; the command id was checked before.
     *
     * @param stamp the version and time the command gets if it is accepted
     * @param policy what the operator fixes
     */
    public static Decision decide(RoomState state, RoomCommand command, Stamp stamp, RoomPolicy policy) {
        Optional<Decision> shut = Lifecycle.admit(state, command.kind());
        if (shut.isPresent()) {
            return shut.get();
        }
        return switch (command.kind()) {
            case CREATE_ROOM -> Lifecycle.create((Lifecycle.CreateRoom) command, stamp);
            case CLOSE_ROOM -> Lifecycle.close(state, (Lifecycle.CloseRoom) command, stamp);
            case HEAL_ROOM -> Lifecycle.heal(state, stamp);
            case UPDATE_ROOM_PROFILE -> Profile.update(state, (Profile.UpdateRoomProfile) command, stamp);
            case SET_ROOM_BACKGROUND -> Profile.setBackground(state, (Profile.SetRoomBackground) command, stamp);
            case JOIN_ROOM -> Presence.join(state, (Presence.JoinRoom) command, stamp);
            case LEAVE_ROOM -> Presence.leave(state, (Presence.LeaveRoom) command, stamp);
            case SWEEP_STALE -> Presence.sweep(state, (Presence.SweepStale) command, stamp);
            case MIC_UP -> MicDecisions.up(state, (MicSeats.MicUp) command, stamp, policy);
            case MIC_DOWN -> MicDecisions.down(state, (MicSeats.MicDown) command, stamp);
            case CHANGE_MIC_SEAT -> MicDecisions.change(state, (MicSeats.ChangeMicSeat) command, stamp, policy);
            case CONFIRM_MIC_PUBLISHING -> MicDecisions.confirm(state, (MicSeats.ConfirmMicPublishing) command, stamp);
            case SET_MIC_SEAT_LOCK -> MicDecisions.setLock(state, (MicSeats.SetMicSeatLock) command, stamp);
            case TIME_OUT_MIC -> MicDecisions.timeOut(state, (MicSeats.TimeOutMic) command, stamp);
            case REPORT_RTC -> RtcReports.report(state, (RtcReports.ReportRtc) command, stamp, policy);
            case DOUBT_MIC -> RtcReports.doubt(state, (RtcReports.DoubtMic) command, stamp, policy);
            case SET_CHAT_ENABLED -> Moderation.setChat(state, (Moderation.SetChatEnabled) command, stamp);
            case SET_ROOM_ADMIN -> Moderation.setAdmin(state, (Moderation.SetRoomAdmin) command, stamp);
            case MUTE_USER -> Moderation.mute(state, (Moderation.MuteUser) command, stamp);
            case KICK_USER -> Moderation.kick(state, (Moderation.KickUser) command, stamp);
            case UNBAN_USER -> Moderation.unban(state, (Moderation.UnbanUser) command, stamp);
            case SEND_GIFT -> Gifts.send(state, (Gifts.SendGift) command, stamp);
            case LAUNCH_ROCKET -> Rockets.launch(state, (Rockets.LaunchRocket) command, stamp);
        };
    }

    /** The state after {@code events}, which are one version: {@code stamp.version()}. */
    public static RoomState evolve(RoomState state, List<? extends RoomEvent> events, Stamp stamp) {
        if (stamp.version() != state.version() + 1) {
            throw new IllegalArgumentException(
                    "room " + state.key() + ": version " + stamp.version() + " does not follow " + state.version());
        }
        RoomState next = state;
        for (RoomEvent event : events) {
            next = evolve(next, event, stamp);
        }
        return next.atVersion(stamp.version());
    }

    private static RoomState evolve(RoomState state, RoomEvent event, Stamp stamp) {
        return switch (event.type()) {
            case ROOM_CREATED -> Lifecycle.evolve(state, (Lifecycle.RoomCreated) event, stamp);
            case ROOM_CLOSED -> Lifecycle.evolve(state, (Lifecycle.RoomClosed) event, stamp);
            case ROOM_USER_JOINED -> Presence.evolve(state, (Presence.RoomUserJoined) event, stamp);
            case ROOM_USER_LEFT -> Presence.evolve(state, (Presence.RoomUserLeft) event);
            case ROOM_PROFILE_UPDATED -> Profile.evolve(state, (Profile.RoomProfileUpdated) event);
            case ROOM_BACKGROUND_CHANGED -> Profile.evolve(state, (Profile.RoomBackgroundChanged) event);
            case ROOM_MIC_CHANGED -> MicSeats.evolve(state, (MicSeats.RoomMicChanged) event);
            case ROOM_MIC_SEAT_LOCKED -> MicSeats.evolve(state, (MicSeats.RoomMicSeatLocked) event);
            case ROOM_CHAT_ENABLED_CHANGED -> Moderation.evolve(state, (Moderation.RoomChatEnabledChanged) event);
            case ROOM_ADMIN_CHANGED -> Moderation.evolve(state, (Moderation.RoomAdminChanged) event);
            case ROOM_USER_MUTED -> Moderation.evolve(state, (Moderation.RoomUserMuted) event, stamp);
            case ROOM_USER_KICKED -> Moderation.evolve(state, (Moderation.RoomUserKicked) event);
            case ROOM_USER_UNBANNED -> Moderation.evolve(state, (Moderation.RoomUserUnbanned) event);
            case ROOM_GIFT_SENT -> Gifts.evolve(state, (Gifts.RoomGiftSent) event, stamp);
            case ROOM_ROCKET_FUEL_CHANGED -> Rockets.evolve(state, (Rockets.RoomRocketFuelChanged) event);
            case ROOM_ROCKET_IGNITED -> Rockets.evolve(state, (Rockets.RoomRocketIgnited) event);
            case ROOM_ROCKET_LAUNCHED -> Rockets.evolve(state, (Rockets.RoomRocketLaunched) event);
        };
    }
}
