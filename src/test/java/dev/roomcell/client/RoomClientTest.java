package dev.roomcell.client;

import static dev.roomcell.client.ScriptedNode.after;
import static dev.roomcell.client.ScriptedNode.bare;
import static dev.roomcell.client.ScriptedNode.cut;
import static dev.roomcell.client.ScriptedNode.joined;
import static dev.roomcell.client.ScriptedNode.never;
import static dev.roomcell.client.ScriptedNode.notOwner;
import static dev.roomcell.client.ScriptedNode.refuse;
import static dev.roomcell.client.ScriptedNode.sameCommandId;
import static dev.roomcell.client.ScriptedNode.silence;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.ErrorReason;
import dev.roomcell.proto.room.v1.GetRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomResponse;
import dev.roomcell.proto.room.v1.OwnerHint;
import dev.roomcell.proto.room.v1.QueryMeta;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoomClientTest {
    private static final JoinRoomRequest JOIN = JoinRoomRequest.newBuilder()
            .setMeta(CommandMeta.newBuilder()
                    .setAppCode("a")
                    .setActorUserId("u")
                    .setCommandId("c-1")
                    .setSentAtMs(7))
            .setRoomId("r")
            .build();

    private final AtomicInteger waits = new AtomicInteger();
    private Vertx vertx = Vertx.vertx();
    private ScriptedNode node = ScriptedNode.start(vertx);

    @BeforeEach
    void countNoWaits() {
        waits.set(0);
    }

    @AfterEach
    void stop() {
        Done.of(vertx.close());
    }

    private RoomClient client(String seeds) {
        return client(RoomClientOptions.to(seeds));
    }

    /** Short waits, and every draw of one counted. */
    private RoomClient client(RoomClientOptions options) {
        return RoomClient.create(
                vertx,
                options.withBackoff(1, 20)
                        .withSources(
                                () -> 4_711,
                                () -> {
                                    waits.incrementAndGet();
                                    return 0.5;
                                },
                                () -> "made"));
    }

    private RoomClient impatient() {
        return client(RoomClientOptions.to(node.address()).withTimeouts(1_500, 200));
    }

    private static long version(Future<JoinRoomResponse> call) {
        return Done.of(call).getResult().getRoomVersion();
    }

    @Test
    void aLostConnectionIsTriedAgainWithTheSameBytes() {
        node.then(cut(), cut(), joined(3));

        assertThat(version(client(node.address()).joinRoom(JOIN))).isEqualTo(3);
        assertThat(node.received).containsExactly(JOIN, JOIN, JOIN);
    }

    @Test
    void anAttemptWithoutAnAnswerIsTriedAgainWithTheSameId() {
        node.then(silence(), joined(3));
        RoomClient client = client(RoomClientOptions.to(node.address()).withTimeouts(15_000, 300));

        assertThat(version(client.joinRoom(JOIN))).isEqualTo(3);
        assertThat(node.received).containsExactly(JOIN, JOIN);
    }

    @Test
    void retryableRefusalsAreTriedAgainAfterAWait() {
        node.then(
                refuse(GrpcStatus.UNAVAILABLE, ErrorReason.ERROR_REASON_FENCED, sameCommandId()),
                bare(GrpcStatus.UNAVAILABLE),
                joined(3));

        assertThat(version(client(node.address()).joinRoom(JOIN))).isEqualTo(3);
        assertThat(node.received).containsExactly(JOIN, JOIN, JOIN);
        assertThat(waits).hasValue(2);
    }

    @Test
    void theWaitThatANodeAsksForIsKept() {
        node.then(
                refuse(GrpcStatus.UNAVAILABLE, ErrorReason.ERROR_REASON_OVERLOADED, after(150, TimeUnit.MILLISECONDS)),
                joined(3));

        assertThat(version(client(node.address()).joinRoom(JOIN))).isEqualTo(3);
        long waitedNanos = node.receivedAtNanos.get(1) - node.receivedAtNanos.get(0);
        assertThat(waitedNanos).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(150));
    }

    @Test
    void aWaitBeyondTheDeadlineIsNotBegun() {
        node.then(refuse(GrpcStatus.UNAVAILABLE, ErrorReason.ERROR_REASON_OVERLOADED, after(1, TimeUnit.HOURS)));

        RoomCallException failure = Done.failureOf(client(node.address()).joinRoom(JOIN));
        assertThat(failure.reason()).isEqualTo("OVERLOADED");
        assertThat(failure.retry()).isEqualTo(after(1, TimeUnit.HOURS));
        assertThat(failure.outcomeUnknown()).isFalse();
    }

    @Test
    void aHintIsFollowedAtOnceAndRememberedUntilItFails() {
        ScriptedNode owner = ScriptedNode.start(vertx);
        node.then(notOwner(owner.address()), joined(5), joined(6));
        owner.then(joined(3), joined(4));
        RoomClient client = client(node.address());

        assertThat(version(client.joinRoom(JOIN))).isEqualTo(3);
        assertThat(version(client.joinRoom(JOIN))).isEqualTo(4);
        assertThat(waits).hasValue(0);
        assertThat(node.received).hasSize(1);

        owner.stop();
        assertThat(version(client.joinRoom(JOIN))).isEqualTo(5);
        assertThat(waits).hasValue(1);
        assertThat(version(client.joinRoom(JOIN))).isEqualTo(6);
        assertThat(waits).hasValue(1);
        assertThat(node.received).hasSize(3);
    }

    @Test
    void aRoomsOwnerIsNotAskedForAnotherRoom() {
        ScriptedNode owner = ScriptedNode.start(vertx);
        node.then(notOwner(owner.address()), joined(8));
        owner.then(joined(3));
        RoomClient client = client(node.address());

        assertThat(version(client.joinRoom(JOIN))).isEqualTo(3);
        assertThat(version(client.joinRoom(JOIN.toBuilder().setRoomId("other").build())))
                .isEqualTo(8);
    }

    @Test
    void nodesThatNameEachOtherAreNotAskedWithoutEnd() {
        ScriptedNode other = ScriptedNode.start(vertx);
        node.then(notOwner(other.address()), notOwner(other.address()), joined(3));
        other.then(notOwner(node.address()), notOwner(node.address()));

        assertThat(version(client(node.address()).joinRoom(JOIN))).isEqualTo(3);
        assertThat(waits).hasValue(1);
    }

    @Test
    void aHintThatIsNoAddressIsIgnored() {
        node.then(notOwner("somewhere"), joined(3));

        assertThat(version(client(node.address()).joinRoom(JOIN))).isEqualTo(3);
        assertThat(waits).hasValue(1);
    }

    @Test
    void aRefusalForGoodIsNotTriedAgain() {
        node.then(refuse(
                GrpcStatus.INVALID_ARGUMENT,
                ErrorReason.ERROR_REASON_INVALID_FIELD,
                never(),
                OwnerHint.getDefaultInstance(),
                "meta.app_code"));

        RoomCallException failure = Done.failureOf(client(node.address()).joinRoom(JOIN));
        assertThat(failure.status()).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        assertThat(failure.reason()).isEqualTo("INVALID_FIELD");
        assertThat(failure.field()).contains("meta.app_code");
        assertThat(failure.explanation()).isEqualTo("because + so");
        assertThat(failure.retry()).isEqualTo(never());
        assertThat(failure.attempts()).isEqualTo(1);
        assertThat(node.received).hasSize(1);
    }

    @Test
    void aMethodThatIsNotOfferedIsNotTriedAgain() {
        node.then(bare(GrpcStatus.UNIMPLEMENTED));

        RoomCallException failure = Done.failureOf(client(node.address()).joinRoom(JOIN));
        assertThat(failure.reason()).isEqualTo("UNIMPLEMENTED");
        assertThat(failure.explanation()).startsWith("50% of a");
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(node.received).hasSize(1);
    }

    @Test
    void anUnknownOutcomeIsSaid() {
        ScriptedNode.Reply unknown =
                refuse(GrpcStatus.UNAVAILABLE, ErrorReason.ERROR_REASON_OUTCOME_UNKNOWN, sameCommandId());
        node.then(
                unknown,
                unknown,
                unknown,
                refuse(GrpcStatus.UNAVAILABLE, ErrorReason.ERROR_REASON_OUTCOME_UNKNOWN, after(1, TimeUnit.HOURS)));

        RoomCallException failure = Done.failureOf(client(node.address()).joinRoom(JOIN));
        assertThat(failure.reason()).isEqualTo("OUTCOME_UNKNOWN");
        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(node.received).containsExactly(JOIN, JOIN, JOIN, JOIN);
    }

    @Test
    void aRefusalWithoutEffectDoesNotSayWhatBecameOfAnEarlierAttempt() {
        node.then(cut(), refuse(GrpcStatus.UNAVAILABLE, ErrorReason.ERROR_REASON_OVERLOADED, after(1, TimeUnit.HOURS)));

        RoomCallException failure = Done.failureOf(client(node.address()).joinRoom(JOIN));
        assertThat(failure.reason()).isEqualTo("OVERLOADED");
        assertThat(failure.outcomeUnknown()).isTrue();
    }

    /** CMD-4: an attempt that was lost on its way may arrive after the no, and run. */
    @Test
    void aRoomsNoDoesNotSettleAnAttemptThatMayStillArrive() {
        node.then(cut(), refuse(GrpcStatus.PERMISSION_DENIED, ErrorReason.ERROR_REASON_BANNED, never()));

        RoomCallException failure = Done.failureOf(client(node.address()).joinRoom(JOIN));
        assertThat(failure.reason()).isEqualTo("BANNED");
        assertThat(failure.outcomeUnknown()).isTrue();
    }

    @Test
    void aClosedRoomDoesNotSayWhatBecameOfAnEarlierAttempt() {
        node.then(cut(), refuse(GrpcStatus.FAILED_PRECONDITION, ErrorReason.ERROR_REASON_ROOM_CLOSED, never()));

        assertThat(Done.failureOf(client(node.address()).joinRoom(JOIN)).outcomeUnknown())
                .isTrue();
    }

    @Test
    void aCallEndsAtItsDeadline() {
        RoomCallException failure = Done.failureOf(impatient().joinRoom(JOIN));

        assertThat(failure.reason()).isEqualTo("ATTEMPT_TIMEOUT");
        assertThat(failure.status()).isEqualTo(GrpcStatus.DEADLINE_EXCEEDED);
        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(failure.attempts()).isGreaterThan(1);
        assertThat(node.received).containsOnly(JOIN);
    }

    @Test
    void aQuerysOutcomeIsNeverUnknown() {
        node.stop();
        GetRoomRequest query = GetRoomRequest.newBuilder()
                .setMeta(QueryMeta.newBuilder().setAppCode("a"))
                .setRoomId("r")
                .build();

        assertThat(Done.failureOf(impatient().getRoom(query)).outcomeUnknown()).isFalse();
    }

    @Test
    void whatWasNeverSentHadNoEffect() {
        RoomClient client = impatient();
        node.stop();

        RoomCallException failure = Done.failureOf(client.joinRoom(JOIN));
        assertThat(failure.reason()).isEqualTo("CONNECT_FAILED");
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(failure.attempts()).isGreaterThan(1);
    }

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
    void missingIdAndTimeAreFilledInOnce() {
        node.then(cut(), joined(3));
        JoinRoomRequest bare = JOIN.toBuilder()
                .setMeta(JOIN.getMeta().toBuilder().clearCommandId().clearSentAtMs())
                .build();
        JoinRoomRequest filled = JOIN.toBuilder()
                .setMeta(JOIN.getMeta().toBuilder().setCommandId("made").setSentAtMs(4_711))
                .build();

        assertThat(version(client(node.address()).joinRoom(bare))).isEqualTo(3);
        assertThat(node.received).containsExactly(filled, filled);
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
