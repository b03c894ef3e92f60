package dev.roomcell.adapter.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.port.Peer;
import dev.roomcell.port.PeerAnswer;
import dev.roomcell.port.PeerCall;
import dev.roomcell.port.PeerLink.PeerException;
import dev.roomcell.port.PeerLink.PeerException.Fate;
import dev.roomcell.proto.internal.v1.PeerFrame;
import dev.roomcell.proto.internal.v1.PeerReply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageProducer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One node's end of a channel, with its looks at times of the test's own. */
final class PeerChannelTest {
    private static final Peer A = new Peer("a.1", "127.0.0.1:7001");
    private static final Peer B = new Peer("b.1", "127.0.0.1:7002");
    private static final long LOOK_MS = 100;
    private static final long SILENCE_MS = 1_500;
    private static final long LONG_MS = 60_000;
    private static final byte[] SMALL = new byte[1];
    private static final byte[] MEGABYTE = new byte[1 << 20];

    private final Wire wire = new Wire();
    private final PeerChannel channel = new PeerChannel(A, B, wire, new PeerMeter(new SimpleMeterRegistry()), 0);
    private long nowMs;
    private long calls;

    /** Where frames go; each is on its way until the test says that it has left. */
    private static final class Wire implements MessageProducer<Buffer> {
        private final List<Promise<Void>> writes = new ArrayList<>();
        private final List<PeerFrame> frames = new ArrayList<>();

        @Override
        public MessageProducer<Buffer> deliveryOptions(DeliveryOptions options) {
            return this;
        }

        @Override
        public String address() {
            return PeerFrames.address(B);
        }

        @Override
        public Future<Void> write(Buffer frame) {
            Promise<Void> write = Promise.promise();
            writes.add(write);
            frames.add(PeerFrames.read(frame).orElseThrow());
            return write.future();
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }
    }

    private Future<PeerAnswer> call(byte[] request) {
        Promise<PeerAnswer> answer = Promise.promise();
        PeerCall call = new PeerCall("s/Join", request);
        channel.call(PeerFrames.call(++calls, call, LONG_MS, nowMs), answer, nowMs + LONG_MS, nowMs);
        return answer.future();
    }

    private void lookAfter(long ms) {
        nowMs += ms;
        channel.look(nowMs, SILENCE_MS);
    }

    private void lookFor(long ms) {
        for (long over = 0; over < ms; over += LOOK_MS) {
            lookAfter(LOOK_MS);
        }
    }

    private static Fate fate(Future<PeerAnswer> call) {
        return ((PeerException) call.cause()).fate();
    }

    /** Whoever finds the channel full hears that the peer is busy, and not that it is gone. */
    @Test
    void aFullChannelIsBusy() {
        for (int i = 0; i < 64; i++) {
            assertThat(call(MEGABYTE).isComplete()).isFalse();
        }
        assertThat(fate(call(SMALL))).isEqualTo(Fate.BUSY);
        channel.left();
        assertThat(call(SMALL).isComplete()).isFalse();
    }

    @Test
    void aRefusalOfABusyPeerIsNotThatOfOneThatDoesNotUnderstand() {
        Future<PeerAnswer> first = call(SMALL);
        Future<PeerAnswer> second = call(SMALL);
        channel.answered(PeerFrames.busy(1, "too much to do"));
        channel.answered(PeerFrames.refusal(2, "not understood"));
        assertThat(fate(first)).isEqualTo(Fate.BUSY);
        assertThat(fate(second)).isEqualTo(Fate.NOT_RUN);
    }

    private static PeerReply reply(long callId) {
        return PeerFrames.reply(callId, new PeerAnswer.Replied(MEGABYTE));
    }

    /** What a stopped peer does not read stays here. */
    @Test
    void ofRepliesThatDoNotLeaveOnlySoManyAreKept() {
        for (int i = 0; i < 80; i++) {
            assertThat(channel.beginServing()).isTrue();
        }
        for (int i = 0; i < 80; i++) {
            channel.served(reply(i));
        }
        channel.flush(false);
        List<PeerReply> sent = wire.frames.stream()
                .flatMap(frame -> frame.getRepliesList().stream())
                .toList();
        assertThat(sent).hasSize(80);
        assertThat(sent.subList(0, 63)).allMatch(PeerReply::hasReply);
        // Whoever asked hears that it may have happened.
        assertThat(sent.subList(63, 80)).allMatch(reply -> reply.equals(PeerFrames.nothing(reply.getCallId())));
    }

    @Test
    void aPeerThatDoesNotReadHasNoFurtherCallBegunUntilItDoes() {
        for (int i = 0; i < 32; i++) {
            assertThat(channel.beginServing()).isTrue();
            channel.served(reply(i));
            channel.flush(false);
        }
        assertThat(channel.beginServing()).isFalse();
        wire.writes.get(0).complete();
        assertThat(channel.beginServing()).isTrue();
        channel.served(reply(32));
        assertThat(channel.beginServing()).isFalse();
        channel.flush(false);
        wire.writes.get(1).fail("the connection is gone");
        assertThat(channel.beginServing()).isTrue();
    }

    @Test
    void aPeerThatSaysNothingIsTakenForDeadWhenItsTimeIsOver() {
        Future<PeerAnswer> call = call(SMALL);
        lookFor(SILENCE_MS - LOOK_MS);
        assertThat(call.isComplete()).isFalse();
        lookAfter(LOOK_MS);
        assertThat(call.cause()).hasMessageContaining("is silent");
    }

    /** B16: what a peer has said while this node stood still is not read yet when it looks. */
    @Test
    void aPauseOfOurOwnIsNotThePeersSilence() {
        Future<PeerAnswer> call = call(SMALL);
        lookAfter(LOOK_MS);
        lookAfter(10 * SILENCE_MS);
        assertThat(call.isComplete()).isFalse();
        lookFor(SILENCE_MS - LOOK_MS);
        assertThat(call.isComplete()).isFalse();
        lookAfter(LOOK_MS);
        assertThat(call.cause()).hasMessageContaining("is silent");
    }
}
