package dev.roomcell.client;

import static dev.roomcell.client.ScriptedNode.after;
import static dev.roomcell.client.ScriptedNode.joined;
import static dev.roomcell.client.ScriptedNode.refuse;
import static dev.roomcell.client.ScriptedNode.sameCommandId;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.proto.room.v1.ErrorReason;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomResponse;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whom a client asks, over which connection, and what is left of its calls when that ends. */
class ClientConnectionsTest extends ClientScene {
    @Test
    void theNextAddressIsTakenWhenOneFailsAndKept() {
        ScriptedNode second = ScriptedNode.start(vertx).then(joined(3), joined(4));
        List<String> retried = new ArrayList<>();
        RoomClient client = client(RoomClientOptions.to(node.address() + "," + second.address())
                .withRetryObserver(failure -> retried.add(failure.commandId() + " " + failure.reason())));
        node.stop();

        assertThat(version(client.joinRoom(JOIN))).isEqualTo(3);
        assertThat(version(client.joinRoom(JOIN))).isEqualTo(4);
        assertThat(retried).containsExactly("c-1 CONNECT_FAILED");
    }

    @Test
    void aConnectionThatFallsSilentIsGivenUp() {
        Promise<Void> closed = Promise.promise();
        node.then(call -> call.connection().closeHandler(closed::tryComplete));
        RoomClient client = client(RoomClientOptions.to(node.address()).withTimeouts(60_000, 200));

        Future<JoinRoomResponse> swallowed = client.joinRoom(JOIN);
        Done.of(closed.future());
        assertThat(swallowed.isComplete()).isFalse();
        Done.of(client.close());
        assertThat(Done.failureOf(swallowed).reason()).isEqualTo("CLIENT_CLOSED");
    }

    @Test
    void aCallThatOutlivesItsClientsVerticleEnds() {
        Promise<RoomClient> made = Promise.promise();
        String verticle = Done.of(vertx.deployVerticle(context -> {
            made.complete(client(node.address()));
            return Future.succeededFuture();
        }));
        node.then(request -> vertx.undeploy(verticle).onFailure(failure -> {
            throw new IllegalStateException(failure);
        }));

        assertThat(Done.failureOf(Done.of(made.future()).joinRoom(JOIN)).reason())
                .isEqualTo("CLIENT_CLOSED");
    }

    @Test
    void aRoomsTroubleIsTakenToTheNextAddressThisTimeOnly() {
        ScriptedNode second = ScriptedNode.start(vertx).then(joined(3));
        node.then(refuse(GrpcStatus.UNAVAILABLE, ErrorReason.ERROR_REASON_FENCED, sameCommandId()), joined(4));
        RoomClient client = client(node.address() + "," + second.address());

        assertThat(version(client.joinRoom(JOIN))).isEqualTo(3);
        assertThat(version(client.joinRoom(JOIN))).isEqualTo(4);
        assertThat(second.received).hasSize(1);
    }

    @Test
    void anOwnerThatIsBusyIsAskedAgainAndNobodyElse() {
        ScriptedNode second = ScriptedNode.start(vertx);
        node.then(
                refuse(GrpcStatus.UNAVAILABLE, ErrorReason.ERROR_REASON_OVERLOADED, after(1, TimeUnit.MILLISECONDS)),
                joined(3));

        assertThat(version(client(node.address() + "," + second.address()).joinRoom(JOIN)))
                .isEqualTo(3);
        assertThat(second.received).isEmpty();
    }

    @Test
    void aThousandCallsAreUnderWayOnOneConnection() {
        int calls = 1_000;
        List<GrpcServerRequest<JoinRoomRequest, JoinRoomResponse>> held = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            node.then(call -> {
                held.add(call);
                if (held.size() == calls) {
                    held.forEach(one -> joined(one.connection() == call.connection() ? 1 : -1)
                            .to(one));
                }
            });
        }
        RoomClient client = client(node.address());
        List<Future<JoinRoomResponse>> answers = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            answers.add(client.joinRoom(JOIN));
        }

        Done.of(Future.all(answers));
        assertThat(answers).allMatch(answer -> version(answer) == 1);
    }

    @Test
    void closingEndsCallsUnderWayAndLaterOnes() {
        RoomClient client = client(node.address());
        node.then(call -> client.close().onFailure(failure -> {
            throw new IllegalStateException(failure);
        }));
        Future<JoinRoomResponse> underWay = client.joinRoom(JOIN);

        RoomCallException failure = Done.failureOf(underWay);
        assertThat(failure.reason()).isEqualTo("CLIENT_CLOSED");
        assertThat(failure.outcomeUnknown()).isTrue();
        RoomCallException later = Done.failureOf(client.joinRoom(JOIN));
        assertThat(later.reason()).isEqualTo("CLIENT_CLOSED");
        assertThat(later.outcomeUnknown()).isFalse();
    }
}
