package dev.roomcell.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.Invariant;
import dev.roomcell.check.Violation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The mistakes that a simulation is there to find are found. More starting points give a better median: {@code mvn test
 * -Dtest=PlantedFlawTest -Dsimulation.starts=25}.
 */
class PlantedFlawTest {
    private static final int STARTS = Integer.getInteger("simulation.starts", 1);
    private static final long SEEDS_BETWEEN_STARTS = 10_000;
    private static final int MOST_SEEDS = 2_000;

    private static CoreLog log;

    @BeforeAll
    static void quiet() {
        log = new CoreLog();
    }

    @AfterAll
    static void loud() {
        log.giveBack();
    }

    @ParameterizedTest
    @EnumSource
    void isFound(PlantedFlaw flaw) {
        assertFound(flaw, EnumSet.allOf(Invariant.class));
    }

    @ParameterizedTest
    @EnumSource
    void isFoundInWhatOthersHear(PlantedNewsFlaw flaw) {
        assertFound(flaw, EnumSet.allOf(Invariant.class));
    }

    @ParameterizedTest
    @EnumSource
    void isFoundWhereMoneyIs(PlantedGiftFlaw flaw) {
        assertFound(flaw, EnumSet.allOf(Invariant.class));
    }

    @ParameterizedTest
    @EnumSource
    void isFoundWhereRocketsAre(PlantedRocketFlaw flaw) {
        assertFound(flaw, EnumSet.of(Invariant.I13));
    }

    @ParameterizedTest
    @EnumSource
    void isFoundWhereOldRowsGo(PlantedPurgeFlaw flaw) {
        assertFound(flaw, EnumSet.allOf(Invariant.class));
    }

    private static void assertFound(Flaw flaw, Set<Invariant> as) {
        List<Long> seedsNeeded = new ArrayList<>();
        String first = "";
        for (int start = 0; start < STARTS; start++) {
            long from = start * SEEDS_BETWEEN_STARTS;
            for (long seed : LongStream.range(from, from + MOST_SEEDS).toArray()) {
                Optional<Violation> found = Simulation.run(seed, false, flaw).violations().stream()
                        .filter(violation -> as.contains(violation.invariant()))
                        .findFirst();
                if (found.isPresent()) {
                    seedsNeeded.add(seed - from + 1);
                    first = found.get().toString();
                    break;
                }
            }
        }
        assertThat(seedsNeeded).as("%s is found from every start", flaw).hasSize(STARTS);
        seedsNeeded.sort(null);
        System.out.printf(
                "%s: found after %d seeds (median of %d starts; at most %d), as: %s%n",
                flaw, seedsNeeded.get(STARTS / 2), STARTS, seedsNeeded.get(STARTS - 1), first);
    }
}
