package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.dev.wallet.LuckyOdds;
import dev.roomcell.dev.wallet.LuckyOdds.Prize;
import dev.roomcell.port.LuckyGift.Draw;
import dev.roomcell.port.LuckyGift.DrawException;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What lucky gifts win. */
final class GrpcLuckyGiftIT {
    private static final long POOL_COINS = 1_000;
    private static final long TIMEOUT_MS = 20_000;

    /** One in four wins twice its price. */
    @RegisterExtension
    static final GrpcWalletBackend LOTTERY =
            new GrpcWalletBackend(new LuckyOdds(List.of(new Prize(LuckyOdds.ALL / 4, 200)), POOL_COINS));

    private static Draw draw(String app, int i) {
        return new Draw(app, "draw/" + app + "/" + i, "ann", "rose", 2, 10);
    }

    private static Future<Long> ask(Draw draw) {
        return LOTTERY.client().luckyGift().draw(draw, TIMEOUT_MS);
    }

    private static List<Long> ask(String app, int draws) {
        List<Future<Long>> calls =
                IntStream.range(0, draws).mapToObj(i -> ask(draw(app, i))).toList();
        return calls.stream().map(Await::result).toList();
    }

    @Test
    @Tag("GIFT-6")
    void theSameKeyWinsTheSameWheneverItIsAsked() {
        List<Long> first = ask("same", 100);
        assertThat(first).contains(0L, 20L).hasSize(100);
        assertThat(ask("same", 100)).isEqualTo(first);
    }

    @Test
    @Tag("GIFT-6")
    void aDrawMovesNoMoney() {
        ask("still", 20);
        assertThat(LOTTERY.movements()).isEmpty();
    }

    @Test
    void nobodyWinsMoreThanThePoolHas() {
        List<Long> rewards = ask("poor", 250);
        assertThat(rewards.stream().mapToLong(Long::longValue).sum()).isEqualTo(POOL_COINS);
        assertThat(LOTTERY.service().draws().pool("poor")).isZero();
        assertThat(ask("poor", 250)).isEqualTo(rewards);
        assertThat(LOTTERY.service().draws().pool("poor")).isZero();
    }

    @Test
    void oneDrawAskedForManyTimesAtOnceIsOne() {
        List<List<Future<Long>>> calls = IntStream.range(0, 40)
                .mapToObj(i -> IntStream.range(0, 6)
                        .mapToObj(time -> ask(draw("once", i)))
                        .toList())
                .toList();
        long won = 0;
        for (List<Future<Long>> ofOneKey : calls) {
            List<Long> answers = ofOneKey.stream().map(Await::result).distinct().toList();
            assertThat(answers).hasSize(1);
            won += answers.get(0);
        }
        assertThat(won).isPositive();
        assertThat(LOTTERY.service().draws().pool("once")).isEqualTo(POOL_COINS - won);
    }

    @Test
    void aKeyThatNamesAnotherDrawFails() {
        Draw draw = draw("other", 1);
        Await.result(ask(draw));
        for (Draw other : List.of(
                new Draw("other", draw.key(), "bob", "rose", 2, 10),
                new Draw("other", draw.key(), "ann", "car", 2, 10),
                new Draw("other", draw.key(), "ann", "rose", 3, 10),
                new Draw("other", draw.key(), "ann", "rose", 2, 11),
                new Draw("another", draw.key(), "ann", "rose", 2, 10))) {
            assertThat(Await.failure(ask(other))).isInstanceOf(DrawException.class);
        }
    }
}
