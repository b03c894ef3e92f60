package dev.roomcell.adapter.codec;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.MessageLite;
import dev.roomcell.domain.CommandResult;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.Rockets;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.port.RoomCodec.UnreadableException;
import dev.roomcell.proto.internal.v1.LaunchRocketResult;
import dev.roomcell.proto.internal.v1.ReportRtcResult;
import dev.roomcell.proto.room.v1.ChangeMicSeatResult;
import dev.roomcell.proto.room.v1.CloseRoomResult;
import dev.roomcell.proto.room.v1.CreateRoomResult;
import dev.roomcell.proto.room.v1.JoinRoomResult;
import dev.roomcell.proto.room.v1.KickUserResult;
import dev.roomcell.proto.room.v1.LeaveRoomResult;
import dev.roomcell.proto.room.v1.MicDownResult;
import dev.roomcell.proto.room.v1.MicUpResult;
import dev.roomcell.proto.room.v1.MuteUserResult;
import dev.roomcell.proto.room.v1.SendGiftResult;
import dev.roomcell.proto.room.v1.SetChatEnabledResult;
import dev.roomcell.proto.room.v1.SetMicSeatLockResult;
import dev.roomcell.proto.room.v1.SetRoomAdminResult;
import dev.roomcell.proto.room.v1.SetRoomBackgroundResult;
import dev.roomcell.proto.room.v1.UnbanUserResult;
import dev.roomcell.proto.room.v1.UpdateRoomProfileResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/** The {@code …Result} messages that answer commands. */
final class PublicResults {
    private static final Map<Class<? extends CommandResult>, BiFunction<RoomKey, CommandResult, MessageLite>> FORMS =
            new HashMap<>();

    static {
        form(Lifecycle.Created.class, PublicResults::created);
        form(
                Lifecycle.Closed.class,
                (key, closed) -> CloseRoomResult.newBuilder()
                        .setRoomVersion(closed.roomVersion())
                        .setUsersPresent(closed.usersPresent())
                        .setClosedAtMs(closed.closedAtMs())
                        .build());
        form(
                Profile.Updated.class,
                (key, updated) -> UpdateRoomProfileResult.newBuilder()
                        .setRoomVersion(updated.roomVersion())
                        .setProfile(PublicForm.profile(updated.profile()))
                        .build());
        form(
                Profile.BackgroundSet.class,
                (key, set) -> SetRoomBackgroundResult.newBuilder()
                        .setRoomVersion(set.roomVersion())
                        .setBackgroundUrl(set.backgroundUrl())
                        .build());
        form(
                Gifts.GiftSent.class,
                (key, sent) -> SendGiftResult.newBuilder()
                        .setRoomVersion(sent.roomVersion())
                        .setCoinBalanceAfter(sent.coinBalanceAfter())
                        .setTotalPriceCoins(sent.totalPriceCoins())
                        .setRewardCoins(sent.rewardCoins())
                        .setRewardPending(sent.rewardPending())
                        .build());
        form(
                Rockets.LaunchDone.class,
                (key, done) -> LaunchRocketResult.newBuilder()
                        .setRoomVersion(done.roomVersion())
                        .setLaunched(done.launched())
                        .build());
        form(
                RtcReports.RtcHeard.class,
                (key, heard) -> ReportRtcResult.newBuilder()
                        .setRoomVersion(heard.roomVersion())
                        .setOutcome(heard.outcome().name())
                        .build());
        form(Presence.Joined.class, PublicResults::joined);
        form(
                Presence.Left.class,
                (key, left) -> LeaveRoomResult.newBuilder()
                        .setRoomVersion(left.roomVersion())
                        .setOnlineCount(left.onlineCount())
                        .build());
        // ConfirmMicPublishingResult has the same fields under the same numbers; a test holds them together.
        form(
                MicSeats.SeatTaken.class,
                (key, taken) -> MicUpResult.newBuilder()
                        .setRoomVersion(taken.roomVersion())
                        .setSeat(PublicForm.seat(taken.seat()))
                        .build());
        form(
                MicSeats.SeatFreed.class,
                (key, freed) -> MicDownResult.newBuilder()
                        .setRoomVersion(freed.roomVersion())
                        .setSeatNo(freed.seatNo())
                        .setMicSessionId(freed.micSessionId())
                        .build());
        form(
                MicSeats.SeatChanged.class,
                (key, changed) -> ChangeMicSeatResult.newBuilder()
                        .setRoomVersion(changed.roomVersion())
                        .setSeat(PublicForm.seat(changed.seat()))
                        .setPreviousSeatNo(changed.previousSeatNo())
                        .build());
        form(
                MicSeats.SeatLockSet.class,
                (key, set) -> SetMicSeatLockResult.newBuilder()
                        .setRoomVersion(set.roomVersion())
                        .setSeat(PublicForm.seat(set.seat()))
                        .setRemovedUserId(set.removedUserId())
                        .build());
        form(
                Moderation.ChatSwitched.class,
                (key, switched) -> SetChatEnabledResult.newBuilder()
                        .setRoomVersion(switched.roomVersion())
                        .setEnabled(switched.enabled())
                        .build());
        form(
                Moderation.AdminSet.class,
                (key, set) -> SetRoomAdminResult.newBuilder()
                        .setRoomVersion(set.roomVersion())
                        .setAdmin(set.admin())
                        .build());
        form(
                Moderation.Muted.class,
                (key, muted) -> MuteUserResult.newBuilder()
                        .setRoomVersion(muted.roomVersion())
                        .setMutedUntilMs(muted.mutedUntilMs())
                        .build());
        form(
                Moderation.Kicked.class,
                (key, kicked) -> KickUserResult.newBuilder()
                        .setRoomVersion(kicked.roomVersion())
                        .setOnlineCount(kicked.onlineCount())
                        .build());
        form(
                Moderation.Unbanned.class,
                (key, unbanned) -> UnbanUserResult.newBuilder()
                        .setRoomVersion(unbanned.roomVersion())
                        .build());
    }

    /** Field 1, a varint. */
    private static final int ROOM_VERSION_TAG = 1 << 3;

    private PublicResults() {}

    private static <R extends CommandResult> void form(Class<R> type, BiFunction<RoomKey, R, MessageLite> message) {
        FORMS.put(type, (key, result) -> message.apply(key, type.cast(result)));
    }

    /** The message for {@code result}; a test holds that every kind of result has one. */
    static MessageLite of(RoomKey key, CommandResult result) {
        BiFunction<RoomKey, CommandResult, MessageLite> form = FORMS.get(result.getClass());
        if (form == null) {
            throw new IllegalArgumentException(
                    "no message for " + result.getClass().getSimpleName());
        }
        return form.apply(key, result);
    }

    /**
     * The room version of an encoded result, field 1 of each of them.
     *
     * @return 0 if there is none
     */
    static long roomVersion(byte[] result) {
        try {
            CodedInputStream in = CodedInputStream.newInstance(result);
            return in.readTag() == ROOM_VERSION_TAG ? in.readInt64() : 0;
        } catch (IOException damaged) {
            throw new UnreadableException("damaged: " + damaged.getMessage());
        }
    }

    /** What became of RTC's report, by its encoded result. */
    static RtcReports.Outcome rtcOutcome(byte[] result) {
        return StoredForm.name(
                RtcReports.Outcome.class,
                StoredForm.parse(ReportRtcResult.parser(), result).getOutcome());
    }

    private static MessageLite created(RoomKey key, Lifecycle.Created created) {
        String groupId = ExternalIds.groupId(key);
        return CreateRoomResult.newBuilder()
                .setRoomVersion(created.roomVersion())
                .setImGroupId(groupId)
                .setRtcRoomId(groupId)
                .setCreatedAtMs(created.createdAtMs())
                .build();
    }

    private static MessageLite joined(RoomKey key, Presence.Joined joined) {
        String groupId = ExternalIds.groupId(key);
        return JoinRoomResult.newBuilder()
                .setRoomVersion(joined.roomVersion())
                .setJoinedAtMs(joined.joinedAtMs())
                .setOnlineCount(joined.onlineCount())
                .setImGroupId(groupId)
                .setRtcRoomId(groupId)
                .build();
    }
}
