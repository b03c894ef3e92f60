package dev.roomcell.client;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import dev.roomcell.proto.room.v1.ErrorReason;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomResponse;
import dev.roomcell.proto.room.v1.JoinRoomResult;
import dev.roomcell.proto.room.v1.OwnerHint;
import dev.roomcell.proto.room.v1.RetryHint;
import dev.roomcell.proto.room.v1.RoomCommandServiceGrpcService;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A node on loopback that answers JoinRoom as told, one reply a request, and remembers what it was asked. */
final class ScriptedNode {
    private static final int MAX_STREAMS = 10_000;

    /** What a node does with one request. */
    interface Reply {
        void to(GrpcServerRequest<JoinRoomRequest, JoinRoomResponse> call);
    }

    final List<JoinRoomRequest> received = new CopyOnWriteArrayList<>();
    final List<Long> receivedAtNanos = new CopyOnWriteArrayList<>();
    private final Queue<Reply> script = new ConcurrentLinkedQueue<>();
    private final HttpServer server;

    private ScriptedNode(HttpServer server) {
        this.server = server;
    }

    /** A node on a free port. */
    static ScriptedNode start(Vertx vertx) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost("127.0.0.1")
                .setPort(0)
                .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(MAX_STREAMS));
        GrpcServer grpc = GrpcServer.server(vertx);
        ScriptedNode node = new ScriptedNode(vertx.createHttpServer(options));
        grpc.callHandler(RoomCommandServiceGrpcService.JoinRoom, node::answer);
        Done.of(node.server.requestHandler(grpc).listen());
        return node;
    }

    /** What to do with the next requests; a request beyond the script stays without an answer. */
    ScriptedNode then(Reply... replies) {
        script.addAll(List.of(replies));
        return this;
    }

    private void answer(GrpcServerRequest<JoinRoomRequest, JoinRoomResponse> call) {
        call.handler(request -> {
            received.add(request);
            receivedAtNanos.add(System.nanoTime());
            Reply reply = script.poll();
            if (reply != null) {
                reply.to(call);
            }
        });
    }

    String address() {
        return "127.0.0.1:" + server.actualPort();
    }

    void stop() {
        Done.of(server.close());
    }

    static Reply joined(long version) {
        return call -> call.response()
                .end(JoinRoomResponse.newBuilder()
                        .setResult(JoinRoomResult.newBuilder().setRoomVersion(version))
                        .build())
                .onFailure(ScriptedNode::unexpected);
    }

    static Reply cut() {
        return call -> call.connection().close().onFailure(ScriptedNode::unexpected);
    }

    static Reply silence() {
        return call -> {};
    }

    /** A status without details, as a proxy would answer. */
    static Reply bare(GrpcStatus status) {
        return call -> end(call.response().status(status).statusMessage("50% of a + b"));
    }

    static Reply refuse(GrpcStatus status, ErrorReason reason, RetryHint retry) {
        return refuse(status, reason, retry, OwnerHint.getDefaultInstance(), "");
    }

    static Reply notOwner(String owner) {
        return refuse(
                GrpcStatus.UNAVAILABLE,
                ErrorReason.ERROR_REASON_NOT_OWNER,
                sameCommandId(),
                OwnerHint.newBuilder().setNodeId("n").setAdvertiseAddr(owner).build(),
                "");
    }

    static Reply refuse(GrpcStatus status, ErrorReason reason, RetryHint retry, OwnerHint owner, String field) {
        Status.Builder details = Status.newBuilder()
                .setMessage("because + so")
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setReason(reason.name().substring("ERROR_REASON_".length()))
                        .setDomain("room-service")
                        .build()))
                .addDetails(Any.pack(retry));
        if (!owner.getAdvertiseAddr().isEmpty()) {
            details.addDetails(Any.pack(owner));
        }
        if (!field.isEmpty()) {
            details.addDetails(Any.pack(BadRequest.newBuilder()
                    .addFieldViolations(BadRequest.FieldViolation.newBuilder().setField(field))
                    .build()));
        }
        String encoded = Base64.getEncoder()
                .withoutPadding()
                .encodeToString(details.build().toByteArray());
        return call -> {
            GrpcServerResponse<JoinRoomRequest, JoinRoomResponse> response = call.response();
            response.trailers().set("grpc-status-details-bin", encoded);
            end(response.status(status).statusMessage("because"));
        };
    }

    static RetryHint sameCommandId() {
        return RetryHint.newBuilder()
                .setKind(RetryHint.Kind.KIND_SAME_COMMAND_ID)
                .build();
    }

    static RetryHint after(long count, TimeUnit unit) {
        return RetryHint.newBuilder()
                .setKind(RetryHint.Kind.KIND_AFTER)
                .setAfterMs(unit.toMillis(count))
                .build();
    }

    static RetryHint never() {
        return RetryHint.newBuilder().setKind(RetryHint.Kind.KIND_NEVER).build();
    }

    private static void end(GrpcServerResponse<?, ?> response) {
        response.end().onFailure(ScriptedNode::unexpected);
    }

    private static void unexpected(Throwable failure) {
        throw new IllegalStateException("the scripted node could not answer", failure);
    }
}
