package dev.roomcell.adapter.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.roomcell.cell.Answer;
import dev.roomcell.cell.CommandRequest;
import dev.roomcell.cell.CommandRouter;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RtcReports.ReportRtc;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.RtcInbox;
import dev.roomcell.proto.internal.v1.RtcReportCall;
import dev.roomcell.proto.internal.v1.RtcReportReply;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;

/**
 * Reports of RTC take the way of all calls to their room, on this node or another; but it is none that clients have: among
 * peers it goes by a name of its own.
 */
public final class RtcReportApi implements RtcInbox {
    private static final String METHOD = "roomcell.internal.v1.RtcReports/Report";

    private final CommandRouter router;
    private final RoomEntry entry;
    private final RoomCodec codec;
    private final RoomClock clock;

    private RtcReportApi(CommandRouter router, RoomEntry entry, RoomCodec codec, RoomClock clock) {
        this.router = router;
        this.entry = entry;
        this.codec = codec;
        this.clock = clock;
    }

    /** The way to the rooms, through {@code entry}, which hears of it. */
    public static RtcInbox over(CommandRouter router, RoomEntry entry, RoomCodec codec, RoomClock clock) {
        RtcReportApi api = new RtcReportApi(router, entry, codec, clock);
        entry.register(METHOD, api::read);
        return api;
    }

    @Override
    public Future<Heard> report(RoomKey key, String commandId, ReportRtc report, long timeoutMs) {
        Buffer request = UnaryService.encoded(RtcReportCall.newBuilder()
                .setAppCode(key.appCode())
                .setRoomId(key.roomId())
                .setCommandId(commandId)
                .setCommand(ByteString.copyFrom(codec.encodeCommand(key, report).bytes()))
                .build());
        return entry.run(call(request, key, commandId, report), timeoutMs).map(this::heard);
    }

    private RoomCall call(Buffer request, RoomKey key, String commandId, RoomCommand report) {
        return new RoomCall(METHOD, request, key, true, timeoutMs -> submit(key, commandId, report, timeoutMs));
    }

    /** What a peer has sent. */
    private RoomCall read(Buffer request) {
        try {
            RtcReportCall sent = RtcReportCall.parseFrom(request.getBytes());
            RoomKey key = new RoomKey(sent.getAppCode(), sent.getRoomId());
            RoomCommand command = codec.decodeCommand(sent.getCommand().toByteArray());
            if (command instanceof ReportRtc report) {
                return call(request, key, sent.getCommandId(), report);
            }
        } catch (InvalidProtocolBufferException | RoomCodec.UnreadableException newer) {
            throw new ApiException(ApiError.unimplemented("a report of RTC, which a peer has sent here,"));
        }
        throw new ApiException(ApiError.invalidField("command", "is no report of RTC"));
    }

    private Future<Buffer> submit(RoomKey key, String commandId, RoomCommand report, long timeoutMs) {
        long deadlineMs = clock.monotonicMs() + timeoutMs;
        return router.submit(new CommandRequest(key, commandId, report, codec.encodeCommand(key, report), deadlineMs))
                .map(RtcReportApi::reply);
    }

    private static Buffer reply(Answer answer) {
        if (answer instanceof Answer.Rejected no) {
            throw new ApiException(ErrorTable.of(no.rejection()));
        }
        if (answer instanceof Answer.Refused refused) {
            throw new ApiException(ErrorTable.of(refused));
        }
        Answer.Done done = (Answer.Done) answer;
        return UnaryService.encoded(RtcReportReply.newBuilder()
                .setResult(ByteString.copyFrom(done.result()))
                .setReplayed(done.replayed())
                .build());
    }

    private Heard heard(Reply reply) {
        if (reply instanceof Reply.Failed failed) {
            ApiError error = failed.error();
            return isFinal(error.status()) ? new Heard.Rejected(error.reason()) : new Heard.NotTaken(error.reason());
        }
        try {
            RtcReportReply taken =
                    RtcReportReply.parseFrom(((Reply.Ok) reply).message().getBytes());
            return new Heard.Taken(codec.decodeRtcOutcome(taken.getResult().toByteArray()), taken.getReplayed());
        } catch (InvalidProtocolBufferException | RoomCodec.UnreadableException newer) {
            return new Heard.NotTaken("INTERNAL");
        }
    }

    /** Whether the room has said no, and would again; all else may be otherwise in a moment. */
    private static boolean isFinal(GrpcStatus status) {
        return status == GrpcStatus.NOT_FOUND
                || status == GrpcStatus.FAILED_PRECONDITION
                || status == GrpcStatus.PERMISSION_DENIED
                || status == GrpcStatus.INVALID_ARGUMENT;
    }
}
