package dev.roomcell.dev.rtc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.rtc.CallbackSignature;
import dev.roomcell.adapter.rtc.RtcCallback;
import dev.roomcell.adapter.rtc.RtcCallback.Report;
import dev.roomcell.dev.rtc.CallbackSender.Retries;
import dev.roomcell.dev.rtc.CallbackSender.Sent;
import dev.roomcell.domain.RtcReports.Fact;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sender that stands in for TRTC's, on nodes that take what they are told to take. */
class CallbackSenderTest {
    private static final RtcApp APP = RtcApp.sample();
    private static final RtcEvent EVENT = new RtcEvent(203, "room", "ann", 1_664_209_748_180L, 0);

    private final Vertx vertx = Vertx.vertx();
    private final List<String> arrived = Collections.synchronizedList(new ArrayList<>());
    private final ConcurrentLinkedQueue<Integer> statuses = new ConcurrentLinkedQueue<>();
    private List<String> nodes;

    @BeforeEach
    void start() {
        nodes = List.of(node("a"), node("b"));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private String node(String name) {
        HttpServer server = Await.result(vertx.createHttpServer()
                .requestHandler(request -> take(name, request))
                .listen(0, "127.0.0.1"));
        return "http://127.0.0.1:" + server.actualPort() + "/";
    }

    private void take(String name, HttpServerRequest request) {
        request.body().onSuccess(body -> {
            boolean signed = new CallbackSignature(APP.callbackKey()).isOf(request.getHeader("Sign"), body.getBytes());
            Report report = RtcCallback.read(body).report().orElseThrow();
            arrived.add(name + " " + signed + " " + request.getHeader("SdkAppId") + " " + report.userId());
            Integer status = statuses.poll();
            request.response().setStatusCode(status == null ? 200 : status).end();
        });
    }

    private CallbackSender sender(Retries retries, RtcFaults faults) {
        CallbackSender sender = new CallbackSender(vertx, APP, () -> 1_664_209_748_188L, retries);
        sender.sendTo(nodes);
        sender.fail(faults);
        return sender;
    }

    private static List<Integer> statuses(List<Sent> sent) {
        return sent.stream().map(Sent::status).toList();
    }

    @Test
    void aCallbackIsWhatTheVendorSends() {
        RtcCallback callback = RtcCallback.read(Buffer.buffer(EVENT.body(1_664_209_748_188L)));

        assertThat(callback.sentAtMs()).hasValue(1_664_209_748_188L);
        assertThat(callback.report()).contains(new Report(Fact.AUDIO_STARTED, "room", "ann", 1_664_209_748_180L));
        assertThat(EVENT.body(1)).contains("\n\t\"EventType\":\t203").contains("\n\t\t\"UserId\":\t\"ann\"");
    }

    @Test
    void itGoesToOneNodeAfterTheOtherAndIsSignedForIt() {
        CallbackSender sender = sender(Retries.NONE, RtcFaults.NONE);
        assertThat(statuses(Await.result(sender.send(EVENT)))).containsExactly(200);
        assertThat(statuses(Await.result(sender.send(EVENT)))).containsExactly(200);

        assertThat(arrived).containsExactly("a true 1400000001 ann", "b true 1400000001 ann");
    }

    @Test
    void whatIsNotTakenIsSentAgainUntilItIs() {
        statuses.addAll(List.of(503, 401, 500));

        assertThat(statuses(
                        Await.result(sender(new Retries(1, 6), RtcFaults.NONE).send(EVENT))))
                .containsExactly(503, 401, 500, 200);
    }

    @Test
    void inTheEndItIsGivenUp() {
        IntStream.range(0, 20).forEach(i -> statuses.add(503));

        assertThat(Await.result(sender(new Retries(1, 6), RtcFaults.NONE).send(EVENT)))
                .hasSize(8)
                .noneMatch(Sent::isTaken);
    }

    @Test
    void itIsSentMoreThanOnceOnDemand() {
        assertThat(Await.result(sender(Retries.NONE, new RtcFaults(1, 5, 20, 0)).send(EVENT)))
                .hasSize(5);
        assertThat(arrived).hasSize(5);
    }

    /** The same seed loses the same, so that a run can be had again. */
    @Test
    void whatIsLostIsDrawnFromTheSeed() {
        RtcFaults faults = new RtcFaults(42, 1, 0, 50);
        List<Integer> once = sendings(sender(Retries.NONE, faults));
        List<Integer> again = sendings(sender(Retries.NONE, faults));

        assertThat(once).isEqualTo(again).contains(0, 1);
    }

    private static List<Integer> sendings(CallbackSender sender) {
        return IntStream.range(0, 40)
                .mapToObj(i -> Await.result(sender.send(EVENT)).size())
                .toList();
    }
}
