package dev.roomcell.domain;

/** A wish, in the imperative. Whether it comes true is for {@link RoomDecider#decide} to say. */
public sealed interface RoomCommand
        permits Lifecycle.CreateRoom,
                Lifecycle.CloseRoom,
                Lifecycle.HealRoom,
                Profile.UpdateRoomProfile,
                Profile.SetRoomBackground,
                Presence.JoinRoom,
                Presence.LeaveRoom,
                Presence.SweepStale,
                MicSeats.MicUp,
                MicSeats.MicDown,
                MicSeats.ChangeMicSeat,
                MicSeats.ConfirmMicPublishing,
                MicSeats.SetMicSeatLock,
                MicSeats.TimeOutMic,
                RtcReports.ReportRtc,
                RtcReports.DoubtMic,
                Moderation.SetChatEnabled,
                Moderation.SetRoomAdmin,
                Moderation.MuteUser,
                Moderation.KickUser,
                Moderation.UnbanUser,
                Gifts.SendGift,
                Rockets.LaunchRocket {

    /** Which command it is. The names are stored in the command log: never rename one. */
    enum Kind {
        CREATE_ROOM,
        CLOSE_ROOM,
        HEAL_ROOM,
        UPDATE_ROOM_PROFILE,
        SET_ROOM_BACKGROUND,
        JOIN_ROOM,
        LEAVE_ROOM,
        SWEEP_STALE,
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
        KICK_USER,
        UNBAN_USER,
        SEND_GIFT,
        LAUNCH_ROCKET
    }

    /** Which command this is. */
    Kind kind();

    /** The user who asks; empty for the room's own commands (CMD-5). */
    String actorUserId();
}
