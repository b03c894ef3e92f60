package dev.roomcell.adapter.grpc;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.WireFormat;
import dev.roomcell.cell.Answer;
import dev.roomcell.cell.CommandRequest;
import dev.roomcell.cell.CommandRouter;
import dev.roomcell.cell.DisplayRequest;
import dev.roomcell.cell.MicSign;
import dev.roomcell.domain.Decision;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.proto.room.v1.ChangeMicSeatRequest;
import dev.roomcell.proto.room.v1.CloseRoomRequest;
import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.ConfirmMicPublishingRequest;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.KickUserRequest;
import dev.roomcell.proto.room.v1.LeaveRoomRequest;
import dev.roomcell.proto.room.v1.MicDownRequest;
import dev.roomcell.proto.room.v1.MicSessionStanding;
import dev.roomcell.proto.room.v1.MicUpRequest;
import dev.roomcell.proto.room.v1.MuteUserRequest;
import dev.roomcell.proto.room.v1.PublishRobotDisplayRequest;
import dev.roomcell.proto.room.v1.PublishRobotDisplayResponse;
import dev.roomcell.proto.room.v1.ReplyMeta;
import dev.roomcell.proto.room.v1.RoomCommandServiceGrpcService;
import dev.roomcell.proto.room.v1.RoomHeartbeatRequest;
import dev.roomcell.proto.room.v1.RoomHeartbeatResponse;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.proto.room.v1.SetChatEnabledRequest;
import dev.roomcell.proto.room.v1.SetMicSeatLockRequest;
import dev.roomcell.proto.room.v1.SetRoomAdminRequest;
import dev.roomcell.proto.room.v1.SetRoomBackgroundRequest;
import dev.roomcell.proto.room.v1.UnbanUserRequest;
import dev.roomcell.proto.room.v1.UpdateRoomProfileRequest;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.server.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;

/** {@code room.v1.RoomCommandService}: brings commands to their rooms, and turns answers into replies. */
public final class CommandApi {
    /** The longest payload of a robot's display. */
    private static final int PAYLOAD_BYTES = 8_192;

    private final CommandRouter router;
    private final RoomCodec codec;
    private final RoomClock clock;
    private final long heartbeatEveryMs;

    private CommandApi(CommandRouter router, RoomCodec codec, RoomClock clock, long heartbeatEveryMs) {
        this.router = router;
        this.codec = codec;
        this.clock = clock;
        this.heartbeatEveryMs = heartbeatEveryMs;
    }

    /**
     * The service over the node's rooms.
     *
     * @param entry takes the calls
     * @param heartbeatEveryMs how often clients are told to send a heartbeat, ms
     */
    public static Service service(
            CommandRouter router,
            RoomEntry entry,
            RoomCodec codec,
            RoomClock clock,
            long heartbeatEveryMs,
            CallLimits limits,
            CallMeter meter) {
        CommandApi api = new CommandApi(router, codec, clock, heartbeatEveryMs);
        UnaryService service = new UnaryService(
                        RoomCommandServiceGrpcService.SERVICE_NAME,
                        RoomCommandServiceGrpcService.SERVICE_DESCRIPTOR,
                        entry,
                        limits,
                        meter)
                .onRoom(
                        "RoomHeartbeat",
                        RoomHeartbeatRequest.parser(),
                        false,
                        request -> Fields.room(request.getMeta(), request.getRoomId()),
                        api::heartbeat)
                .onRoom(
                        "PublishRobotDisplay",
                        PublishRobotDisplayRequest.parser(),
                        false,
                        request -> Fields.room(request.getMeta(), request.getRoomId()),
                        api::display);
        api.take(
                service,
                "CreateRoom",
                CreateRoomRequest.parser(),
                CreateRoomRequest::getMeta,
                CreateRoomRequest::getRoomId,
                RequestedCommands::createRoom);
        api.take(
                service,
                "CloseRoom",
                CloseRoomRequest.parser(),
                CloseRoomRequest::getMeta,
                CloseRoomRequest::getRoomId,
                RequestedCommands::closeRoom);
        api.take(
                service,
                "UpdateRoomProfile",
                UpdateRoomProfileRequest.parser(),
                UpdateRoomProfileRequest::getMeta,
                UpdateRoomProfileRequest::getRoomId,
                RequestedCommands::updateRoomProfile);
        api.take(
                service,
                "SetRoomBackground",
                SetRoomBackgroundRequest.parser(),
                SetRoomBackgroundRequest::getMeta,
                SetRoomBackgroundRequest::getRoomId,
                RequestedCommands::setRoomBackground);
        api.take(
                service,
                "JoinRoom",
                JoinRoomRequest.parser(),
                JoinRoomRequest::getMeta,
                JoinRoomRequest::getRoomId,
                RequestedCommands::joinRoom);
        api.take(
                service,
                "LeaveRoom",
                LeaveRoomRequest.parser(),
                LeaveRoomRequest::getMeta,
                LeaveRoomRequest::getRoomId,
                RequestedCommands::leaveRoom);
        api.take(
                service,
                "MicUp",
                MicUpRequest.parser(),
                MicUpRequest::getMeta,
                MicUpRequest::getRoomId,
                RequestedCommands::micUp);
        api.take(
                service,
                "MicDown",
                MicDownRequest.parser(),
                MicDownRequest::getMeta,
                MicDownRequest::getRoomId,
                RequestedCommands::micDown);
        api.take(
                service,
                "ChangeMicSeat",
                ChangeMicSeatRequest.parser(),
                ChangeMicSeatRequest::getMeta,
                ChangeMicSeatRequest::getRoomId,
                RequestedCommands::changeMicSeat);
        api.take(
                service,
                "ConfirmMicPublishing",
                ConfirmMicPublishingRequest.parser(),
                ConfirmMicPublishingRequest::getMeta,
                ConfirmMicPublishingRequest::getRoomId,
                RequestedCommands::confirmMicPublishing);
        api.take(
                service,
                "SetMicSeatLock",
                SetMicSeatLockRequest.parser(),
                SetMicSeatLockRequest::getMeta,
                SetMicSeatLockRequest::getRoomId,
                RequestedCommands::setMicSeatLock);
        api.take(
                service,
                "SetChatEnabled",
                SetChatEnabledRequest.parser(),
                SetChatEnabledRequest::getMeta,
                SetChatEnabledRequest::getRoomId,
                RequestedCommands::setChatEnabled);
        api.take(
                service,
                "SetRoomAdmin",
                SetRoomAdminRequest.parser(),
                SetRoomAdminRequest::getMeta,
                SetRoomAdminRequest::getRoomId,
                RequestedCommands::setRoomAdmin);
        api.take(
                service,
                "MuteUser",
                MuteUserRequest.parser(),
                MuteUserRequest::getMeta,
                MuteUserRequest::getRoomId,
                RequestedCommands::muteUser);
        api.take(
                service,
                "KickUser",
                KickUserRequest.parser(),
                KickUserRequest::getMeta,
                KickUserRequest::getRoomId,
                RequestedCommands::kickUser);
        api.take(
                service,
                "UnbanUser",
                UnbanUserRequest.parser(),
                UnbanUserRequest::getMeta,
                UnbanUserRequest::getRoomId,
                RequestedCommands::unbanUser);
        api.take(
                service,
                "SendGift",
                SendGiftRequest.parser(),
                SendGiftRequest::getMeta,
                SendGiftRequest::getRoomId,
                RequestedCommands::sendGift);
        return service.build();
    }

    /** A method that is one command, answered when that is committed. */
    private <Q extends Message> void take(
            UnaryService service,
            String method,
            Parser<Q> parser,
            Function<Q, CommandMeta> meta,
            Function<Q, String> roomId,
            Function<Q, RoomCommand> command) {
        service.onRoom(
                method,
                parser,
                true,
                request -> Fields.room(meta.apply(request), roomId.apply(request)),
                (request, timeoutMs) ->
                        submit(meta.apply(request), roomId.apply(request), command.apply(request), timeoutMs));
    }

    private Future<Buffer> submit(CommandMeta meta, String roomId, RoomCommand command, long timeoutMs) {
        RoomKey key = Fields.room(meta, roomId);
        String commandId = Fields.commandId(meta, clock.nowMs());
        long deadlineMs = clock.monotonicMs() + timeoutMs;
        return router.submit(new CommandRequest(key, commandId, command, codec.encodeCommand(key, command), deadlineMs))
                .map(this::reply);
    }

    /** Every reply is {@code {result = 1, meta = 2}}: the result's bytes go out as they were stored (CMD-6). */
    private Buffer reply(Answer answer) {
        if (answer instanceof Answer.Rejected no) {
            throw new ApiException(ErrorTable.of(no.rejection()));
        }
        if (answer instanceof Answer.Refused refused) {
            throw new ApiException(ErrorTable.of(refused));
        }
        Answer.Done done = (Answer.Done) answer;
        byte[] meta = ReplyMeta.newBuilder()
                .setReplayed(done.replayed())
                .setServerTimeMs(clock.nowMs())
                .build()
                .toByteArray();
        return Buffer.buffer(resultAndMeta(done.result(), meta));
    }

    private static byte[] resultAndMeta(byte[] result, byte[] meta) {
        int size = CodedOutputStream.computeByteArraySize(1, result) + CodedOutputStream.computeByteArraySize(2, meta);
        byte[] reply = new byte[size];
        CodedOutputStream out = CodedOutputStream.newInstance(reply);
        try {
            out.writeTag(1, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeByteArrayNoTag(result);
            out.writeTag(2, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeByteArrayNoTag(meta);
        } catch (IOException e) {
            throw new UncheckedIOException("an array of the right size was too short", e);
        }
        out.checkNoSpaceLeft();
        return reply;
    }

    private Future<Buffer> heartbeat(RoomHeartbeatRequest request, long timeoutMs) {
        String actor = Fields.actor(request.getMeta());
        RoomKey key = Fields.room(request.getMeta(), request.getRoomId());
        String micSessionId = Fields.text("mic_session_id", request.getMicSessionId(), 0, 64);
        return router.heartbeat(key, actor, new MicSign(request.getMicSessionId(), request.getPublishing()))
                .map(answer -> {
                    RoomState room = Reads.active(answer);
                    Presence.notIn(room, actor).ifPresent(no -> {
                        throw new ApiException(ErrorTable.of(((Decision.Rejected) no).rejection()));
                    });
                    return UnaryService.encoded(RoomHeartbeatResponse.newBuilder()
                            .setRoomVersion(room.version())
                            .setServerTimeMs(clock.nowMs())
                            .setNextHeartbeatInMs(heartbeatEveryMs)
                            .setMicSession(standing(room, actor, micSessionId))
                            .build());
                });
    }

    private Future<Buffer> display(PublishRobotDisplayRequest request, long timeoutMs) {
        DisplayRequest display = new DisplayRequest(
                Fields.room(request.getMeta(), request.getRoomId()),
                Fields.actor(request.getMeta()),
                Fields.displayType("display_type", request.getDisplayType()),
                Fields.jsonObject("payload_json", request.getPayloadJson(), PAYLOAD_BYTES));
        return router.display(display)
                .map(answer -> UnaryService.encoded(PublishRobotDisplayResponse.newBuilder()
                        .setRoomVersion(Reads.found(answer).version())
                        .setServerTimeMs(clock.nowMs())
                        .build()));
    }

    private static MicSessionStanding standing(RoomState room, String userId, String micSessionId) {
        if (micSessionId.isEmpty()) {
            return MicSessionStanding.MIC_SESSION_STANDING_UNSPECIFIED;
        }
        boolean current = MicSeats.seatOf(room, userId)
                .filter(seat -> seat.micSessionId().equals(micSessionId))
                .isPresent();
        return current
                ? MicSessionStanding.MIC_SESSION_STANDING_CURRENT
                : MicSessionStanding.MIC_SESSION_STANDING_ENDED;
    }
}
