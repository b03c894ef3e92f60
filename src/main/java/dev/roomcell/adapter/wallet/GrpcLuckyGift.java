package dev.roomcell.adapter.wallet;

import dev.roomcell.port.LuckyGift;
import dev.roomcell.port.RoomClock;
import dev.roomcell.proto.luckygift.v1.DrawRequest;
import dev.roomcell.proto.luckygift.v1.DrawResponse;
import dev.roomcell.proto.luckygift.v1.LuckyGiftServiceGrpcClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/** A {@code luckygift.v1.LuckyGiftService}. Belongs to one event loop. */
public final class GrpcLuckyGift implements LuckyGift {
    private final GuardedCalls calls;

    private GrpcLuckyGift(GuardedCalls calls) {
        this.calls = calls;
    }

    /** A lottery of the calling event loop, which connects when it is needed; empty if the settings name none. */
    public static Optional<GrpcLuckyGift> of(
            Vertx vertx, WalletSettings settings, RoomClock clock, ServiceCallMeter meter) {
        return settings.host().isEmpty()
                ? Optional.empty()
                : Optional.of(new GrpcLuckyGift(new GuardedCalls(vertx, settings, clock::monotonicMs, meter)));
    }

    @Override
    public Future<Long> draw(Draw draw, long timeoutMs) {
        DrawRequest request = DrawRequest.newBuilder()
                .setAppCode(draw.appCode())
                .setKey(draw.key())
                .setUserId(draw.userId())
                .setGiftId(draw.giftId())
                .setPieces(draw.pieces())
                .setCoins(draw.coins())
                .build();
        return calls.call(LuckyGiftServiceGrpcClient.Draw, request, timeoutMs)
                .compose(GrpcLuckyGift::reward)
                .recover(failure -> Future.failedFuture(new DrawException(String.valueOf(failure.getMessage()))));
    }

    /** Less than nothing would be charged to who won it: it is no answer. */
    private static Future<Long> reward(DrawResponse response) {
        return response.getRewardCoins() < 0
                ? Future.failedFuture(new DrawException("a reward of " + response.getRewardCoins() + " coins"))
                : Future.succeededFuture(response.getRewardCoins());
    }

    /** Closes the connections; what is under way fails. */
    public Future<Void> close() {
        return calls.close();
    }
}
