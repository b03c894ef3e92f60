package dev.roomcell.adapter.eventbus;

import dev.roomcell.port.Peer;
import dev.roomcell.port.PeerAnswer;
import dev.roomcell.port.PeerLink.PeerException;
import dev.roomcell.port.PeerLink.PeerException.Fate;
import dev.roomcell.proto.internal.v1.PeerCall;
import dev.roomcell.proto.internal.v1.PeerFrame;
import dev.roomcell.proto.internal.v1.PeerReply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageProducer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What this node has for one peer, and waits for from it. All that comes up in one turn of the loop goes out as one frame.
 * A peer that says nothing at all while it is waited for is taken for dead: whoever waits for it hears so, and nobody is
 * sent there until it is heard again. Confined to the link's loop.
 */
final class PeerChannel {
    /** A frame is full with so many bytes; one call may be larger. */
    private static final int FRAME_BYTES = 1 << 20;
    /** Calls in flight; whoever comes then is turned away. */
    private static final int MOST_IN_FLIGHT = 16_384;

    private static final long MOST_BYTES_IN_FLIGHT = 64L << 20;
    /**
     * Replies that have not left this node, because the peer does not read: from half of it on no call of its is begun,
     * and what does not fit at all is answered without what came out.
     */
    private static final long MOST_REPLY_BYTES = 64L << 20;
    /** Looks are so far apart only when this loop itself has stood still, ms. */
    private static final long OWN_PAUSE_MS = 500;

    private final Peer self;
    private final Peer peer;
    private final MessageProducer<Buffer> wire;
    private final PeerMeter meter;
    private final Map<Long, InFlight> inFlight = new LinkedHashMap<>();
    private final List<PeerCall> calls = new ArrayList<>();
    private final List<PeerReply> replies = new ArrayList<>();
    private long bytesInFlight;
    private long replyBytes;
    private int serving;
    private long lastHeardMs;
    /** Since when there is something that the peer must say something to. */
    private long waitingSinceMs;

    private long lastLookMs;

    private boolean silent;
    private boolean pong;
    private boolean flushing;

    private record InFlight(Promise<PeerAnswer> answer, long deadlineMs, int bytes) {}

    /**
     * A channel on which nothing has been said yet.
     *
     * @param wire sends frames to the peer
     */
    PeerChannel(Peer self, Peer peer, MessageProducer<Buffer> wire, PeerMeter meter, long nowMs) {
        this.self = self;
        this.peer = peer;
        this.wire = wire;
        this.meter = meter;
        this.lastHeardMs = nowMs;
        this.lastLookMs = nowMs;
    }

    Peer peer() {
        return peer;
    }

    /** Puts a call into the next frame. */
    void call(PeerCall call, Promise<PeerAnswer> answer, long deadlineMs, long nowMs) {
        int bytes = call.getRequest().size();
        if (silent) {
            answer.fail(new PeerException(peer + " is silent", Fate.NOT_RUN));
        } else if (inFlight.size() >= MOST_IN_FLIGHT || bytesInFlight + bytes > MOST_BYTES_IN_FLIGHT) {
            answer.fail(new PeerException("too many calls wait for " + peer, Fate.BUSY));
        } else {
            if (inFlight.isEmpty()) {
                waitingSinceMs = nowMs;
            }
            bytesInFlight += bytes;
            inFlight.put(call.getCallId(), new InFlight(answer, deadlineMs, bytes));
            calls.add(call);
        }
    }

    /** One of the peer's calls is being run here. */
    boolean beginServing() {
        boolean room = serving < MOST_IN_FLIGHT && replyBytes < MOST_REPLY_BYTES / 2;
        serving += room ? 1 : 0;
        return room;
    }

    /** It is over; the reply goes into the next frame. */
    void served(PeerReply reply) {
        serving--;
        boolean fits = replyBytes + reply.getSerializedSize() <= MOST_REPLY_BYTES;
        PeerReply sent = fits ? reply : PeerFrames.nothing(reply.getCallId());
        replyBytes += sent.getSerializedSize();
        replies.add(sent);
    }

    /** A reply to a call that was not even begun. */
    void refuse(PeerReply reply) {
        replyBytes += reply.getSerializedSize();
        replies.add(reply);
    }

    /** The peer wants to hear something. */
    void pinged() {
        pong = true;
    }

    /** Whether there is something to be sent, and nobody has seen to it yet. */
    boolean wantsFlush() {
        boolean wants = !flushing && (pong || !calls.isEmpty() || !replies.isEmpty());
        flushing |= wants;
        return wants;
    }

    /** Sends what has come up. */
    void flush(boolean ping) {
        flushing = false;
        PeerFrame.Builder frame = PeerFrames.from(self).setPing(ping);
        int bytes = 0;
        List<PeerCall> sent = new ArrayList<>();
        for (PeerReply reply : replies) {
            frame.addReplies(reply);
            bytes += reply.getSerializedSize();
            if (bytes >= FRAME_BYTES) {
                send(frame.build(), List.of(), bytes);
                frame = PeerFrames.from(self);
                bytes = 0;
            }
        }
        replies.clear();
        int ofReplies = bytes;
        for (PeerCall call : calls) {
            frame.addCalls(call);
            sent.add(call);
            bytes += call.getSerializedSize();
            if (bytes >= FRAME_BYTES) {
                send(frame.build(), sent, ofReplies);
                frame = PeerFrames.from(self);
                sent = new ArrayList<>();
                bytes = 0;
                ofReplies = 0;
            }
        }
        calls.clear();
        if (ping || pong || frame.getCallsCount() + frame.getRepliesCount() > 0) {
            send(frame.build(), sent, ofReplies);
        }
        pong = false;
    }

    private void send(PeerFrame frame, List<PeerCall> sent, int ofReplies) {
        meter.sent(sent.size());
        Future<Void> left = wire.write(Buffer.buffer(frame.toByteArray()));
        left.onComplete(over -> replyBytes -= ofReplies);
        left.onFailure(failure -> {
            Fate fate = BusPeerLink.isNobodyThere(failure) ? Fate.NOT_RUN : Fate.MAY_HAVE_RUN;
            sent.forEach(call -> fail(call.getCallId(), new PeerException(peer + ": " + failure.getMessage(), fate)));
        });
    }

    /** The peer has said something. */
    void heard(long nowMs) {
        lastHeardMs = nowMs;
        silent = false;
    }

    void answered(PeerReply reply) {
        InFlight waiting = take(reply.getCallId());
        if (waiting == null) {
            // Given up meanwhile.
            meter.late();
            return;
        }
        switch (reply.getOutcomeCase()) {
            case REPLY ->
                waiting.answer.complete(new PeerAnswer.Replied(reply.getReply().toByteArray()));
            case FAILURE ->
                waiting.answer.complete(new PeerAnswer.Failed(reply.getFailure().toByteArray()));
            case REFUSED ->
                waiting.answer.fail(new PeerException(
                        peer + ": " + reply.getRefused(), reply.getBusy() ? Fate.BUSY : Fate.NOT_RUN));
            case OUTCOME_NOT_SET ->
                waiting.answer.fail(new PeerException(peer + " has answered nothing", Fate.MAY_HAVE_RUN));
        }
    }

    private @Nullable InFlight take(long callId) {
        InFlight taken = inFlight.remove(callId);
        if (taken != null) {
            bytesInFlight -= taken.bytes;
        }
        return taken;
    }

    private void fail(long callId, PeerException why) {
        InFlight waiting = take(callId);
        if (waiting != null) {
            meter.unanswered();
            waiting.answer.fail(why);
        }
    }

    /**
     * Gives up what has waited too long, and everything if the peer has been silent for {@code silenceMs} while it was
     * waited for. Asks it to say something, if somebody waits for it or it was silent.
     *
     * <p>What the peer said while this loop stood still waits in its sockets, unread: of that time nobody knows whether
     * the peer was silent, and its silence counts anew.
     */
    void look(long nowMs, long silenceMs) {
        if (nowMs - lastLookMs > OWN_PAUSE_MS) {
            waitingSinceMs = nowMs;
        }
        lastLookMs = nowMs;
        failAll(waiting -> nowMs >= waiting.deadlineMs, "no answer in time");
        if (!inFlight.isEmpty() && nowMs - Math.max(lastHeardMs, waitingSinceMs) >= silenceMs) {
            silent = true;
            failAll(waiting -> true, "is silent");
        }
        if (!inFlight.isEmpty() || silent) {
            flush(true);
        }
    }

    /** The peer has left the cluster; what it was asked may have been done all the same. */
    void left() {
        failAll(waiting -> true, "has left the cluster");
    }

    private void failAll(Predicate<InFlight> which, String why) {
        List<Long> over = new ArrayList<>();
        inFlight.forEach((callId, waiting) -> {
            if (which.test(waiting)) {
                over.add(callId);
            }
        });
        over.forEach(callId -> fail(callId, new PeerException(peer + " " + why, Fate.MAY_HAVE_RUN)));
    }

    /** The end of it; whoever waits hears so. */
    Future<Void> close() {
        left();
        return wire.close();
    }

    /** Whether nobody waits for anything, and the peer has said nothing for {@code ms}. */
    boolean isIdle(long nowMs, long ms) {
        return inFlight.isEmpty() && serving == 0 && nowMs - Math.max(lastHeardMs, waitingSinceMs) >= ms;
    }
}
