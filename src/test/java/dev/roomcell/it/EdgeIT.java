package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.roomcell.RoomNode;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.CheckSpeakResponse;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.CreateRoomResponse;
import dev.roomcell.proto.room.v1.ErrorReason;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomResponse;
import dev.roomcell.proto.room.v1.RetryHint;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a node answers to whatever arrives on its gRPC port. */
final class EdgeIT {
    private static final RoomKey ROOM = new RoomKey("edge", "room");

    /** The traces that a fault of ours would leave in a message: classes, stack frames, statements. */
    private static final Pattern INNARDS =
            Pattern.compile("(?i)exception|\\bat [a-z]+\\.|\\.java|io\\.vertx|netty|dev\\.roomcell|com\\.google"
                    + "|select |insert |update |delete |where |room_command_log|lease_epoch|mysql|jdbc");

    private static Vertx vertx;
    private static Backends backends;
    private static RoomNode node;
    private static RoomTables tables;
    private static RawConnection connection;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        node = backends.startNode("edge", Map.of("ROOM_NODE_EVENT_LOOPS", "2"));
        tables = backends.tables();
        connection = RawConnection.open(vertx, node.grpcPort());
        connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(ROOM, "create"));
    }

    @AfterAll
    static void stop() {
        tables.close();
        Await.result(node.stop());
        Await.result(vertx.close());
    }

    /** SEC-2, LEASE-2, CMD-5, LOG-2. */
    @ParameterizedTest
    @MethodSource("dev.roomcell.it.BadInput#all")
    void badInputIsRefusedByNameAndWritesNothing(BadInput bad) throws Exception {
        Map<String, Long> before = tables.counts();
        RawAnswer answer = connection.call(bad.method(), bad.message());
        assertThat(answer.status()).as(answer.message()).isEqualTo(bad.status());
        assertThat(answer.reason()).isEqualTo(bad.reason());
        assertThat(answer.field()).isEqualTo(bad.field());
        assertThat(answer.retry()).isEqualTo(RetryHint.Kind.KIND_NEVER);
        assertTellsNoInnards(answer);
        assertThat(tables.counts()).isEqualTo(before);
        assertConnectionServes();
    }

    private static void assertTellsNoInnards(RawAnswer answer) {
        assertThat(answer.message()).isNotEmpty().hasSizeLessThan(400).doesNotContainPattern(INNARDS);
        assertThat(String.valueOf(answer.details())).doesNotContainPattern(INNARDS);
    }

    private static void assertConnectionServes() throws Exception {
        assertThat(connection.isOpen()).isTrue();
        RawAnswer room = connection.call(RoomCalls.GET_ROOM, RoomCalls.get(ROOM));
        assertThat(GetRoomResponse.parseFrom(room.reply()).getRoom().getRoomId())
                .isEqualTo(ROOM.roomId());
    }

    @Test
    void aFieldThatIsNewerThanThisNodeIsNoReasonToRefuse() throws Exception {
        byte[] request = Wire.with(
                JoinRoomRequest.parseFrom(Wire.with(RoomCalls.join(ROOM, "newer", "newer"), 1, 99)),
                ByteString.copyFromUtf8("what"),
                1,
                999);
        RawAnswer answer = connection.call(RoomCalls.JOIN_ROOM, request);
        assertThat(answer.status()).isEqualTo(GrpcStatus.OK);
    }

    /** SEC-2. */
    @Test
    void theLongestIdsAreTaken() throws Exception {
        RoomKey longest = new RoomKey("a".repeat(32), "\uD83D\uDE00".repeat(16));
        assertThat(versionOf(create(longest, "c".repeat(64)))).isEqualTo(1);
        JoinRoomRequest join = RoomCalls.join(longest, "~".repeat(32), "é".repeat(32));
        assertThat(connection.call(RoomCalls.JOIN_ROOM, join).status()).isEqualTo(GrpcStatus.OK);
        assertThat(tables.log(longest)).extracting(LogRow::commandId).containsExactly("c".repeat(64), "é".repeat(32));
    }

    private static RawAnswer create(RoomKey room, String commandId) {
        return connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, commandId));
    }

    private static long versionOf(RawAnswer created) throws Exception {
        return CreateRoomResponse.parseFrom(created.reply()).getResult().getRoomVersion();
    }

    /** Equal to each other in the usual collations of MySQL, one way or another. */
    private static final List<String> ALIKE = List.of(
            "cafe",
            "Cafe",
            "caf\u00e9",
            "cafe\u0301",
            "cafe ",
            " cafe",
            "cafe  ",
            "cafe\uD83D\uDE00",
            "cafe\uD83D\uDE01",
            "cafe\u00df",
            "cafess",
            "cafe\u200b");

    /** SEC-2. */
    @Test
    void roomsWhoseIdsOnlyLookAlikeAreDifferentRooms() throws Exception {
        Set<String> groups = new HashSet<>();
        for (String roomId : ALIKE) {
            RawAnswer created = create(new RoomKey("alike", roomId), "create");
            assertThat(versionOf(created)).as(roomId).isEqualTo(1);
            groups.add(CreateRoomResponse.parseFrom(created.reply()).getResult().getImGroupId());
        }
        assertThat(groups).hasSize(ALIKE.size());
        for (String roomId : ALIKE) {
            RoomKey room = new RoomKey("alike", roomId);
            assertThat(tables.log(room)).as(roomId).hasSize(1);
            assertThat(GetRoomResponse.parseFrom(connection
                                    .call(RoomCalls.GET_ROOM, RoomCalls.get(room))
                                    .reply())
                            .getRoom()
                            .getRoomId())
                    .isEqualTo(roomId);
        }
    }

    /** SEC-2. */
    @Test
    void commandsWhoseIdsOnlyLookAlikeAreDifferentCommands() throws Exception {
        RoomKey room = new RoomKey("alike", "commands");
        create(room, "create");
        for (int i = 0; i < ALIKE.size(); i++) {
            JoinRoomRequest join = RoomCalls.join(room, "user" + i, ALIKE.get(i));
            RawAnswer answer = connection.call(RoomCalls.JOIN_ROOM, join);
            JoinRoomResponse joined = JoinRoomResponse.parseFrom(answer.reply());
            assertThat(joined.getResult().getRoomVersion()).isEqualTo(i + 2);
            assertThat(joined.getMeta().getReplayed()).isFalse();
        }
        assertThat(tables.log(room)).hasSize(1 + ALIKE.size());
    }

    /** CMD-6, CMD-7. */
    @Test
    void aReplayIsAnsweredWithTheBytesOfTheFirstAnswer() throws Exception {
        RoomKey room = new RoomKey("edge", "replay");
        create(room, "create");
        JoinRoomRequest join = RoomCalls.join(room, "user", "join");
        byte[] first = resultBytes(connection.call(RoomCalls.JOIN_ROOM, join));
        connection.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "other", "other"));
        connection.call(RoomCalls.LEAVE_ROOM, RoomCalls.leave(room, "user", "leave"));
        RawAnswer again = connection.call(RoomCalls.JOIN_ROOM, join);
        assertThat(resultBytes(again)).isEqualTo(first);
        assertThat(JoinRoomResponse.parseFrom(again.reply()).getMeta().getReplayed())
                .isTrue();
        assertThat(tables.log(room).get(1).result()).isEqualTo(first);

        // A room that lost its memory answers from the log.
        RoomNode next = backends.startNode("replay", Map.of());
        try (RawConnection toNext = RawConnection.open(vertx, next.grpcPort())) {
            connection.call(RoomCalls.CLOSE_ROOM, RoomCalls.close(room, "owner", "close"));
            RawAnswer leave = toNext.call(RoomCalls.LEAVE_ROOM, RoomCalls.leave(room, "user", "leave"));
            assertThat(resultBytes(leave)).isEqualTo(tables.log(room).get(3).result());
        } finally {
            Await.result(next.stop());
        }
    }

    /** Each reason says for machines what it is about, as errors.proto promises. */
    @Test
    void aRefusalSaysWhatItIsAbout() {
        RoomKey room = new RoomKey("edge", "about");
        create(room, "create");
        for (String user : List.of("ann", "ben")) {
            connection.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, user, "join-" + user));
        }
        connection.call(RoomCalls.MIC_UP, RoomCalls.micUp(room, "ann", 3, "up"));

        assertRefused(
                connection.call(RoomCalls.MIC_UP, RoomCalls.micUp(room, "ben", 3, "taken")),
                GrpcStatus.FAILED_PRECONDITION,
                "SEAT_OCCUPIED",
                Map.of("seat_no", "3", "user_id", "ann"));
        assertRefused(
                connection.call(RoomCalls.MIC_UP, RoomCalls.micUp(room, "ann", 4, "seated")),
                GrpcStatus.FAILED_PRECONDITION,
                "ALREADY_ON_SEAT",
                Map.of("seat_no", "3"));
        assertRefused(
                connection.call(RoomCalls.MIC_UP, RoomCalls.micUp(room, "ben", 20, "absent")),
                GrpcStatus.NOT_FOUND,
                "SEAT_NOT_FOUND",
                Map.of("seat_no", "20"));
        assertRefused(
                connection.call(RoomCalls.KICK_USER, RoomCalls.kick(room, "owner", "self")),
                GrpcStatus.PERMISSION_DENIED,
                "TARGET_PROTECTED",
                Map.of("user_id", "owner"));
        connection.call(RoomCalls.KICK_USER, RoomCalls.kick(room, "ben", "kick"));
        assertRefused(
                connection.call(RoomCalls.HEARTBEAT, RoomCalls.heartbeat(room, "ben")),
                GrpcStatus.PERMISSION_DENIED,
                "BANNED",
                Map.of("user_id", "ben"));
    }

    private static void assertRefused(
            RawAnswer answer, GrpcStatus status, String reason, Map<String, String> metadata) {
        assertThat(answer.reason()).as(answer.message()).isEqualTo(reason);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.metadata()).isEqualTo(metadata);
        assertThat(answer.retry()).isEqualTo(RetryHint.Kind.KIND_NEVER);
    }

    /** A guard answers what the room's own rules say. */
    @Test
    void aGuardSaysWhoMaySpeakAndWhyNot() throws Exception {
        RoomKey room = new RoomKey("edge", "speak");
        create(room, "create");
        connection.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "ann", "join"));

        assertThat(speech(room, "ann").getAllowed()).isTrue();
        assertThat(speech(room, "ann").getReason()).isEqualTo(ErrorReason.ERROR_REASON_UNSPECIFIED);
        assertThat(speech(room, "ben").getReason()).isEqualTo(ErrorReason.ERROR_REASON_NOT_PRESENT);
        connection.call(RoomCalls.KICK_USER, RoomCalls.kick(room, "ann", "kick"));
        assertThat(speech(room, "ann").getReason()).isEqualTo(ErrorReason.ERROR_REASON_BANNED);
        assertThat(speech(room, "ann").getRoomVersion()).isEqualTo(3);
        connection.call(RoomCalls.CLOSE_ROOM, RoomCalls.close(room, "owner", "close"));
        assertThat(connection
                        .call(RoomCalls.CHECK_SPEAK, RoomCalls.checkSpeak(room, "ann"))
                        .reason())
                .isEqualTo("ROOM_CLOSED");
    }

    private static CheckSpeakResponse speech(RoomKey room, String userId) throws Exception {
        return CheckSpeakResponse.parseFrom(connection
                .call(RoomCalls.CHECK_SPEAK, RoomCalls.checkSpeak(room, userId))
                .reply());
    }

    /** Field 1 of a reply, as it came. */
    private static byte[] resultBytes(RawAnswer answer) throws Exception {
        return UnknownFieldSet.parseFrom(answer.reply())
                .getField(1)
                .getLengthDelimitedList()
                .get(0)
                .toByteArray();
    }

    static Stream<String> everyMethodOfTheApiIsThere() {
        return RoomCalls.allMethods();
    }

    @ParameterizedTest
    @MethodSource
    void everyMethodOfTheApiIsThere(String method) throws Exception {
        RawAnswer answer = connection.call(method, CreateRoomRequest.getDefaultInstance());
        assertThat(answer.status()).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        assertThat(answer.reason()).isEqualTo("INVALID_FIELD");
        assertTellsNoInnards(answer);
        assertConnectionServes();
    }

    @Test
    void unknownMethodsAndServicesAreUnimplemented() throws Exception {
        for (String method : List.of(
                "room.v1.RoomCommandService/DropRoom",
                "room.v1.RoomCommandService/joinRoom",
                "room.v1.RoomCommandService/JoinRoom/",
                "room.v1.RoomCommandService",
                "room.v2.RoomCommandService/JoinRoom",
                "nobody.Service/Method",
                "..%2f..%2fetc/passwd")) {
            RawAnswer answer = connection.call(method, RoomCalls.join(ROOM, "user", "id"));
            assertThat(answer.status()).as(method).isEqualTo(GrpcStatus.UNIMPLEMENTED);
            assertThat(answer.message()).doesNotContainPattern(INNARDS);
            assertConnectionServes();
        }
    }

    /** More often than the windows of one connection would allow if the rest of a refused message was not given back. */
    @Test
    void tooLongMessagesAreRefusedAgainAndAgainOnOneConnection() throws Exception {
        Map<String, Long> before = tables.counts();
        byte[] tooLong =
                Wire.with(RoomCalls.join(ROOM, "user", "id"), ByteString.copyFrom(new byte[5 * 1024 * 1024]), 999);
        for (int i = 0; i < 10; i++) {
            RawAnswer answer = connection.call(RoomCalls.JOIN_ROOM, tooLong);
            assertThat(answer.status()).isEqualTo(GrpcStatus.RESOURCE_EXHAUSTED);
            assertThat(answer.field()).isEmpty();
            assertThat(answer.retry()).isEqualTo(RetryHint.Kind.KIND_NEVER);
            assertTellsNoInnards(answer);
            assertConnectionServes();
        }
        assertThat(tables.counts()).isEqualTo(before);
    }
}
