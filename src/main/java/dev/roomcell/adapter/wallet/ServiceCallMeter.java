package dev.roomcell.adapter.wallet;

import dev.roomcell.port.Wallet.WalletException;
import dev.roomcell.proto.luckygift.v1.LuckyGiftServiceGrpcClient;
import dev.roomcell.proto.wallet.v1.WalletServiceGrpcClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.grpc.common.ServiceMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times the calls of services: {@code room_service_calls_seconds} by method and outcome: {@code answered}, or why
 * there was no answer. For all event loops.
 */
public final class ServiceCallMeter {
    private static final String ANSWERED = "answered";
    private static final List<ServiceMethod<?, ?>> METHODS = List.of(
            WalletServiceGrpcClient.Debit,
            WalletServiceGrpcClient.Credit,
            WalletServiceGrpcClient.Refund,
            WalletServiceGrpcClient.GetBalance,
            LuckyGiftServiceGrpcClient.Draw);

    private final Map<Ended, Timer> timers = new HashMap<>();

    private record Ended(String method, String outcome) {}

    /** Meters in {@code registry}, at 0. */
    public ServiceCallMeter(MeterRegistry registry) {
        for (ServiceMethod<?, ?> method : METHODS) {
            Stream.concat(
                            Stream.of(ANSWERED),
                            Stream.of(WalletException.Kind.values()).map(ServiceCallMeter::tag))
                    .forEach(outcome -> timers.put(
                            new Ended(method.fullMethodName(), outcome),
                            Timer.builder("room.service.calls")
                                    .description("calls of the wallet and the lottery, by method and outcome")
                                    .tag("method", method.methodName())
                                    .tag("outcome", outcome)
                                    .register(registry)));
        }
    }

    private static String tag(WalletException.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** A call is over; {@code failure} is null if it was answered. */
    void ended(ServiceMethod<?, ?> method, @Nullable Throwable failure, long tookMs) {
        Optional.ofNullable(timers.get(new Ended(method.fullMethodName(), outcome(failure))))
                .ifPresent(timer -> timer.record(tookMs, TimeUnit.MILLISECONDS));
    }

    private static String outcome(@Nullable Throwable failure) {
        if (failure == null) {
            return ANSWERED;
        }
        return tag(failure instanceof WalletException known ? known.kind() : WalletException.Kind.UNKNOWN);
    }
}
