package dev.roomcell.adapter.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.port.Peer;
import dev.roomcell.port.PeerAnswer;
import dev.roomcell.port.PeerLink.PeerException;
import dev.roomcell.proto.internal.v1.PeerCall;
import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageProducer;
import org.junit.jupiter.api.Test;

/** One peer's channel, on wires that are not there. */
final class PeerChannelTest {
    private static final Peer A = new Peer("a.1", "127.0.0.1:7001");
    private static final Peer B = new Peer("b.1", "127.0.0.1:7002");

    /** A wire that breaks while it is written to, as the bus has it. */
    private static final class BreakingWire implements MessageProducer<Buffer> {
        @Override
        public MessageProducer<Buffer> deliveryOptions(DeliveryOptions options) {
            return this;
        }

        @Override
        public String address() {
            return PeerFrames.address(B);
        }

        @Override
        public Future<Void> write(Buffer body) {
            throw new IllegalStateException("Promise already completed");
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }
    }

    /** Whoever flushes has other channels to flush, and the caller need not wait for the deadline. */
    @Test
    void aWireThatThrowsIsOneThatFails() {
        PeerChannel channel = new PeerChannel(A, B, new BreakingWire(), new PeerMeter(new SimpleMeterRegistry()), 0);
        Promise<PeerAnswer> answer = Promise.promise();
        channel.call(PeerCall.newBuilder().setCallId(1).build(), answer, 60_000, 0);

        channel.flush(false);

        assertThat(Await.failure(answer.future()))
                .isInstanceOfSatisfying(
                        PeerException.class,
                        failure -> assertThat(failure.mayHaveRun()).isTrue());
        assertThat(channel.wantsFlush()).isFalse();
    }
}
