package dev.roomcell.adapter.grpc;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.QueryMeta;
import io.vertx.grpc.common.GrpcStatus;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What the fields of a request may hold (SEC-2); every refusal names the field. */
final class Fields {
    private static final Pattern APP_CODE = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,31}");
    private static final Pattern DISPLAY_TYPE = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern REGION = Pattern.compile("[a-z0-9-]*");
    private static final int ROOM_ID_BYTES = 64;
    private static final int USER_ID_BYTES = 32;
    private static final int COMMAND_ID_BYTES = 64;
    private static final int TRACE_BYTES = 128;
    /** Older commands are refused, so that no id outlives its dedupe (LOG-2). */
    private static final long COMMAND_TOO_OLD_MS = 24 * 3_600_000L;
    /** A clock so far ahead would let an id outlive its dedupe just so. */
    private static final long COMMAND_AHEAD_MS = 3_600_000L;

    private Fields() {}

    /** The room of a command; who acts is looked at first, as in every command. */
    static RoomKey room(CommandMeta meta, String roomId) {
        actor(meta);
        return room(meta.getAppCode(), roomId);
    }

    static RoomKey room(QueryMeta meta, String roomId) {
        return room(appCode(meta), roomId);
    }

    /** The app of a query that is about no single room. */
    static String appCode(QueryMeta meta) {
        if (!meta.getActorUserId().isEmpty()) {
            userId("meta.actor_user_id", meta.getActorUserId());
        }
        printable("meta.trace", meta.getTrace(), 0, TRACE_BYTES);
        return appCode(meta.getAppCode());
    }

    private static RoomKey room(String appCode, String roomId) {
        appCode(appCode);
        bytes("room_id", roomId, 1, ROOM_ID_BYTES);
        return new RoomKey(appCode, roomId);
    }

    private static String appCode(String value) {
        if (!APP_CODE.matcher(value).matches()) {
            throw invalid("meta.app_code", "must match [a-z0-9][a-z0-9_.-]{0,31}");
        }
        return value;
    }

    /** The actor of any command. */
    static String actor(CommandMeta meta) {
        printable("meta.trace", meta.getTrace(), 0, TRACE_BYTES);
        return userId("meta.actor_user_id", meta.getActorUserId());
    }

    /** The id of a command that is logged; also refuses what is too old to be told from a retry. */
    static String commandId(CommandMeta meta, long nowMs) {
        String commandId = meta.getCommandId();
        bytes("meta.command_id", commandId, 1, COMMAND_ID_BYTES);
        if (commandId.startsWith("~")) {
            throw invalid("meta.command_id", "ids that start with ~ are the service's own");
        }
        long sentAtMs = meta.getSentAtMs();
        if (sentAtMs <= 0) {
            throw invalid("meta.sent_at_ms", "must be the time of the first sending, epoch ms");
        }
        if (sentAtMs > nowMs + COMMAND_AHEAD_MS) {
            throw invalid("meta.sent_at_ms", "is more than an hour ahead of the service's clock");
        }
        if (sentAtMs < nowMs - COMMAND_TOO_OLD_MS) {
            throw new ApiException(ApiError.of(
                    GrpcStatus.FAILED_PRECONDITION,
                    "COMMAND_TOO_OLD",
                    "first sent more than 24 hours ago; send it as a new command if it is still wanted",
                    ApiError.NEVER));
        }
        return commandId;
    }

    static String userId(String field, String value) {
        return printable(field, value, 1, USER_ID_BYTES);
    }

    static String text(String field, String value, int leastBytes, int mostBytes) {
        return bytes(field, value, leastBytes, mostBytes);
    }

    static String region(String field, String value) {
        bytes(field, value, 0, 32);
        if (!REGION.matcher(value).matches()) {
            throw invalid(field, "must match [a-z0-9-]{0,32}");
        }
        return value;
    }

    static String displayType(String field, String value) {
        if (!DISPLAY_TYPE.matcher(value).matches()) {
            throw invalid(field, "must match [A-Za-z0-9_.-]{1,64}");
        }
        return value;
    }

    /** Empty, or one JSON object as RFC 8259 has it: clients get it as it is. */
    static String jsonObject(String field, String value, int mostBytes) {
        bytes(field, value, 0, mostBytes);
        if (!value.isEmpty() && !JsonText.isObject(value)) {
            throw invalid(field, "must be one JSON object, nested at most " + JsonText.DEPTH + " deep, or empty");
        }
        return value;
    }

    static int range(String field, int value, int least, int most) {
        if (value < least || value > most) {
            throw invalid(field, "must be " + least + " to " + most + ", not " + value);
        }
        return value;
    }

    static long range(String field, long value, long least, long most) {
        if (value < least || value > most) {
            throw invalid(field, "must be " + least + " to " + most + ", not " + value);
        }
        return value;
    }

    /** A value that may be false or 0, but must have been said. */
    static void given(String field, boolean has) {
        if (!has) {
            throw invalid(field, "must be set");
        }
    }

    private static String bytes(String field, String value, int least, int most) {
        int length = value.getBytes(StandardCharsets.UTF_8).length;
        if (length < least || length > most) {
            throw invalid(field, "must have " + least + " to " + most + " bytes, not " + length);
        }
        if (value.indexOf('\0') >= 0) {
            throw invalid(field, "must not hold NUL");
        }
        return value;
    }

    private static String printable(String field, String value, int least, int most) {
        bytes(field, value, least, most);
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < 0x20 || value.charAt(i) > 0x7e) {
                throw invalid(field, "must be printable ASCII");
            }
        }
        return value;
    }

    static ApiException invalid(String field, String message) {
        return new ApiException(ApiError.invalidField(field, message));
    }
}
