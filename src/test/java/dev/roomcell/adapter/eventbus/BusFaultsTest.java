package dev.roomcell.adapter.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.mysql.DatabaseClock;
import dev.roomcell.port.Peer;
import dev.roomcell.port.PeerAnswer;
import dev.roomcell.port.PeerCall;
import dev.roomcell.port.PeerLink.PeerException;
import dev.roomcell.port.PeerLink.PeerException.Fate;
import dev.roomcell.proto.internal.v1.PeerFrame;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What nodes say to each other over a bus that connects nobody but the two. */
final class BusFaultsTest {
    private static final Peer A = new Peer("a", "10.0.0.1:7000");
    private static final Peer B = new Peer("b", "10.0.0.2:7000");
    private static final long TIMEOUT_MS = 5_000;

    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) {
        return future.timeout(3 * TIMEOUT_MS, TimeUnit.MILLISECONDS).await();
    }

    private BusPeerLink link(Peer self, BusPeerLink.Server server) {
        return await(Future.future(made -> loop.runOnContext(turn -> {
            BusPeerLink link = new BusPeerLink(
                    vertx, loop, self, server, new SimpleMeterRegistry(), new DatabaseClock(System::nanoTime));
            link.listening().<BusPeerLink>map(link).onComplete(made);
        })));
    }

    /** What became of calls that were sent in one turn: empty where it was answered. */
    private List<Optional<PeerException>> send(BusPeerLink from, String... methods) {
        return await(Future.future(sent -> loop.runOnContext(turn -> {
            List<Future<PeerAnswer>> calls = List.of(methods).stream()
                    .map(method -> from.send(B, new PeerCall(method, new byte[0]), TIMEOUT_MS))
                    .toList();
            Future.join(calls)
                    .transform(over -> Future.succeededFuture(calls.stream()
                            .map(call -> Optional.ofNullable((PeerException) call.cause()))
                            .toList()))
                    .onComplete(sent);
        })));
    }

    @Test
    void oneCallThatFailsTakesNoOtherOfItsFrameAlong() {
        BusPeerLink a = link(A, (call, timeoutMs) -> Future.failedFuture("nobody calls this one"));
        link(B, (call, timeoutMs) -> {
            if (call.method().equals("bad")) {
                throw new IllegalStateException("a fault of the server");
            }
            return Future.succeededFuture(new PeerAnswer.Replied(new byte[0]));
        });
        List<Optional<PeerException>> outcomes = send(a, "good", "bad", "good");
        assertThat(outcomes.get(0)).isEmpty();
        assertThat(outcomes.get(1))
                .hasValueSatisfying(bad -> assertThat(bad.fate()).isEqualTo(Fate.MAY_HAVE_RUN));
        assertThat(outcomes.get(2)).isEmpty();
    }

    /** B19: two versions side by side, as in every upgrade: what one has not run, the other may run elsewhere. */
    @Test
    void theRefusalOfAnotherVersionIsUnderstood() {
        BusPeerLink a = link(A, (call, timeoutMs) -> Future.failedFuture("nobody calls this one"));
        vertx.eventBus().consumer(PeerFrames.address(B), message -> {
            PeerFrame.Builder refusals = PeerFrames.from(B).setProtocolVersion(PeerFrames.PROTOCOL_VERSION + 1);
            PeerFrames.read(message.body())
                    .orElseThrow()
                    .getCallsList()
                    .forEach(call -> refusals.addReplies(PeerFrames.refusal(call.getCallId(), "not understood")));
            vertx.eventBus()
                    .send(PeerFrames.address(A), Buffer.buffer(refusals.build().toByteArray()));
        });
        assertThat(send(a, "any"))
                .singleElement()
                .satisfies(refused -> assertThat(refused)
                        .hasValueSatisfying(why -> assertThat(why.fate()).isEqualTo(Fate.NOT_RUN)));
    }
}
