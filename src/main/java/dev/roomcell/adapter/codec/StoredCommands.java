package dev.roomcell.adapter.codec;

import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.Rockets;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.port.RoomCodec.UnreadableException;
import dev.roomcell.proto.internal.v1.ChangeMicSeatCommand;
import dev.roomcell.proto.internal.v1.CloseRoomCommand;
import dev.roomcell.proto.internal.v1.ConfirmMicPublishingCommand;
import dev.roomcell.proto.internal.v1.CreateRoomCommand;
import dev.roomcell.proto.internal.v1.DoubtMicCommand;
import dev.roomcell.proto.internal.v1.HealRoomCommand;
import dev.roomcell.proto.internal.v1.JoinRoomCommand;
import dev.roomcell.proto.internal.v1.KickUserCommand;
import dev.roomcell.proto.internal.v1.LeaveRoomCommand;
import dev.roomcell.proto.internal.v1.MicDownCommand;
import dev.roomcell.proto.internal.v1.MicUpCommand;
import dev.roomcell.proto.internal.v1.MuteUserCommand;
import dev.roomcell.proto.internal.v1.ReportRtcCommand;
import dev.roomcell.proto.internal.v1.SetChatEnabledCommand;
import dev.roomcell.proto.internal.v1.SetMicSeatLockCommand;
import dev.roomcell.proto.internal.v1.SetRoomAdminCommand;
import dev.roomcell.proto.internal.v1.SetRoomBackgroundCommand;
import dev.roomcell.proto.internal.v1.SilentUser;
import dev.roomcell.proto.internal.v1.StoredCommand;
import dev.roomcell.proto.internal.v1.SweepStaleCommand;
import dev.roomcell.proto.internal.v1.TimeOutMicCommand;
import dev.roomcell.proto.internal.v1.UnbanUserCommand;
import dev.roomcell.proto.internal.v1.UpdateRoomProfileCommand;
import java.util.Optional;

/** Commands in their stored form. */
final class StoredCommands {
    private StoredCommands() {}

    /** The message without its schema version. */
    static StoredCommand.Builder encode(RoomCommand command) {
        StoredCommand.Builder stored = StoredCommand.newBuilder().setActorUserId(command.actorUserId());
        switch (command.kind()) {
            case CREATE_ROOM -> {
                Lifecycle.CreateRoom create = (Lifecycle.CreateRoom) command;
                stored.setCreateRoom(CreateRoomCommand.newBuilder()
                        .setProfile(StoredForm.profile(create.profile()))
                        .setSeatCount(create.seatCount()));
            }
            case CLOSE_ROOM -> stored.setCloseRoom(CloseRoomCommand.getDefaultInstance());
            case HEAL_ROOM -> stored.setHealRoom(HealRoomCommand.getDefaultInstance());
            case JOIN_ROOM -> {
                Presence.JoinRoom join = (Presence.JoinRoom) command;
                stored.setJoinRoom(JoinRoomCommand.newBuilder().setKind(StoredForm.kindName(join.memberKind())));
            }
            case LEAVE_ROOM -> stored.setLeaveRoom(LeaveRoomCommand.getDefaultInstance());
            case SWEEP_STALE -> stored.setSweepStale(sweep((Presence.SweepStale) command));
            case UPDATE_ROOM_PROFILE -> stored.setUpdateRoomProfile(update((Profile.UpdateRoomProfile) command));
            case SET_ROOM_BACKGROUND -> {
                Profile.SetRoomBackground set = (Profile.SetRoomBackground) command;
                stored.setSetRoomBackground(
                        SetRoomBackgroundCommand.newBuilder().setBackgroundUrl(set.backgroundUrl()));
            }
            case MIC_UP -> {
                MicSeats.MicUp up = (MicSeats.MicUp) command;
                stored.setMicUp(MicUpCommand.newBuilder().setSeatNo(up.seatNo()));
            }
            case MIC_DOWN -> {
                MicSeats.MicDown down = (MicSeats.MicDown) command;
                stored.setMicDown(MicDownCommand.newBuilder()
                        .setTargetUserId(down.targetUserId())
                        .setMicSessionId(down.micSessionId()));
            }
            case CHANGE_MIC_SEAT -> {
                MicSeats.ChangeMicSeat change = (MicSeats.ChangeMicSeat) command;
                stored.setChangeMicSeat(ChangeMicSeatCommand.newBuilder()
                        .setSeatNo(change.seatNo())
                        .setMicSessionId(change.micSessionId()));
            }
            case CONFIRM_MIC_PUBLISHING -> {
                MicSeats.ConfirmMicPublishing confirm = (MicSeats.ConfirmMicPublishing) command;
                stored.setConfirmMicPublishing(
                        ConfirmMicPublishingCommand.newBuilder().setMicSessionId(confirm.micSessionId()));
            }
            case SET_MIC_SEAT_LOCK -> {
                MicSeats.SetMicSeatLock lock = (MicSeats.SetMicSeatLock) command;
                stored.setSetMicSeatLock(SetMicSeatLockCommand.newBuilder()
                        .setSeatNo(lock.seatNo())
                        .setLocked(lock.locked())
                        .setForce(lock.force()));
            }
            case TIME_OUT_MIC -> {
                MicSeats.TimeOutMic timeOut = (MicSeats.TimeOutMic) command;
                stored.setTimeOutMic(TimeOutMicCommand.newBuilder()
                        .setMicSessionId(timeOut.micSessionId())
                        .setDeadlineMs(timeOut.deadlineMs()));
            }
            case REPORT_RTC -> {
                RtcReports.ReportRtc report = (RtcReports.ReportRtc) command;
                stored.setReportRtc(ReportRtcCommand.newBuilder()
                        .setUserId(report.userId())
                        .setFact(report.fact().name())
                        .setEventAtMs(report.eventAtMs()));
            }
            case DOUBT_MIC -> {
                RtcReports.DoubtMic doubt = (RtcReports.DoubtMic) command;
                stored.setDoubtMic(DoubtMicCommand.newBuilder().setMicSessionId(doubt.micSessionId()));
            }
            case SET_CHAT_ENABLED -> {
                Moderation.SetChatEnabled set = (Moderation.SetChatEnabled) command;
                stored.setSetChatEnabled(SetChatEnabledCommand.newBuilder().setEnabled(set.enabled()));
            }
            case SET_ROOM_ADMIN -> {
                Moderation.SetRoomAdmin set = (Moderation.SetRoomAdmin) command;
                stored.setSetRoomAdmin(SetRoomAdminCommand.newBuilder()
                        .setTargetUserId(set.targetUserId())
                        .setAdmin(set.admin()));
            }
            case MUTE_USER -> {
                Moderation.MuteUser mute = (Moderation.MuteUser) command;
                stored.setMuteUser(MuteUserCommand.newBuilder()
                        .setTargetUserId(mute.targetUserId())
                        .setDurationMs(mute.durationMs()));
            }
            case KICK_USER -> {
                Moderation.KickUser kick = (Moderation.KickUser) command;
                stored.setKickUser(KickUserCommand.newBuilder().setTargetUserId(kick.targetUserId()));
            }
            case UNBAN_USER -> {
                Moderation.UnbanUser unban = (Moderation.UnbanUser) command;
                stored.setUnbanUser(UnbanUserCommand.newBuilder().setTargetUserId(unban.targetUserId()));
            }
            case SEND_GIFT -> stored.setSendGift(StoredGifts.encode((Gifts.SendGift) command));
            case LAUNCH_ROCKET -> stored.setLaunchRocket(StoredRockets.encode((Rockets.LaunchRocket) command));
        }
        return stored;
    }

    private static UpdateRoomProfileCommand update(Profile.UpdateRoomProfile command) {
        UpdateRoomProfileCommand.Builder update = UpdateRoomProfileCommand.newBuilder();
        command.title().ifPresent(update::setTitle);
        command.region().ifPresent(update::setRegion);
        command.coverUrl().ifPresent(update::setCoverUrl);
        return update.build();
    }

    private static SweepStaleCommand sweep(Presence.SweepStale command) {
        SweepStaleCommand.Builder sweep = SweepStaleCommand.newBuilder();
        for (Presence.Silent silent : command.silent()) {
            sweep.addSilent(SilentUser.newBuilder()
                    .setUserId(silent.userId())
                    .setJoinedVersion(silent.joinedVersion())
                    .setLastSeenAtMs(silent.lastSeenAtMs()));
        }
        return sweep.build();
    }

    static RoomCommand decode(StoredCommand stored) {
        String actor = stored.getActorUserId();
        return switch (stored.getCommandCase()) {
            case CREATE_ROOM ->
                new Lifecycle.CreateRoom(
                        actor,
                        StoredForm.profile(stored.getCreateRoom().getProfile()),
                        stored.getCreateRoom().getSeatCount());
            case CLOSE_ROOM -> new Lifecycle.CloseRoom(actor);
            case HEAL_ROOM -> new Lifecycle.HealRoom();
            case JOIN_ROOM ->
                new Presence.JoinRoom(
                        actor, StoredForm.kind(stored.getJoinRoom().getKind()));
            case LEAVE_ROOM -> new Presence.LeaveRoom(actor);
            case SWEEP_STALE ->
                new Presence.SweepStale(stored.getSweepStale().getSilentList().stream()
                        .map(silent -> new Presence.Silent(
                                silent.getUserId(), silent.getJoinedVersion(), silent.getLastSeenAtMs()))
                        .toList());
            case UPDATE_ROOM_PROFILE -> update(actor, stored.getUpdateRoomProfile());
            case SET_ROOM_BACKGROUND ->
                new Profile.SetRoomBackground(
                        actor, stored.getSetRoomBackground().getBackgroundUrl());
            case MIC_UP -> new MicSeats.MicUp(actor, stored.getMicUp().getSeatNo());
            case MIC_DOWN ->
                new MicSeats.MicDown(
                        actor,
                        stored.getMicDown().getTargetUserId(),
                        stored.getMicDown().getMicSessionId());
            case CHANGE_MIC_SEAT ->
                new MicSeats.ChangeMicSeat(
                        actor,
                        stored.getChangeMicSeat().getSeatNo(),
                        stored.getChangeMicSeat().getMicSessionId());
            case CONFIRM_MIC_PUBLISHING ->
                new MicSeats.ConfirmMicPublishing(
                        actor, stored.getConfirmMicPublishing().getMicSessionId());
            case SET_MIC_SEAT_LOCK ->
                new MicSeats.SetMicSeatLock(
                        actor,
                        stored.getSetMicSeatLock().getSeatNo(),
                        stored.getSetMicSeatLock().getLocked(),
                        stored.getSetMicSeatLock().getForce());
            case TIME_OUT_MIC ->
                new MicSeats.TimeOutMic(
                        stored.getTimeOutMic().getMicSessionId(),
                        stored.getTimeOutMic().getDeadlineMs());
            case REPORT_RTC ->
                new RtcReports.ReportRtc(
                        stored.getReportRtc().getUserId(),
                        StoredForm.name(
                                RtcReports.Fact.class, stored.getReportRtc().getFact()),
                        stored.getReportRtc().getEventAtMs());
            case DOUBT_MIC -> new RtcReports.DoubtMic(stored.getDoubtMic().getMicSessionId());
            case SET_CHAT_ENABLED ->
                new Moderation.SetChatEnabled(actor, stored.getSetChatEnabled().getEnabled());
            case SET_ROOM_ADMIN ->
                new Moderation.SetRoomAdmin(
                        actor,
                        stored.getSetRoomAdmin().getTargetUserId(),
                        stored.getSetRoomAdmin().getAdmin());
            case MUTE_USER ->
                new Moderation.MuteUser(
                        actor,
                        stored.getMuteUser().getTargetUserId(),
                        stored.getMuteUser().getDurationMs());
            case KICK_USER ->
                new Moderation.KickUser(actor, stored.getKickUser().getTargetUserId());
            case UNBAN_USER ->
                new Moderation.UnbanUser(actor, stored.getUnbanUser().getTargetUserId());
            case SEND_GIFT -> StoredGifts.decode(actor, stored.getSendGift());
            case LAUNCH_ROCKET -> StoredRockets.decode(stored.getLaunchRocket());
            case COMMAND_NOT_SET -> throw new UnreadableException("a command of an unknown kind");
        };
    }

    private static RoomCommand update(String actor, UpdateRoomProfileCommand stored) {
        return new Profile.UpdateRoomProfile(
                actor,
                stored.hasTitle() ? Optional.of(stored.getTitle()) : Optional.empty(),
                stored.hasRegion() ? Optional.of(stored.getRegion()) : Optional.empty(),
                stored.hasCoverUrl() ? Optional.of(stored.getCoverUrl()) : Optional.empty());
    }
}
