package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.wallet.GrpcLuckyGift;
import dev.roomcell.adapter.wallet.ServiceCallMeter;
import dev.roomcell.adapter.wallet.WalletSettings;
import dev.roomcell.dev.FreePorts;
import dev.roomcell.port.LuckyGift;
import dev.roomcell.port.LuckyGift.Draw;
import dev.roomcell.port.LuckyGift.DrawException;
import dev.roomcell.port.RoomClock;
import dev.roomcell.proto.luckygift.v1.DrawResponse;
import dev.roomcell.proto.luckygift.v1.LuckyGiftServiceGrpcService;
import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.server.GrpcServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is believed of a lottery. It answers as it is told. */
final class LuckyGiftAnswersTest {
    private static final long LONG_MS = 600_000;

    private Vertx vertx;
    private LuckyGift lottery;
    private volatile long rewardCoins;

    private static final class StandingClock implements RoomClock {
        @Override
        public long nowMs() {
            return 1;
        }

        @Override
        public long monotonicMs() {
            return 1;
        }
    }

    @BeforeEach
    void openLottery() throws IOException {
        vertx = Vertx.vertx();
        int port = FreePorts.pick();
        GrpcServer grpc = GrpcServer.server(vertx);
        grpc.callHandler(
                LuckyGiftServiceGrpcService.Draw,
                call -> call.handler(draw -> call.response()
                        .end(DrawResponse.newBuilder()
                                .setRewardCoins(rewardCoins)
                                .build())));
        Await.result(vertx.createHttpServer().requestHandler(grpc).listen(port, "127.0.0.1"));
        EventLoop loop = EventLoop.of(vertx);
        WalletSettings settings = new WalletSettings("127.0.0.1", port, LONG_MS, 1);
        lottery = loop.port(
                LuckyGift.class,
                loop.call(() -> GrpcLuckyGift.of(
                                vertx, settings, new StandingClock(), new ServiceCallMeter(new SimpleMeterRegistry()))
                        .orElseThrow()));
    }

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    private Future<Long> draw() {
        return lottery.draw(new Draw("app", "draw/app/c", "ann", "clover", 1, 10), LONG_MS);
    }

    @Test
    void whatItSaysIsWon() {
        rewardCoins = 7;
        assertThat(Await.result(draw())).isEqualTo(7);
    }

    /** Else the gift would be given with a balance that is none, and a credit that no wallet makes. */
    @Test
    @Tag("GIFT-6")
    void lessThanNothingIsNoAnswer() {
        rewardCoins = -5;
        assertThat(Await.failure(draw())).isInstanceOf(DrawException.class);
    }
}
