package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.wallet.GrpcWallet;
import dev.roomcell.adapter.wallet.ServiceCallMeter;
import dev.roomcell.adapter.wallet.WalletSettings;
import dev.roomcell.dev.FreePorts;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.Wallet;
import dev.roomcell.port.Wallet.DebitAnswer;
import dev.roomcell.port.Wallet.Transfer;
import dev.roomcell.port.Wallet.WalletException;
import dev.roomcell.port.Wallet.WalletException.Kind;
import dev.roomcell.proto.wallet.v1.DebitRequest;
import dev.roomcell.proto.wallet.v1.DebitResponse;
import dev.roomcell.proto.wallet.v1.WalletServiceGrpcService;
import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which calls to a wallet are made, and what is known of those that have no answer. The wallet does as it is told. */
final class WalletCallsTest {
    /** Nothing here waits for it. */
    private static final long LONG_MS = 600_000;

    private static final int MAX_IN_FLIGHT = 12;
    private static final int FAILURES_TO_OPEN = 10;
    private static final long PAUSE_MS = 1_000;

    private final AtomicLong nowMs = new AtomicLong(77);
    private final Queue<GrpcServerRequest<DebitRequest, DebitResponse>> held = new ConcurrentLinkedQueue<>();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private Vertx vertx;
    private int port;
    private @Nullable HttpServer server;
    private EventLoop loop;
    private GrpcWallet own;
    private Wallet wallet;

    private final class SteppedClock implements RoomClock {
        @Override
        public long nowMs() {
            return nowMs.get();
        }

        @Override
        public long monotonicMs() {
            return nowMs.get();
        }
    }

    /** How many debits have come to that outcome. */
    private long counted(String outcome) {
        return metrics.get("room.service.calls")
                .tag("method", "Debit")
                .tag("outcome", outcome)
                .timer()
                .count();
    }

    @BeforeEach
    void makeWallet() throws IOException {
        vertx = Vertx.vertx();
        port = FreePorts.pick();
        loop = EventLoop.of(vertx);
        WalletSettings settings = new WalletSettings("127.0.0.1", port, LONG_MS, MAX_IN_FLIGHT);
        own = loop.call(() -> GrpcWallet.of(vertx, settings, new SteppedClock(), new ServiceCallMeter(metrics))
                .orElseThrow());
        wallet = loop.port(Wallet.class, own);
    }

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    private void listen(Consumer<GrpcServerRequest<DebitRequest, DebitResponse>> onCall) {
        GrpcServer grpc = GrpcServer.server(vertx);
        grpc.callHandler(WalletServiceGrpcService.Debit, call -> call.handler(request -> onCall.accept(call)));
        server = Await.result(vertx.createHttpServer().requestHandler(grpc).listen(port, "127.0.0.1"));
    }

    private static void debited(GrpcServerRequest<DebitRequest, DebitResponse> call) {
        DebitResponse response = DebitResponse.newBuilder()
                .setDebited(DebitResponse.Debited.newBuilder().setBalanceAfterCoins(7))
                .build();
        call.response().end(response);
    }

    private Future<DebitAnswer> call() {
        return wallet.debit(new Transfer("app", "ann", "debit/app/c", 1), LONG_MS);
    }

    private boolean takesCalls() {
        return loop.call(own::takesCalls);
    }

    private static void assertFails(Kind kind, Future<?> call) {
        assertThat(Await.failure(call))
                .isInstanceOfSatisfying(
                        WalletException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind));
    }

    private void answerHeld(int calls) {
        for (int i = 0; i < calls; i++) {
            GrpcServerRequest<DebitRequest, DebitResponse> call =
                    Await.value("a call", () -> Optional.ofNullable(held.poll()));
            debited(call);
        }
    }

    @Test
    void whereNoneIsConfiguredThereIsNone() {
        assertThat(GrpcWallet.of(
                        vertx,
                        new WalletSettings("", 1, 1, 1),
                        new SteppedClock(),
                        new ServiceCallMeter(new SimpleMeterRegistry())))
                .isEmpty();
    }

    @Test
    void asManyAsAllowedAreUnderWayAndOneMoreIsNotMade() {
        listen(held::add);
        List<Future<DebitAnswer>> calls =
                IntStream.range(0, MAX_IN_FLIGHT).mapToObj(i -> call()).toList();
        Await.until("all have come", () -> held.size() == MAX_IN_FLIGHT);
        assertThat(takesCalls()).isFalse();
        assertFails(Kind.NOT_SENT, call());
        assertThat(held).hasSize(MAX_IN_FLIGHT);
        answerHeld(MAX_IN_FLIGHT);
        calls.forEach(call -> assertThat(Await.result(call)).isEqualTo(new DebitAnswer.Debited(7)));
        assertThat(takesCalls()).isTrue();
        Future<DebitAnswer> next = call();
        answerHeld(1);
        assertThat(Await.result(next)).isEqualTo(new DebitAnswer.Debited(7));
        assertThat(counted("answered")).isEqualTo(MAX_IN_FLIGHT + 1);
        assertThat(counted("not_sent")).isEqualTo(1);
    }

    @Test
    void aWalletThatIsNotThereIsLeftAloneUntilAProbeFindsIt() {
        for (int i = 0; i < FAILURES_TO_OPEN; i++) {
            assertThat(takesCalls()).isTrue();
            assertFails(Kind.NOT_SENT, call());
        }
        assertThat(takesCalls()).isFalse();
        listen(held::add);
        assertFails(Kind.NOT_SENT, call());
        assertThat(held).isEmpty();
        nowMs.addAndGet(PAUSE_MS);
        assertThat(takesCalls()).isTrue();
        Future<DebitAnswer> probe = call();
        Await.until("the probe has come", () -> held.size() == 1);
        assertThat(takesCalls()).isFalse();
        assertFails(Kind.NOT_SENT, call());
        answerHeld(1);
        assertThat(Await.result(probe)).isEqualTo(new DebitAnswer.Debited(7));
        assertThat(takesCalls()).isTrue();
    }

    @Test
    void aConnectionThatEndsUnderACallLeavesItUnknown() {
        listen(held::add);
        Future<DebitAnswer> call = call();
        Await.until("it has come", () -> held.size() == 1);
        Await.result(Objects.requireNonNull(server).close());
        assertFails(Kind.UNKNOWN, call);
    }

    @Test
    void anAnswerThatSaysNothingIsUnknown() {
        listen(call -> call.response().end(DebitResponse.getDefaultInstance()));
        assertFails(Kind.UNKNOWN, call());
    }

    /** Of all words that a wallet, or whatever stands before it, may say, three promise that nothing happened. */
    @ParameterizedTest
    @EnumSource(GrpcStatus.class)
    void anErrorIsUnknownUnlessItPromisesThatNothingHappened(GrpcStatus status) {
        listen(call -> call.response().status(status).end());
        List<GrpcStatus> promises =
                List.of(GrpcStatus.INVALID_ARGUMENT, GrpcStatus.FAILED_PRECONDITION, GrpcStatus.OUT_OF_RANGE);
        assertFails(promises.contains(status) ? Kind.REFUSED : Kind.UNKNOWN, call());
    }

    @Test
    void aWalletThatRefusesIsNotLeftAlone() {
        listen(call -> call.response().status(GrpcStatus.FAILED_PRECONDITION).end());
        for (int i = 0; i < 2 * FAILURES_TO_OPEN; i++) {
            assertFails(Kind.REFUSED, call());
        }
        assertThat(takesCalls()).isTrue();
        assertThat(counted("refused")).isEqualTo(2 * FAILURES_TO_OPEN);
    }

    @Test
    void aWalletInTroubleIsLeftAlone() {
        listen(call -> call.response().status(GrpcStatus.UNAVAILABLE).end());
        for (int i = 0; i < FAILURES_TO_OPEN; i++) {
            assertFails(Kind.UNKNOWN, call());
        }
        assertFails(Kind.NOT_SENT, call());
        assertThat(counted("unknown")).isEqualTo(FAILURES_TO_OPEN);
    }
}
