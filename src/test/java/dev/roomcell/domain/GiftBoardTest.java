package dev.roomcell.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.GiftBoard.Giver;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;

final class GiftBoardTest {
    private record Gift(String userId, long coins) {}

    @Provide
    Arbitrary<List<Gift>> gifts() {
        Arbitrary<Long> coins = Arbitraries.frequencyOf(
                Tuple.of(9, Arbitraries.longs().between(1, 5)),
                Tuple.of(1, Arbitraries.of(Long.MAX_VALUE, Long.MAX_VALUE - 1)));
        return Combinators.combine(Arbitraries.of("ann", "ben", "cara", "dora"), coins)
                .as(Gift::new)
                .list()
                .ofMaxSize(40);
    }

    /** B35: sums stop at the most there is, and the order is by coins, then by who got there first. */
    @Property
    void theRankIsWhatOneWouldCount(@ForAll("gifts") List<Gift> gifts) {
        GiftBoard board = GiftBoard.EMPTY;
        Map<String, Giver> counted = new HashMap<>();
        long heat = 0;
        for (int i = 0; i < gifts.size(); i++) {
            Gift gift = gifts.get(i);
            long version = i + 1L;
            board = board.given(gift.userId, gift.coins, version);
            heat = plus(heat, gift.coins);
            counted.merge(gift.userId, new Giver(gift.userId, gift.coins, version), (before, now) -> {
                long sum = plus(before.coins(), now.coins());
                return new Giver(gift.userId, sum, sum == before.coins() ? before.sinceVersion() : version);
            });
        }
        List<Giver> sorted = new ArrayList<>(counted.values());
        sorted.sort(Comparator.comparingLong(Giver::coins).reversed().thenComparingLong(Giver::sinceVersion));
        assertThat(board.heat()).isEqualTo(heat);
        assertThat(board.top(100)).isEqualTo(sorted);
        assertThat(board.top(2)).isEqualTo(sorted.subList(0, Math.min(2, sorted.size())));
        assertThat(GiftBoard.of(board.heat(), board.top(100))).isEqualTo(board);
    }

    private static long plus(long a, long b) {
        return BigInteger.valueOf(a)
                .add(BigInteger.valueOf(b))
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValueExact();
    }

    @Test
    void whoFallsBelowTheLastRankThatIsKeptIsForgotten() {
        GiftBoard board = GiftBoard.EMPTY;
        for (int i = 1; i <= GiftBoard.MAX_RANKED; i++) {
            board = board.given("user-" + i, i, i);
        }
        board = board.given("newcomer", 2, 20_000);
        assertThat(board.givers().size()).isEqualTo(GiftBoard.MAX_RANKED);
        assertThat(board.givers().containsKey("user-1")).isFalse();
        assertThat(board.top(GiftBoard.MAX_RANKED)).last().isEqualTo(new Giver("newcomer", 2, 20_000));
    }
}
