package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.dev.rtc.RtcEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.MicSeat;
import dev.roomcell.proto.room.v1.MicSeatStatus;
import dev.roomcell.proto.room.v1.RoomSnapshot;
import io.vertx.grpc.common.GrpcStatus;

/**
 * A room, and what happens in its RTC room.
 *
 * @param key which
 * @param node where it is called
 */
record RtcRoom(RoomKey key, RawConnection node) {
    /** RTC's clock may be so far from ours that a report so close to another thing is doubted, and not believed, ms. */
    private static final long BEYOND_DOUBT_MS = 10_000;

    /** A new room of "owner". */
    static RtcRoom created(String roomId, RawConnection node) {
        RtcRoom room = new RtcRoom(new RoomKey("rtc", roomId), node);
        room.ok(RoomCalls.CREATE_ROOM, RoomCalls.create(room.key, "create"));
        return room;
    }

    private RawAnswer ok(String method, MessageLite request) {
        RawAnswer answer = node.call(method, request);
        assertThat(answer.status()).as(answer.message()).isEqualTo(GrpcStatus.OK);
        return answer;
    }

    RtcRoom joined(String userId) {
        ok(RoomCalls.JOIN_ROOM, RoomCalls.join(key, userId, "join-" + userId));
        return this;
    }

    /** Joins, and takes a seat that is not confirmed. */
    RtcRoom seated(String userId, int seatNo) {
        joined(userId);
        ok(RoomCalls.MIC_UP, RoomCalls.micUp(key, userId, seatNo, "up-" + userId));
        return this;
    }

    void kick(String userId) {
        ok(RoomCalls.KICK_USER, RoomCalls.kick(key, userId, "kick-" + userId));
    }

    void close() {
        ok(RoomCalls.CLOSE_ROOM, RoomCalls.close(key, "owner", "close"));
    }

    /** As RTC knows it. */
    String rtcRoomId() {
        return ExternalIds.groupId(key);
    }

    /** Something that happens now. */
    RtcEvent event(int type, String userId) {
        return new RtcEvent(type, rtcRoomId(), userId, System.currentTimeMillis(), RtcEvent.BY_WILL);
    }

    /** Something that happens so much later, by RTC's clock, that nothing before it can be meant. */
    RtcEvent laterEvent(int type, String userId) {
        return new RtcEvent(type, rtcRoomId(), userId, System.currentTimeMillis() + BEYOND_DOUBT_MS, RtcEvent.BY_WILL);
    }

    RoomSnapshot now() {
        return now(node);
    }

    RoomSnapshot now(RawConnection throughNode) {
        RawAnswer answer = throughNode.call(RoomCalls.GET_ROOM, RoomCalls.get(key));
        assertThat(answer.status()).as(answer.message()).isEqualTo(GrpcStatus.OK);
        try {
            return GetRoomResponse.parseFrom(answer.reply()).getRoom();
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    MicSeatStatus seat(int seatNo) {
        return now().getSeatsList().stream()
                .filter(seat -> seat.getSeatNo() == seatNo)
                .map(MicSeat::getStatus)
                .findFirst()
                .orElseThrow();
    }
}
