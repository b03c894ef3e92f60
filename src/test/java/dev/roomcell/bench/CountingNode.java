package dev.roomcell.bench;

import com.google.protobuf.Message;
import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.CreateRoomResponse;
import dev.roomcell.proto.room.v1.CreateRoomResult;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomResponse;
import dev.roomcell.proto.room.v1.JoinRoomResult;
import dev.roomcell.proto.room.v1.LeaveRoomRequest;
import dev.roomcell.proto.room.v1.LeaveRoomResponse;
import dev.roomcell.proto.room.v1.LeaveRoomResult;
import dev.roomcell.proto.room.v1.RoomCommandServiceGrpcService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/** A node without a log: gives every command the room's next version, and notes what it acknowledged. */
final class CountingNode {
    /** The lines that a faithful ack file holds, in the order of the acknowledgements. */
    final List<String> acknowledged = new CopyOnWriteArrayList<>();

    /** Users who joined and left out of turn; only of commands that were not refused. */
    final List<String> outOfTurn = new CopyOnWriteArrayList<>();

    private final Map<String, Long> versions = new HashMap<>();
    private final Set<String> present = new HashSet<>();
    private final Predicate<String> refused;
    private final HttpServer server;

    private CountingNode(HttpServer server, Predicate<String> refused) {
        this.server = server;
        this.refused = refused;
    }

    /** Answers PERMISSION_DENIED to users for whom {@code refused} holds. */
    static Future<CountingNode> start(Vertx vertx, Predicate<String> refused) {
        GrpcServer grpc = GrpcServer.server(vertx);
        HttpServer server = vertx.createHttpServer().requestHandler(grpc);
        CountingNode node = new CountingNode(server, refused);
        node.on(
                grpc,
                RoomCommandServiceGrpcService.CreateRoom,
                "CREATE_ROOM",
                CreateRoomRequest::getMeta,
                CreateRoomRequest::getRoomId,
                version -> CreateRoomResponse.newBuilder()
                        .setResult(CreateRoomResult.newBuilder().setRoomVersion(version))
                        .build());
        node.on(
                grpc,
                RoomCommandServiceGrpcService.JoinRoom,
                "JOIN_ROOM",
                JoinRoomRequest::getMeta,
                JoinRoomRequest::getRoomId,
                version -> JoinRoomResponse.newBuilder()
                        .setResult(JoinRoomResult.newBuilder().setRoomVersion(version))
                        .build());
        node.on(
                grpc,
                RoomCommandServiceGrpcService.LeaveRoom,
                "LEAVE_ROOM",
                LeaveRoomRequest::getMeta,
                LeaveRoomRequest::getRoomId,
                version -> LeaveRoomResponse.newBuilder()
                        .setResult(LeaveRoomResult.newBuilder().setRoomVersion(version))
                        .build());
        return server.listen(0, "127.0.0.1").map(node);
    }

    private <Q extends Message, A> void on(
            GrpcServer grpc,
            ServiceMethod<Q, A> method,
            String kind,
            Function<Q, CommandMeta> metaOf,
            Function<Q, String> roomOf,
            LongFunction<A> reply) {
        grpc.callHandler(
                method,
                call -> call.handler(
                        request -> answer(call, kind, metaOf.apply(request), roomOf.apply(request), reply)));
    }

    private <Q, A> void answer(
            GrpcServerRequest<Q, A> call, String kind, CommandMeta meta, String room, LongFunction<A> reply) {
        if (refused.test(meta.getActorUserId())) {
            expectSent(call.response().status(GrpcStatus.PERMISSION_DENIED).end());
            return;
        }
        keepTurn(kind, meta.getActorUserId());
        long version = versions.merge(room, 1L, Long::sum);
        acknowledged.add(String.join("\t", meta.getAppCode(), room, meta.getCommandId(), Long.toString(version), kind));
        expectSent(call.response().end(reply.apply(version)));
    }

    private void keepTurn(String kind, String user) {
        boolean inTurn = switch (kind) {
            case "JOIN_ROOM" -> present.add(user);
            case "LEAVE_ROOM" -> present.remove(user);
            default -> true;
        };
        if (!inTurn) {
            outOfTurn.add(kind + " " + user);
        }
    }

    private static void expectSent(Future<Void> sent) {
        sent.onFailure(failure -> {
            throw new IllegalStateException("the node could not answer", failure);
        });
    }

    String address() {
        return "127.0.0.1:" + server.actualPort();
    }
}
