package dev.roomcell.adapter.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.port.Peer;
import dev.roomcell.port.PeerAnswer;
import dev.roomcell.port.PeerCall;
import dev.roomcell.port.PeerLink.PeerException;
import dev.roomcell.port.PeerLink.PeerException.Fate;
import dev.roomcell.port.RoomClock;
import dev.roomcell.proto.internal.v1.PeerFrame;
import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes on one bus, which here is a local one. */
final class BusPeerLinkTest {
    private static final Peer A = new Peer("a.1", "127.0.0.1:7001");
    private static final Peer B = new Peer("b.1", "127.0.0.1:7002");
    private static final long LONG_MS = 30_000;

    /** Database time at first, epoch ms. */
    private static final long NOW_MS = 1_700_000_000_000L;

    private final StoppedClock clock = new StoppedClock();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Queue<String> served = new ConcurrentLinkedQueue<>();
    private Vertx vertx;
    private BusPeerLink a;
    private BusPeerLink.Server serverOfB;

    private static final class StoppedClock implements RoomClock {
        private volatile long nowMs = NOW_MS;

        @Override
        public long nowMs() {
            return nowMs;
        }

        @Override
        public long monotonicMs() {
            throw new AssertionError("no two nodes have the same");
        }
    }

    @BeforeEach
    void listen() {
        vertx = Vertx.vertx();
        serverOfB = (call, timeoutMs) ->
                Future.succeededFuture(new PeerAnswer.Replied(bytes(call.method() + " within " + timeoutMs)));
        a = link(A, (call, timeoutMs) -> Future.failedFuture("nobody calls a"));
        link(B, (call, timeoutMs) -> {
            served.add(call.method());
            return serverOfB.serve(call, timeoutMs);
        });
    }

    private BusPeerLink link(Peer self, BusPeerLink.Server server) {
        Promise<BusPeerLink> opened = Promise.promise();
        Context context = vertx.getOrCreateContext();
        context.runOnContext(turn -> opened.complete(new BusPeerLink(vertx, context, self, server, metrics, clock)));
        BusPeerLink link = Await.result(opened.future());
        Await.result(link.listening());
        return link;
    }

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(PeerAnswer answer) {
        return answer instanceof PeerAnswer.Replied replied
                ? new String(replied.reply(), StandardCharsets.UTF_8)
                : "failed: " + new String(((PeerAnswer.Failed) answer).error(), StandardCharsets.UTF_8);
    }

    private Future<PeerAnswer> send(Peer peer, String method, long timeoutMs) {
        return a.send(peer, new PeerCall(method, bytes("request")), timeoutMs);
    }

    private static PeerException unanswered(Future<PeerAnswer> call) {
        Throwable failure = Await.failure(call);
        assertThat(failure).isInstanceOf(PeerException.class);
        return (PeerException) failure;
    }

    private double counted(String name) {
        return metrics.get(name).counter().count();
    }

    @Test
    void aCallIsRunAtThePeerWithTheTimeThatIsLeft() {
        assertThat(text(Await.result(send(B, "s/Join", LONG_MS)))).isEqualTo("s/Join within " + LONG_MS);
        serverOfB = (call, timeoutMs) -> Future.succeededFuture(new PeerAnswer.Failed(bytes("no")));
        assertThat(text(Await.result(send(B, "s/Join", LONG_MS)))).isEqualTo("failed: no");
        assertThat(counted("room.forwards.sent")).isEqualTo(2);
        assertThat(counted("room.forwards.served")).isEqualTo(2);
    }

    @Test
    void callsArriveInTheOrderInWhichTheyWereMade() {
        List<Future<PeerAnswer>> calls = new ArrayList<>();
        List<String> methods = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            methods.add("s/M" + i);
            calls.add(send(B, "s/M" + i, LONG_MS));
        }
        calls.forEach(Await::result);
        assertThat(served).containsExactlyElementsOf(methods);
    }

    @Test
    void callsThatAreLargerThanAFrameArriveToo() {
        serverOfB = (call, timeoutMs) -> Future.succeededFuture(new PeerAnswer.Replied(call.request()));
        byte[] large = new byte[3 << 20];
        Arrays.fill(large, (byte) 7);
        List<Future<PeerAnswer>> calls = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            calls.add(a.send(B, new PeerCall("s/Large", large), LONG_MS));
        }
        calls.forEach(call ->
                assertThat(((PeerAnswer.Replied) Await.result(call)).reply()).isEqualTo(large));
    }

    /** B16: whoever is not there has certainly not run it. */
    @Test
    void aCallToNobodyHasNotRun() {
        assertThat(unanswered(send(new Peer("c.1", "127.0.0.1:7003"), "s/Join", LONG_MS))
                        .fate())
                .isEqualTo(Fate.NOT_RUN);
    }

    /** LEASE-3, B19: another run of the node at the same address is another node. */
    @Test
    void aCallToAnEarlierRunOfANodeDoesNotReachThisOne() {
        assertThat(unanswered(send(new Peer("b.0", B.advertiseAddr()), "s/Join", LONG_MS))
                        .fate())
                .isEqualTo(Fate.NOT_RUN);
        assertThat(served).isEmpty();
    }

    @Test
    void aCallThatIsNotAnsweredInTimeMayHaveRun() {
        serverOfB = (call, timeoutMs) -> Promise.<PeerAnswer>promise().future();
        assertThat(unanswered(send(B, "s/Join", 200)).fate()).isEqualTo(Fate.MAY_HAVE_RUN);
        assertThat(served).containsExactly("s/Join");
        assertThat(counted("room.forwards.unanswered")).isEqualTo(1);
    }

    @Test
    void aCallWithoutTimeIsNotSent() {
        assertThat(unanswered(send(B, "s/Join", 0)).fate()).isEqualTo(Fate.NOT_RUN);
        assertThat(served).isEmpty();
    }

    @Test
    void anAnswerThatComesTooLateIsCountedAndNothingElse() {
        Promise<PeerAnswer> slow = Promise.promise();
        serverOfB = (call, timeoutMs) -> slow.future();
        unanswered(send(B, "s/Join", 200));
        slow.complete(new PeerAnswer.Replied(bytes("late")));
        Await.until("it is counted", () -> counted("room.forwards.late") == 1);
    }

    @Test
    void aFaultOfThePeerIsAnAnswerThatMayHaveRun() {
        serverOfB = (call, timeoutMs) -> Future.failedFuture("a bug");
        assertThat(unanswered(send(B, "s/Join", LONG_MS)).fate()).isEqualTo(Fate.MAY_HAVE_RUN);
    }

    /** B16: a peer that says nothing is not waited for until the caller's deadline, and then nobody is sent there. */
    @Test
    void aPeerThatIsSilentIsTakenForDead() {
        Peer mute = new Peer("mute.1", "127.0.0.1:7004");
        Await.result(vertx.eventBus()
                .consumer(PeerFrames.address(mute), message -> {
                    // It never answers.
                })
                .completion());
        assertThat(unanswered(send(mute, "s/Join", LONG_MS)).fate()).isEqualTo(Fate.MAY_HAVE_RUN);
        assertThat(unanswered(send(mute, "s/Join", LONG_MS)).fate()).isEqualTo(Fate.NOT_RUN);
    }

    @Test
    void aPeerThatIsSlowIsNotTakenForDead() {
        Promise<PeerAnswer> slow = Promise.promise();
        serverOfB = (call, timeoutMs) -> slow.future();
        Future<PeerAnswer> call = send(B, "s/Join", LONG_MS);
        vertx.setTimer(2_000, later -> slow.complete(new PeerAnswer.Replied(bytes("at last"))));
        assertThat(text(Await.result(call))).isEqualTo("at last");
    }

    @Test
    void whoeverWaitsForANodeThatLeftNeedNotWaitLonger() {
        serverOfB = (call, timeoutMs) -> Promise.<PeerAnswer>promise().future();
        Future<PeerAnswer> call = send(B, "s/Join", LONG_MS);
        Await.until("it is there", () -> served.size() == 1);
        a.membersAre(Set.of(A.nodeId()));
        assertThat(unanswered(call).fate()).isEqualTo(Fate.MAY_HAVE_RUN);
    }

    /** Damaged and foreign messages are refused and counted, and hurt nobody. */
    @Test
    void whatIsNoFrameIsRefused() {
        String address = PeerFrames.address(B);
        Buffer frame = Buffer.buffer(PeerFrames.from(A).setPing(true).build().toByteArray());
        vertx.eventBus().send(address, "text");
        vertx.eventBus().send(address, new JsonObject().put("calls", 1));
        vertx.eventBus().send(address, Buffer.buffer());
        vertx.eventBus().send(address, frame.slice(0, frame.length() - 3));
        assertThat(Await.failure(vertx.eventBus().request(address, 7))).hasMessageContaining("not understood");
        assertThat(counted("room.forwards.refused")).isEqualTo(5);
        assertThat(text(Await.result(send(B, "s/Join", LONG_MS)))).startsWith("s/Join");
    }

    /** The frames that come to a node that only listens. */
    private Future<PeerFrame> nextFrameTo(Peer peer) {
        Promise<PeerFrame> came = Promise.promise();
        Await.result(vertx.eventBus()
                .<Buffer>consumer(
                        PeerFrames.address(peer),
                        message -> PeerFrames.read(message.body()).ifPresent(came::tryComplete))
                .completion());
        return came.future();
    }

    private void sendFrame(PeerFrame.Builder frame) {
        vertx.eventBus().send(PeerFrames.address(B), Buffer.buffer(frame.build().toByteArray()));
    }

    /** A node that stood still reads what lay in its sockets meanwhile: of a call's time only the rest is left. */
    @Test
    void aCallThatLayForLongHasTheRestOfItsTimeAndNoneIfThatIsOver() {
        Peer slow = new Peer("slow.1", "127.0.0.1:7006");
        PeerCall join = new PeerCall("s/Join", bytes("request"));
        Future<PeerFrame> replies = nextFrameTo(slow);
        clock.nowMs = NOW_MS + 900;
        sendFrame(PeerFrames.from(slow)
                .addCalls(PeerFrames.call(1, join, 900, NOW_MS))
                .addCalls(PeerFrames.call(2, join, 1_000, NOW_MS))
                // Whose clock is behind, or who does not say it, gets no more than the caller waits.
                .addCalls(PeerFrames.call(3, join, 1_000, NOW_MS + 5_000))
                .addCalls(PeerFrames.call(4, join, 1_000, NOW_MS).toBuilder().clearDeadlineAtMs()));
        List<String> outcomes = Await.result(replies).getRepliesList().stream()
                .map(reply -> reply.getCallId() + " " + reply.getRefused()
                        + reply.getReply().toStringUtf8())
                .sorted()
                .toList();
        assertThat(outcomes)
                .containsExactly(
                        "1 the call came when its time was over",
                        "2 s/Join within 100",
                        "3 s/Join within 1000",
                        "4 s/Join within 1000");
        assertThat(served).hasSize(3);
    }

    @Test
    void aFrameOfAnotherVersionIsRefusedAndItsCallsAreNotRun() {
        Peer newer = new Peer("newer.1", "127.0.0.1:7005");
        Future<PeerFrame> answered = nextFrameTo(newer);
        sendFrame(PeerFrames.from(newer)
                .setProtocolVersion(PeerFrames.PROTOCOL_VERSION + 1)
                .addCalls(PeerFrames.call(9, new PeerCall("s/Join", bytes("request")), LONG_MS, NOW_MS)));
        assertThat(Await.result(answered).getRepliesList()).singleElement().satisfies(reply -> {
            assertThat(reply.getCallId()).isEqualTo(9);
            assertThat(reply.getRefused()).contains("version 1");
        });
        assertThat(served).isEmpty();
        assertThat(counted("room.forwards.refused")).isEqualTo(1);
    }

    @Test
    void aClosedLinkLeavesNobodyWaiting() {
        serverOfB = (call, timeoutMs) -> Promise.<PeerAnswer>promise().future();
        Future<PeerAnswer> call = send(B, "s/Join", LONG_MS);
        Await.until("it is there", () -> served.size() == 1);
        Promise<Void> closed = Promise.promise();
        vertx.getOrCreateContext().runOnContext(turn -> a.close().onComplete(closed));
        Await.result(closed.future());
        assertThat(unanswered(call).fate()).isEqualTo(Fate.MAY_HAVE_RUN);
    }
}
