package dev.roomcell.dev.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roomcell.dev.wallet.LuckyDraws.Made;
import dev.roomcell.dev.wallet.LuckyOdds.Prize;
import dev.roomcell.port.LuckyGift.Draw;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of draws that are made together. */
final class OpenDrawsTest {
    /** Everybody wins twice the price. */
    private static final LuckyOdds ODDS = new LuckyOdds(List.of(new Prize(LuckyOdds.ALL, 200)), 50);

    private final OpenDraws draws = new OpenDraws(
            ODDS, Map.of("app", 50L), List.of(new Made(draw("old", 10), 3), new Made(draw("none", 10), 0)));

    private static Draw draw(String key, long coins) {
        return new Draw("app", key, "ann", "rose", 1, coins);
    }

    @Test
    void whatOneDrawWinsTheNextDoesNot() {
        assertThat(draws.draw(draw("a", 10))).isEqualTo(20);
        assertThat(draws.draw(draw("b", 16))).isZero();
        assertThat(draws.draw(draw("c", 15))).isEqualTo(30);
        assertThat(draws.draw(draw("d", 1))).isZero();
        assertThat(draws.pools()).isEqualTo(Map.of("app", 0L));
        assertThat(draws.made()).extracting(Made::reward).containsExactly(20L, 0L, 30L, 0L);
    }

    @Test
    @Tag("GIFT-6")
    void aKeyThatComesTwiceIsDrawnOnceAndIsAnsweredAlike() {
        assertThat(draws.draw(draw("a", 10))).isEqualTo(20);
        assertThat(draws.draw(draw("a", 10))).isEqualTo(20);
        assertThat(draws.draw(draw("old", 10))).isEqualTo(3);
        assertThat(draws.draw(draw("none", 10))).isZero();
        assertThat(draws.made()).containsExactly(new Made(draw("a", 10), 20));
        assertThat(draws.pools()).isEqualTo(Map.of("app", 30L));
    }

    @Test
    void aKeyThatNamesAnotherDrawIsRefused() {
        assertThat(draws.draw(draw("a", 10))).isEqualTo(20);
        assertThatThrownBy(() -> draws.draw(draw("a", 11))).isInstanceOf(ServiceRefusal.class);
        assertThatThrownBy(() -> draws.draw(draw("old", 11))).isInstanceOf(ServiceRefusal.class);
        assertThat(draws.made()).hasSize(1);
    }
}
