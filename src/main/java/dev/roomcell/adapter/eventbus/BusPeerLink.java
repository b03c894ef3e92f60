package dev.roomcell.adapter.eventbus;

import dev.roomcell.port.Peer;
import dev.roomcell.port.PeerAnswer;
import dev.roomcell.port.PeerCall;
import dev.roomcell.port.PeerLink;
import dev.roomcell.port.PeerLink.PeerException.Fate;
import dev.roomcell.port.RoomClock;
import dev.roomcell.proto.internal.v1.PeerFrame;
import dev.roomcell.proto.internal.v1.PeerReply;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.MessageProducer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls between nodes over the clustered event bus. Each node listens at an address of its own, which no other run of it
 * has ({@code room/HOST:PORT/NODE}); what one node has for another at a moment goes as one message, requests and
 * replies alike.
 */
public final class BusPeerLink implements PeerLink<PeerCall, PeerAnswer> {
    private static final Logger log = LoggerFactory.getLogger(BusPeerLink.class);
    /** How often what waits is looked at, ms. */
    private static final long LOOK_MS = 100;
    /** A peer that was waited for and said nothing for so long is taken for dead, ms. */
    private static final long SILENCE_MS = 1_500;
    /** What is kept of a peer is forgotten after this, ms. */
    private static final long FORGET_MS = 60_000;

    private final Vertx vertx;
    private final Context context;
    private final Peer self;
    private final Server server;
    private final PeerMeter meter;
    private final RoomClock clock;
    private final Map<Peer, PeerChannel> channels = new HashMap<>();
    private final MessageConsumer<Object> consumer;
    private final long looking;
    private long callsMade;

    /** Runs what peers send. */
    @FunctionalInterface
    public interface Server {
        /** Runs a call on this node, within {@code timeoutMs}; never fails. */
        Future<PeerAnswer> serve(PeerCall call, long timeoutMs);
    }

    /** A link that listens as {@code self}, on the calling event loop. */
    public BusPeerLink(Vertx vertx, Context context, Peer self, Server server, MeterRegistry metrics, RoomClock clock) {
        this.vertx = vertx;
        this.context = context;
        this.self = self;
        this.server = server;
        this.meter = new PeerMeter(metrics);
        this.clock = clock;
        this.consumer = vertx.eventBus().consumer(PeerFrames.address(self), this::receive);
        this.looking = vertx.setPeriodic(LOOK_MS, look -> look());
    }

    /** Completes when the other nodes can find this one. */
    public Future<Void> listening() {
        return consumer.completion();
    }

    /** Whether the bus knows of nobody at the address. */
    static boolean isNobodyThere(Throwable failure) {
        return failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.NO_HANDLERS;
    }

    private static long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    @Override
    public Future<PeerAnswer> send(Peer peer, PeerCall call, long timeoutMs) {
        Promise<PeerAnswer> answer = Promise.promise();
        if (timeoutMs < 1) {
            answer.fail(new PeerException("no time is left for " + peer, Fate.NOT_RUN));
            return answer.future();
        }
        long askedMs = nowMs();
        long askedAtMs = clock.nowMs();
        context.runOnContext(turn -> {
            PeerChannel channel = channel(peer);
            channel.call(
                    PeerFrames.call(++callsMade, call, timeoutMs, askedAtMs), answer, askedMs + timeoutMs, askedMs);
            flushSoon(channel);
        });
        return answer.future();
    }

    private PeerChannel channel(Peer peer) {
        return channels.computeIfAbsent(peer, first -> {
            MessageProducer<Buffer> producer = vertx.eventBus().sender(PeerFrames.address(peer));
            return new PeerChannel(self, peer, producer, meter, nowMs());
        });
    }

    /** Behind all that this turn of the loop still brings. */
    private void flushSoon(PeerChannel channel) {
        if (channel.wantsFlush()) {
            context.runOnContext(turn -> channel.flush(false));
        }
    }

    private void receive(Message<Object> message) {
        Optional<PeerFrame> read = PeerFrames.read(message.body());
        if (read.isEmpty()) {
            meter.refusedFrame();
            log.warn("a message at {} is no frame of a peer", message.address());
            message.fail(ReplyFailure.RECIPIENT_FAILURE.toInt(), "not understood");
            return;
        }
        PeerFrame frame = read.get();
        PeerChannel channel = channel(PeerFrames.sender(frame));
        if (frame.getProtocolVersion() != PeerFrames.PROTOCOL_VERSION) {
            refuse(channel, frame);
            return;
        }
        channel.heard(nowMs());
        frame.getRepliesList().forEach(channel::answered);
        frame.getCallsList().forEach(call -> serve(channel, call));
        if (frame.getPing()) {
            channel.pinged();
        }
        flushSoon(channel);
    }

    /**
     * Its calls are not understood, whatever they look like; that they were not run is all that can be said, and that is
     * understood in every version.
     */
    private void refuse(PeerChannel channel, PeerFrame frame) {
        meter.refusedFrame();
        channel.heard(nowMs());
        frame.getRepliesList().stream().filter(PeerReply::hasRefused).forEach(channel::answered);
        log.warn(
                "{} speaks version {} of the peer protocol, and this node {}",
                channel.peer(),
                frame.getProtocolVersion(),
                PeerFrames.PROTOCOL_VERSION);
        frame.getCallsList()
                .forEach(call -> channel.refuse(PeerFrames.refusal(
                        call.getCallId(), "speaks version " + PeerFrames.PROTOCOL_VERSION + " of the peer protocol")));
        flushSoon(channel);
    }

    private void serve(PeerChannel channel, dev.roomcell.proto.internal.v1.PeerCall call) {
        long leftMs = PeerFrames.leftMs(call, clock.nowMs());
        if (leftMs < 1) {
            channel.refuse(PeerFrames.refusal(call.getCallId(), "the call came when its time was over"));
            return;
        }
        if (!channel.beginServing()) {
            channel.refuse(PeerFrames.busy(call.getCallId(), "runs too many calls already"));
            return;
        }
        meter.served();
        PeerCall read = new PeerCall(call.getMethod(), call.getRequest().toByteArray());
        // One call's fault is not that of the others in its frame.
        Future.<Void>succeededFuture()
                .compose(begun -> server.serve(read, leftMs))
                .map(answer -> PeerFrames.reply(call.getCallId(), answer))
                .otherwise(fault -> {
                    log.error("a call of {} failed", channel.peer(), fault);
                    return PeerFrames.nothing(call.getCallId());
                })
                .onSuccess(reply -> context.runOnContext(turn -> {
                    channel.served(reply);
                    flushSoon(channel);
                }));
    }

    private void look() {
        long nowMs = nowMs();
        for (PeerChannel channel : List.copyOf(channels.values())) {
            channel.look(nowMs, SILENCE_MS);
            if (channel.isIdle(nowMs, FORGET_MS)) {
                channels.remove(channel.peer());
                channel.close().onFailure(failure -> log.warn("a sender was not closed: {}", failure.toString()));
            }
        }
    }

    /** Whoever waits for a node that is no member any more need not wait longer. Callable from any thread. */
    public void membersAre(Set<String> nodeIds) {
        context.runOnContext(turn -> channels.values().stream()
                .filter(channel -> !nodeIds.contains(channel.peer().nodeId()))
                .forEach(PeerChannel::left));
    }

    /** Listens no more. */
    public Future<Void> close() {
        vertx.cancelTimer(looking);
        List<Future<Void>> closing = new ArrayList<>();
        channels.values().forEach(channel -> closing.add(channel.close()));
        closing.add(consumer.unregister());
        return Future.join(closing).mapEmpty();
    }
}
