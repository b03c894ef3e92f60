package dev.roomcell.it;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.roomcell.domain.RoomKey;
import io.vertx.grpc.common.GrpcStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * A message that must be refused.
 *
 * @param what is wrong with it
 * @param method where it is sent
 * @param message its bytes
 * @param status the status of the answer
 * @param reason its reason
 * @param field the field that it names; empty if none
 */
record BadInput(String what, String method, byte[] message, GrpcStatus status, String reason, String field) {
    static final RoomKey ROOM = new RoomKey("edge", "bad");
    private static final long HOUR_MS = 3_600_000;

    /** Field numbers, as of the proto files. */
    private static final int META = 1;

    private static final int ROOM_ID = 2;
    private static final int APP_CODE = 1;
    private static final int COMMAND_ID = 2;
    private static final int QUERY_ACTOR = 2;
    private static final int ACTOR = 3;
    private static final int SENT_AT = 4;
    private static final int TRACE = 5;
    static final int FIRST_OWN = 10;

    @Override
    public String toString() {
        String name = method.substring(method.indexOf('/') + 1);
        return name + ": " + (field.isEmpty() ? "" : field + " ") + what;
    }

    static Stream<BadInput> all() {
        return Stream.of(identifiers(), numbers(), texts(), queries(), BadModeration.rows(), garbage())
                .flatMap(List::stream);
    }

    /** SEC-2. */
    private static List<BadInput> identifiers() {
        MessageLite join = RoomCalls.join(ROOM, "user", "id");
        List<BadInput> rows = new ArrayList<>();
        rows.addAll(required(RoomCalls.JOIN_ROOM, join, "meta.app_code", 32, META, APP_CODE));
        rows.addAll(required(RoomCalls.JOIN_ROOM, join, "meta.command_id", 64, META, COMMAND_ID));
        rows.addAll(required(RoomCalls.JOIN_ROOM, join, "meta.actor_user_id", 32, META, ACTOR));
        rows.addAll(required(RoomCalls.JOIN_ROOM, join, "room_id", 64, ROOM_ID));
        for (String no : List.of("Edge", ".edge", "-edge", "ed ge", "edge\n", "édge", "edge/room")) {
            rows.add(invalid("'" + no + "'", RoomCalls.JOIN_ROOM, join, no, "meta.app_code", META, APP_CODE));
        }
        for (String no : List.of("é", "\uD83D\uDE00", "\u007f", "\t", "user\n", "\u0085")) {
            rows.add(invalid("unprintable", RoomCalls.JOIN_ROOM, join, no, "meta.actor_user_id", META, ACTOR));
        }
        for (String ours : List.of("~", "~heal", "~rtc:1")) {
            rows.add(
                    invalid("the service's own", RoomCalls.JOIN_ROOM, join, ours, "meta.command_id", META, COMMAND_ID));
        }
        // 33 letters, but 66 bytes.
        rows.add(invalid("too many bytes", RoomCalls.JOIN_ROOM, join, "é".repeat(33), "room_id", ROOM_ID));
        rows.add(new BadInput(
                "as a number",
                RoomCalls.JOIN_ROOM,
                Wire.with(join, 7, ROOM_ID),
                GrpcStatus.INVALID_ARGUMENT,
                "INVALID_FIELD",
                "room_id"));
        rows.add(new BadInput(
                "no meta at all",
                RoomCalls.JOIN_ROOM,
                Wire.without(join, META),
                GrpcStatus.INVALID_ARGUMENT,
                "INVALID_FIELD",
                "meta.actor_user_id"));
        for (MethodAndRequest each : commands()) {
            rows.add(invalid("NUL", each.method, each.request, "a\0b", "room_id", ROOM_ID));
            rows.add(invalid("empty", each.method, each.request, "", "meta.actor_user_id", META, ACTOR));
        }
        return rows;
    }

    private record MethodAndRequest(String method, MessageLite request) {}

    private static List<MethodAndRequest> commands() {
        return List.of(
                new MethodAndRequest(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "id")),
                new MethodAndRequest(RoomCalls.CLOSE_ROOM, RoomCalls.close(ROOM, "user", "id")),
                new MethodAndRequest(RoomCalls.LEAVE_ROOM, RoomCalls.leave(ROOM, "user", "id")),
                new MethodAndRequest(RoomCalls.HEARTBEAT, RoomCalls.heartbeat(ROOM, "user")));
    }

    static List<BadInput> required(String method, MessageLite good, String field, int mostBytes, int... path) {
        List<BadInput> rows = new ArrayList<>();
        rows.add(new BadInput(
                "absent", method, Wire.without(good, path), GrpcStatus.INVALID_ARGUMENT, "INVALID_FIELD", field));
        rows.add(invalid("empty", method, good, "", field, path));
        rows.add(invalid("a byte too long", method, good, "a".repeat(mostBytes + 1), field, path));
        rows.add(invalid("huge", method, good, "a".repeat(500_000), field, path));
        rows.add(invalid("NUL inside", method, good, "a\0b", field, path));
        rows.add(invalid("only NUL", method, good, "\0", field, path));
        rows.addAll(notUtf8(method, good, field, path));
        return rows;
    }

    /** A stray continuation, NUL in two bytes, half of a surrogate pair (B94), and an end too soon. */
    static List<BadInput> notUtf8(String method, MessageLite good, String field, int... path) {
        return Stream.of("c328", "c080", "eda080", "61f09f98")
                .map(hex -> new BadInput(
                        "not UTF-8: " + hex,
                        method,
                        Wire.with(good, ByteString.copyFrom(HexFormat.of().parseHex(hex)), path),
                        GrpcStatus.INVALID_ARGUMENT,
                        "INVALID_FIELD",
                        field))
                .toList();
    }

    static BadInput invalid(String what, String method, MessageLite good, String value, String field, int... path) {
        return new BadInput(
                what,
                method,
                Wire.with(good, ByteString.copyFrom(value, StandardCharsets.UTF_8), path),
                GrpcStatus.INVALID_ARGUMENT,
                "INVALID_FIELD",
                field);
    }

    static BadInput invalid(String method, MessageLite good, long value, String field, int... path) {
        return new BadInput(
                "is " + value,
                method,
                Wire.with(good, value, path),
                GrpcStatus.INVALID_ARGUMENT,
                "INVALID_FIELD",
                field);
    }

    private static List<BadInput> numbers() {
        MessageLite join = RoomCalls.join(ROOM, "user", "id");
        MessageLite create = RoomCalls.create(ROOM, "id");
        List<BadInput> rows = new ArrayList<>();
        long nowMs = System.currentTimeMillis();
        for (long sentAtMs : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, nowMs + 2 * HOUR_MS}) {
            rows.add(invalid(RoomCalls.JOIN_ROOM, join, sentAtMs, "meta.sent_at_ms", META, SENT_AT));
        }
        for (long tooOldMs : new long[] {1, nowMs - 25 * HOUR_MS}) {
            rows.add(new BadInput(
                    "sent at " + tooOldMs,
                    RoomCalls.JOIN_ROOM,
                    Wire.with(join, tooOldMs, META, SENT_AT),
                    GrpcStatus.FAILED_PRECONDITION,
                    "COMMAND_TOO_OLD",
                    ""));
        }
        for (long seats : new long[] {-1, 21, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            rows.add(invalid(RoomCalls.CREATE_ROOM, create, seats, "seat_count", FIRST_OWN + 3));
        }
        for (long kind : new long[] {3, 99, -1, Integer.MAX_VALUE}) {
            rows.add(invalid(RoomCalls.JOIN_ROOM, join, kind, "kind", FIRST_OWN));
        }
        return rows;
    }

    private static List<BadInput> texts() {
        MessageLite create = RoomCalls.create(ROOM, "id");
        MessageLite join = RoomCalls.join(ROOM, "user", "id");
        MessageLite heartbeat = RoomCalls.heartbeat(ROOM, "user");
        List<BadInput> rows = new ArrayList<>(required(RoomCalls.CREATE_ROOM, create, "title", 128, FIRST_OWN));
        rows.addAll(notUtf8(RoomCalls.CREATE_ROOM, create, "owner_user_id", FIRST_OWN + 1));
        rows.add(invalid("unprintable", RoomCalls.CREATE_ROOM, create, "ö", "owner_user_id", FIRST_OWN + 1));
        rows.add(invalid("too long", RoomCalls.CREATE_ROOM, create, "a".repeat(33), "owner_user_id", FIRST_OWN + 1));
        rows.add(invalid("capitals", RoomCalls.CREATE_ROOM, create, "EU", "region", FIRST_OWN + 2));
        rows.add(invalid("too long", RoomCalls.CREATE_ROOM, create, "a".repeat(33), "region", FIRST_OWN + 2));
        for (int url : new int[] {FIRST_OWN + 4, FIRST_OWN + 5}) {
            String field = url == FIRST_OWN + 4 ? "cover_url" : "background_url";
            rows.add(invalid("too long", RoomCalls.CREATE_ROOM, create, "u".repeat(513), field, url));
            rows.add(invalid("NUL", RoomCalls.CREATE_ROOM, create, "u\0", field, url));
            rows.addAll(notUtf8(RoomCalls.CREATE_ROOM, create, field, url));
        }
        rows.add(invalid("too long", RoomCalls.JOIN_ROOM, join, "t".repeat(129), "meta.trace", META, TRACE));
        rows.add(invalid("unprintable", RoomCalls.JOIN_ROOM, join, "t\r\n", "meta.trace", META, TRACE));
        rows.addAll(notUtf8(RoomCalls.JOIN_ROOM, join, "meta.trace", META, TRACE));
        rows.add(invalid("too long", RoomCalls.HEARTBEAT, heartbeat, "m".repeat(65), "mic_session_id", FIRST_OWN));
        return rows;
    }

    private static List<BadInput> queries() {
        MessageLite get = RoomCalls.get(ROOM);
        MessageLite list = RoomCalls.listPresence(ROOM);
        MessageLite check = RoomCalls.checkPresence(ROOM, "user");
        List<BadInput> rows = new ArrayList<>();
        rows.addAll(required(RoomCalls.GET_ROOM, get, "meta.app_code", 32, META, APP_CODE));
        rows.addAll(required(RoomCalls.GET_ROOM, get, "room_id", 64, ROOM_ID));
        rows.add(invalid("unprintable", RoomCalls.GET_ROOM, get, "é", "meta.actor_user_id", META, QUERY_ACTOR));
        for (long size : new long[] {-1, 501, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            rows.add(invalid(RoomCalls.LIST_PRESENCE, list, size, "page_size", FIRST_OWN));
        }
        rows.add(invalid("too long", RoomCalls.LIST_PRESENCE, list, "p".repeat(513), "page_token", FIRST_OWN + 1));
        MessageLite rooms = RoomCalls.listRooms(ROOM.appCode(), "eu", 10, "");
        rows.addAll(required(RoomCalls.LIST_ROOMS, rooms, "meta.app_code", 32, META, APP_CODE));
        rows.add(invalid("capitals", RoomCalls.LIST_ROOMS, rooms, "EU", "region", FIRST_OWN));
        rows.add(invalid("too long", RoomCalls.LIST_ROOMS, rooms, "r".repeat(33), "region", FIRST_OWN));
        for (long size : new long[] {-1, 501, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            rows.add(invalid(RoomCalls.LIST_ROOMS, rooms, size, "page_size", FIRST_OWN + 1));
        }
        for (String token : List.of("p".repeat(513), "garbage", "====", "A", "AAAAAAAAAAAAAAAAAAAAAA")) {
            rows.add(invalid(token, RoomCalls.LIST_ROOMS, rooms, token, "page_token", FIRST_OWN + 2));
        }
        MessageLite events = RoomCalls.getRoomEvents(ROOM, 1, 1);
        rows.addAll(required(RoomCalls.GET_ROOM_EVENTS, events, "room_id", 64, ROOM_ID));
        for (long since : new long[] {-1, Long.MIN_VALUE}) {
            rows.add(invalid(RoomCalls.GET_ROOM_EVENTS, events, since, "since_version", FIRST_OWN));
        }
        for (long most : new long[] {-1, 501, Integer.MIN_VALUE}) {
            rows.add(invalid(RoomCalls.GET_ROOM_EVENTS, events, most, "max_events", FIRST_OWN + 1));
        }
        rows.addAll(required(RoomCalls.CHECK_PRESENCE, check, "user_id", 32, FIRST_OWN));
        rows.addAll(required(RoomCalls.CHECK_SPEAK, RoomCalls.checkSpeak(ROOM, "user"), "user_id", 32, FIRST_OWN));
        return rows;
    }

    /** Bytes that are no message of the type. */
    private static List<BadInput> garbage() {
        List<BadInput> rows = new ArrayList<>();
        for (String hex : List.of("ff", "ffffffffffffffffffffff", "0aff", "0a05616263", "0b0b0b0b", "00", "1200ff")) {
            rows.add(unreadable(hex, HexFormat.of().parseHex(hex)));
        }
        byte[] nested = new byte[100_000];
        Arrays.fill(nested, (byte) 0x0b);
        rows.add(unreadable("groups without end", nested));
        return rows;
    }

    private static BadInput unreadable(String what, byte[] bytes) {
        return new BadInput(
                "garbage: " + what,
                RoomCalls.JOIN_ROOM,
                bytes,
                GrpcStatus.INVALID_ARGUMENT,
                "INVALID_FIELD",
                "request");
    }
}
