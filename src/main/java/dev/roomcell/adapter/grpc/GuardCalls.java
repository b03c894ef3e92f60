package dev.roomcell.adapter.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.ChatGuard;
import dev.roomcell.proto.room.v1.CheckSpeakRequest;
import dev.roomcell.proto.room.v1.CheckSpeakResponse;
import dev.roomcell.proto.room.v1.ErrorReason;
import dev.roomcell.proto.room.v1.QueryMeta;
import dev.roomcell.proto.room.v1.RoomGuardServiceGrpcService;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code CheckSpeak} for callers in the house: the same question, brought to the room's owner by the same way. Callable from
 * any thread, as soon as the service is made.
 */
public final class GuardCalls implements ChatGuard {
    private static final Logger log = LoggerFactory.getLogger(GuardCalls.class);
    private static final String CHECK_SPEAK =
            RoomGuardServiceGrpcService.SERVICE_DESCRIPTOR.getFullName() + "/CheckSpeak";

    private static final Map<ErrorReason, Verdict> REASONS = Map.of(
            ErrorReason.ERROR_REASON_BANNED, Verdict.BANNED,
            ErrorReason.ERROR_REASON_NOT_PRESENT, Verdict.NOT_PRESENT,
            ErrorReason.ERROR_REASON_MUTED, Verdict.MUTED,
            ErrorReason.ERROR_REASON_CHAT_DISABLED, Verdict.CHAT_DISABLED);

    private final RoomEntry entry;

    /** Asks by {@code entry}. */
    public GuardCalls(RoomEntry entry) {
        this.entry = entry;
    }

    @Override
    public Future<Verdict> maySpeak(RoomKey key, String userId, long timeoutMs) {
        CheckSpeakRequest request = CheckSpeakRequest.newBuilder()
                .setMeta(QueryMeta.newBuilder().setAppCode(key.appCode()))
                .setRoomId(key.roomId())
                .setUserId(userId)
                .build();
        return entry.call(CHECK_SPEAK, UnaryService.encoded(request), timeoutMs).map(GuardCalls::verdict);
    }

    private static Verdict verdict(Reply reply) {
        if (reply instanceof Reply.Failed failed) {
            return switch (failed.error().reason()) {
                // There is no such room, or it takes nothing any more.
                case "ROOM_CLOSED", "ROOM_NOT_FOUND" -> Verdict.ROOM_CLOSED;
                // No user has such an id.
                case "INVALID_FIELD" -> Verdict.NOT_PRESENT;
                default -> Verdict.UNDECIDED;
            };
        }
        return verdict(((Reply.Ok) reply).message());
    }

    private static Verdict verdict(Buffer response) {
        try {
            CheckSpeakResponse answer = CheckSpeakResponse.parseFrom(response.getBytes());
            return answer.getAllowed() ? Verdict.ALLOWED : REASONS.getOrDefault(answer.getReason(), Verdict.UNDECIDED);
        } catch (InvalidProtocolBufferException unreadable) {
            log.warn("an answer to CheckSpeak can't be read: {}", unreadable.toString());
            return Verdict.UNDECIDED;
        }
    }
}
