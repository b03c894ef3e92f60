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

import dev.roomcell.proto.room.v1.ErrorReason;
import dev.roomcell.proto.room.v1.GetRoomRequest;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.OwnerHint;
import dev.roomcell.proto.room.v1.QueryMeta;
import io.vertx.grpc.common.GrpcStatus;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a client makes of a node's answers: what it sends again, and what it says in the end. */
class RoomClientTest extends ClientScene {
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
}
