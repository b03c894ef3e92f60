package dev.roomcell.adapter.eventbus;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import dev.roomcell.port.Peer;
import dev.roomcell.port.PeerAnswer;
import dev.roomcell.proto.internal.v1.PeerCall;
import dev.roomcell.proto.internal.v1.PeerFrame;
import dev.roomcell.proto.internal.v1.PeerReply;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** What nodes say to each other, as bytes. */
final class PeerFrames {
    /** The version that this node speaks; it understands no other. */
    static final int PROTOCOL_VERSION = 1;

    private PeerFrames() {}

    /** The bus address of a node: of one run of it, so that no call reaches another node that has its address now. */
    static String address(Peer peer) {
        return "room/" + peer.advertiseAddr() + "/" + peer.nodeId();
    }

    static PeerFrame.Builder from(Peer self) {
        return PeerFrame.newBuilder()
                .setProtocolVersion(PROTOCOL_VERSION)
                .setNodeId(self.nodeId())
                .setAdvertiseAddr(self.advertiseAddr());
    }

    static Peer sender(PeerFrame frame) {
        return new Peer(frame.getNodeId(), frame.getAdvertiseAddr());
    }

    /** A frame that says who has sent it; empty for anything else that came over the bus. */
    static Optional<PeerFrame> read(Object body) {
        if (!(body instanceof Buffer bytes)) {
            return Optional.empty();
        }
        try {
            PeerFrame frame = PeerFrame.parseFrom(bytes.getBytes());
            boolean signed =
                    !frame.getNodeId().isEmpty() && !frame.getAdvertiseAddr().isEmpty();
            return signed ? Optional.of(frame) : Optional.empty();
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    /** A call that is given up {@code timeoutMs} from now, database time {@code nowMs}. */
    static PeerCall call(long callId, dev.roomcell.port.PeerCall call, long timeoutMs, long nowMs) {
        return PeerCall.newBuilder()
                .setCallId(callId)
                .setMethod(call.method())
                .setRequest(unchanged(call.request()))
                .setTimeoutMs((int) Math.min(Integer.MAX_VALUE, Math.max(1, timeoutMs)))
                .setDeadlineAtMs(nowMs + timeoutMs)
                .build();
    }

    /**
     * What is left of a call's time at {@code nowMs}, database time; below 1 if it is over. All nodes measure the same
     * database's clock, and are off by no more than its answer took. Where a clock is wrong all the same, a call gets its
     * whole time or is not run, which both are safe: never more than the time it was sent with.
     */
    static long leftMs(PeerCall call, long nowMs) {
        return call.getDeadlineAtMs() == 0
                ? call.getTimeoutMs()
                : Math.min(call.getTimeoutMs(), call.getDeadlineAtMs() - nowMs);
    }

    static PeerReply reply(long callId, PeerAnswer answer) {
        PeerReply.Builder reply = PeerReply.newBuilder().setCallId(callId);
        if (answer instanceof PeerAnswer.Replied replied) {
            return reply.setReply(unchanged(replied.reply())).build();
        }
        return reply.setFailure(unchanged(((PeerAnswer.Failed) answer).error())).build();
    }

    static PeerReply refusal(long callId, String why) {
        return PeerReply.newBuilder().setCallId(callId).setRefused(why).build();
    }

    /** The reply to a call that may have been run, and of which no more is said. */
    static PeerReply nothing(long callId) {
        return PeerReply.newBuilder().setCallId(callId).build();
    }

    /** The refusal of a call that may be run when others are over. */
    static PeerReply busy(long callId, String why) {
        return PeerReply.newBuilder()
                .setCallId(callId)
                .setRefused(why)
                .setBusy(true)
                .build();
    }

    private static ByteString unchanged(byte[] bytes) {
        return UnsafeByteOperations.unsafeWrap(bytes);
    }
}
