package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.RetryHint;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.vertx.grpc.reflection.v1.ServerReflectionRequest;
import io.vertx.grpc.reflection.v1.ServerReflectionResponse;
import io.vertx.grpc.reflection.v1.ServiceResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** gRPC as a protocol: bodies that are no unary call, other ways in, health and reflection. */
final class ProtocolIT {
    private static final RoomKey ROOM = new RoomKey("protocol", "room");
    private static final JoinRoomRequest JOIN = RoomCalls.join(ROOM, "user", "join");

    private static final int ROUNDS = Integer.getInteger("protocol.rounds", 40);

    private static Vertx vertx;
    private static Backends backends;
    private static RoomNode node;
    private static RoomTables tables;
    private static RawConnection connection;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        node = backends.startNode("protocol", Map.of());
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

    static Stream<Arguments> bodies() {
        byte[] join = JOIN.toByteArray();
        Buffer whole = RawConnection.framed(join);
        return Stream.of(
                Arguments.of("nothing at all", Map.of(), Buffer.buffer(), GrpcStatus.INVALID_ARGUMENT),
                Arguments.of("half a frame head", Map.of(), whole.getBuffer(0, 3), GrpcStatus.INVALID_ARGUMENT),
                Arguments.of(
                        "less than announced",
                        Map.of(),
                        whole.getBuffer(0, whole.length() - 1),
                        GrpcStatus.INVALID_ARGUMENT),
                Arguments.of(
                        "two messages",
                        Map.of(),
                        whole.copy()
                                .appendBuffer(RawConnection.framed(
                                        RoomCalls.join(ROOM, "second", "second").toByteArray())),
                        GrpcStatus.INVALID_ARGUMENT),
                Arguments.of(
                        "4 GiB announced",
                        Map.of(),
                        Buffer.buffer().appendByte((byte) 0).appendInt(-1),
                        GrpcStatus.RESOURCE_EXHAUSTED),
                Arguments.of("gzip", Map.of("grpc-encoding", "gzip"), compressed(gzip(join)), GrpcStatus.UNIMPLEMENTED),
                Arguments.of(
                        "gzip that is none",
                        Map.of("grpc-encoding", "gzip"),
                        compressed(join),
                        GrpcStatus.UNIMPLEMENTED),
                Arguments.of(
                        "an unknown encoding",
                        Map.of("grpc-encoding", "zip"),
                        compressed(join),
                        GrpcStatus.UNIMPLEMENTED));
    }

    private static Buffer compressed(byte[] bytes) {
        return Buffer.buffer().appendByte((byte) 1).appendInt(bytes.length).appendBytes(bytes);
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new IllegalStateException("memory does not fail", e);
        }
        return zipped.toByteArray();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    void aBodyThatIsNoUnaryCallIsRefusedAndDoesNothing(
            String what, Map<String, String> headers, Buffer body, GrpcStatus status) {
        RawAnswer answer = Await.result(connection.postGrpc(RoomCalls.JOIN_ROOM, headers, body));
        assertThat(answer.status()).as(what + ": " + answer).isEqualTo(status);
        assertThat(answer.retry()).isEqualTo(RetryHint.Kind.KIND_NEVER);
        assertThat(tables.log(ROOM)).hasSize(1);
        assertServes();
    }

    private static void assertServes() {
        assertThat(connection.isOpen()).isTrue();
        assertThat(connection.call(RoomCalls.GET_ROOM, RoomCalls.get(ROOM)).status())
                .isEqualTo(GrpcStatus.OK);
    }

    @Test
    void jsonAndGrpcWebAreNoWayIn() {
        String path = "/" + RoomCalls.JOIN_ROOM;
        Buffer json = new JsonObject().put("room_id", ROOM.roomId()).toBuffer();
        for (String type : List.of(
                "application/json",
                "application/grpc-web",
                "application/grpc-web+proto",
                "application/grpc-web-text",
                "text/plain")) {
            RawAnswer answer = Await.result(connection.post(path, Map.of("content-type", type), json));
            assertThat(answer.httpStatus()).as(type).isEqualTo(415);
        }
        assertThat(Await.result(connection.post(path, Map.of(), json)).httpStatus())
                .isEqualTo(415);
        assertThat(http1(path, "application/json", json)).isEqualTo(415);
        assertThat(http1(path, "application/grpc-web+proto", json)).isEqualTo(415);
        assertThat(http1(path, "application/grpc", RawConnection.framed(JOIN.toByteArray())))
                .isEqualTo(415);
        assertThat(tables.log(ROOM)).hasSize(1);
        assertServes();
    }

    private static int http1(String path, String contentType, Buffer body) {
        return Await.result(vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_1_1))
                .request(HttpMethod.POST, node.grpcPort(), "127.0.0.1", path)
                .compose(request ->
                        request.putHeader("content-type", contentType).send(body))
                .map(response -> response.statusCode()));
    }

    @Test
    void healthKnowsEveryServiceAndNoOther() throws Exception {
        for (String service :
                RoomCalls.SERVICES.stream().map(each -> each.getFullName()).toList()) {
            assertThat(HealthCheckResponse.parseFrom(health(service).reply()).getStatus())
                    .as(service)
                    .isEqualTo(ServingStatus.SERVING);
        }
        assertThat(HealthCheckResponse.parseFrom(health("").reply()).getStatus())
                .isEqualTo(ServingStatus.SERVING);
        assertThat(health("room.v1.Nothing").status()).isEqualTo(GrpcStatus.NOT_FOUND);
    }

    private static RawAnswer health(String service) {
        return connection.call(
                "grpc.health.v1.Health/Check",
                HealthCheckRequest.newBuilder().setService(service).build());
    }

    @Test
    void reflectionListsTheServicesAndShowsTheirFiles() throws Exception {
        List<String> listed = reflect(ServerReflectionRequest.newBuilder().setListServices("*"))
                .getListServicesResponse()
                .getServiceList()
                .stream()
                .map(ServiceResponse::getName)
                .toList();
        assertThat(listed)
                .contains("room.v1.RoomCommandService", "room.v1.RoomQueryService", "room.v1.RoomGuardService");
        ServerReflectionResponse file =
                reflect(ServerReflectionRequest.newBuilder().setFileContainingSymbol("room.v1.RoomCommandService"));
        assertThat(file.getFileDescriptorResponse().getFileDescriptorProtoCount())
                .isPositive();
        ServerReflectionResponse unknown =
                reflect(ServerReflectionRequest.newBuilder().setFileContainingSymbol("room.v1.Nothing"));
        assertThat(unknown.hasErrorResponse()).isTrue();
    }

    private static ServerReflectionResponse reflect(ServerReflectionRequest.Builder question) throws Exception {
        RawAnswer answer =
                connection.call("grpc.reflection.v1.ServerReflection/ServerReflectionInfo", question.build());
        return ServerReflectionResponse.parseFrom(answer.reply());
    }

    /** CMD-8: whoever did not wait for the answer learns it by the same id. */
    @Test
    void cancelledCommandsLeaveTheConnectionAliveAndAreAnsweredToTheirIds() {
        RoomKey room = new RoomKey("protocol", "cancel");
        connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create"));
        List<JoinRoomRequest> joins = IntStream.range(0, 50)
                .mapToObj(i -> RoomCalls.join(room, "user" + i, "join" + i))
                .toList();
        for (JoinRoomRequest join : joins) {
            Future<RawAnswer> cancelled = connection.sendAndReset(RoomCalls.JOIN_ROOM, join.toByteArray());
            Await.result(cancelled.transform(over -> Future.succeededFuture()));
        }
        joins.forEach(join ->
                assertThat(connection.call(RoomCalls.JOIN_ROOM, join).status()).isEqualTo(GrpcStatus.OK));
        assertThat(tables.log(room)).hasSize(1 + joins.size());
        assertServes();
    }

    /**
     * A stream may end while its answer is being written, on another loop than the room's: those who are answered in the same
     * breath must not pay for it.
     */
    @Test
    void whoLeavesAsTheAnswerComesHarmsNobodyElse() {
        RoomNode wide = backends.startNode("wide", Map.of("ROOM_NODE_EVENT_LOOPS", "4"));
        RoomKey room = new RoomKey("protocol", "leaving");
        try {
            for (int round = 0; round < ROUNDS; round++) {
                // Vert.x ends a client's connection on which 200 streams were reset within 30 s.
                try (RawConnection to = RawConnection.open(vertx, wide.grpcPort())) {
                    to.call(RoomCalls.CREATE_ROOM, RoomCalls.create(room, "create"));
                    assertThoseWhoStayAreAnswered(to, room, round);
                }
            }
        } finally {
            Await.result(wide.stop());
        }
    }

    private static void assertThoseWhoStayAreAnswered(RawConnection to, RoomKey room, int round) {
        List<Future<RawAnswer>> staying = new ArrayList<>();
        List<Future<?>> all = new ArrayList<>();
        Future<?> patience = vertx.timer(1 + round % 8, TimeUnit.MILLISECONDS);
        for (int i = 0; i < 40; i++) {
            String id = round + "-" + i;
            byte[] leaving = RoomCalls.join(room, "user" + i, "join" + id).toByteArray();
            all.add(to.sendAndReset(RoomCalls.JOIN_ROOM, leaving, patience));
            byte[] stays = RoomCalls.join(room, "user" + i, "again" + id).toByteArray();
            staying.add(to.send(RoomCalls.JOIN_ROOM, stays));
        }
        all.addAll(staying);
        Await.result(Future.join(all).transform(over -> Future.succeededFuture()));
        for (Future<RawAnswer> answer : staying) {
            assertThat(answer.succeeded()).as("%s", answer.cause()).isTrue();
            assertThat(answer.result().status()).as(answer.result().message()).isEqualTo(GrpcStatus.OK);
        }
    }
}
