package dev.roomcell.adapter.grpc;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.roomcell.cell.Answer;
import dev.roomcell.cell.CommandRequest;
import dev.roomcell.cell.CommandRouter;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.proto.room.v1.CloseRoomRequest;
import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.LeaveRoomRequest;
import dev.roomcell.proto.room.v1.MicSessionStanding;
import dev.roomcell.proto.room.v1.PresenceKind;
import dev.roomcell.proto.room.v1.ReplyMeta;
import dev.roomcell.proto.room.v1.RoomCommandServiceGrpcService;
import dev.roomcell.proto.room.v1.RoomHeartbeatRequest;
import dev.roomcell.proto.room.v1.RoomHeartbeatResponse;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.server.Service;
import java.io.IOException;
import java.io.UncheckedIOException;

/** {@code room.v1.RoomCommandService}: validates, turns requests into commands and answers into replies. */
public final class CommandApi {
    /** Clients send a heartbeat so often, ms. */
    private static final long HEARTBEAT_EVERY_MS = 15_000;

    private final CommandRouter router;
    private final RoomCodec codec;
    private final RoomClock clock;

    private CommandApi(CommandRouter router, RoomCodec codec, RoomClock clock) {
        this.router = router;
        this.codec = codec;
        this.clock = clock;
    }

    /** The service over the node's rooms. */
    public static Service service(
            CommandRouter router, RoomCodec codec, RoomClock clock, CallLimits limits, CallMeter meter) {
        CommandApi api = new CommandApi(router, codec, clock);
        return new UnaryService(
                        RoomCommandServiceGrpcService.SERVICE_NAME,
                        RoomCommandServiceGrpcService.SERVICE_DESCRIPTOR,
                        limits,
                        meter)
                .on("CreateRoom", CreateRoomRequest.parser(), api::createRoom)
                .on("CloseRoom", CloseRoomRequest.parser(), api::closeRoom)
                .on("JoinRoom", JoinRoomRequest.parser(), api::joinRoom)
                .on("LeaveRoom", LeaveRoomRequest.parser(), api::leaveRoom)
                .on("RoomHeartbeat", RoomHeartbeatRequest.parser(), api::heartbeat)
                .build();
    }

    private Future<Buffer> createRoom(CreateRoomRequest request, long timeoutMs) {
        String actor = Fields.actor(request.getMeta());
        String owner =
                request.getOwnerUserId().isEmpty() ? actor : Fields.userId("owner_user_id", request.getOwnerUserId());
        Lifecycle.Profile profile = new Lifecycle.Profile(
                owner,
                Fields.text("title", request.getTitle(), 1, 128),
                Fields.region(request.getRegion()),
                Fields.text("cover_url", request.getCoverUrl(), 0, 512),
                Fields.text("background_url", request.getBackgroundUrl(), 0, 512));
        int seats = Fields.range("seat_count", request.getSeatCount(), 0, MicSeats.MAX_SEATS);
        RoomCommand command = new Lifecycle.CreateRoom(actor, profile, seats == 0 ? MicSeats.DEFAULT_SEATS : seats);
        return submit(request.getMeta(), request.getRoomId(), command, timeoutMs);
    }

    private Future<Buffer> closeRoom(CloseRoomRequest request, long timeoutMs) {
        RoomCommand command = new Lifecycle.CloseRoom(Fields.actor(request.getMeta()));
        return submit(request.getMeta(), request.getRoomId(), command, timeoutMs);
    }

    private Future<Buffer> joinRoom(JoinRoomRequest request, long timeoutMs) {
        if (request.getKind() == PresenceKind.UNRECOGNIZED) {
            throw Fields.invalid("kind", "unknown value " + request.getKindValue());
        }
        if (request.getKind() == PresenceKind.PRESENCE_KIND_ROBOT) {
            throw new ApiException(ApiError.unimplemented("kind: a robot's presence"));
        }
        RoomCommand command = new Presence.JoinRoom(Fields.actor(request.getMeta()));
        return submit(request.getMeta(), request.getRoomId(), command, timeoutMs);
    }

    private Future<Buffer> leaveRoom(LeaveRoomRequest request, long timeoutMs) {
        RoomCommand command = new Presence.LeaveRoom(Fields.actor(request.getMeta()));
        return submit(request.getMeta(), request.getRoomId(), command, timeoutMs);
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
        return router.heartbeat(key, actor).map(answer -> {
            RoomState room = Reads.active(answer);
            if (room.member(actor).isEmpty()) {
                throw new ApiException(ErrorTable.of(Presence.notPresent(actor).rejection()));
            }
            return UnaryService.encoded(RoomHeartbeatResponse.newBuilder()
                    .setRoomVersion(room.version())
                    .setServerTimeMs(clock.nowMs())
                    .setNextHeartbeatInMs(HEARTBEAT_EVERY_MS)
                    .setMicSession(standing(room, actor, micSessionId))
                    .build());
        });
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
