package dev.roomcell.domain;

/** What an accepted command answers: fixed at the decision, stored with it, returned unchanged ever after (CMD-6). */
public sealed interface CommandResult
        permits Lifecycle.Created,
                Lifecycle.Closed,
                Profile.Updated,
                Profile.BackgroundSet,
                Presence.Joined,
                Presence.Left,
                MicSeats.SeatTaken,
                MicSeats.SeatFreed,
                MicSeats.SeatChanged,
                MicSeats.SeatLockSet,
                RtcReports.RtcHeard,
                Moderation.ChatSwitched,
                Moderation.AdminSet,
                Moderation.Muted,
                Moderation.Kicked,
                Moderation.Unbanned,
                Gifts.GiftSent,
                Rockets.LaunchDone {

    /** The room version that the answer speaks of; at least 1. */
    long roomVersion();
}
