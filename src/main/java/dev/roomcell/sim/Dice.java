package dev.roomcell.sim;

import java.util.List;
import java.util.Random;

/** Everything that is left to chance in a simulation, from one seed. Not thread-safe. */
final class Dice {
    private final Random random;

    Dice(long seed) {
        this.random = new Random(seed);
    }

    /** 0 to {@code bound} - 1. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Both included. */
    int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    /** True so many times in a hundred. */
    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    boolean coin() {
        return random.nextBoolean();
    }

    <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    /** Mostly short, sometimes long: below {@code bound}, half of the time below a tenth of it. */
    int skewed(int bound) {
        return coin() ? below(Math.max(1, bound / 10)) : below(bound);
    }
}
