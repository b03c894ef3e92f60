package dev.roomcell.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;

/** CMD-2: which ids a room remembers. */
class DedupeWindowTest {
    private static final long START_MS = 1_700_000_000_000L;
    private static final long TEN_MINUTES_MS = 600_000;
    private static final int MOST_IDS = 1_024;

    /**
     * A run of commits.
     *
     * @param afterMs since the last commit, ms
     * @param commits how many
     * @param everyMs between two of them, ms
     */
    record Run(long afterMs, int commits, long everyMs) {}

    private record Committed(String commandId, long atMs) {}

    @Provide
    Arbitrary<List<Run>> runs() {
        Arbitrary<Long> after = Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.longs().between(0, 2_000)),
                Tuple.of(1, Arbitraries.longs().between(0, 700_000)));
        Arbitrary<Integer> commits = Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.integers().between(1, 20)),
                Tuple.of(1, Arbitraries.integers().between(1, 1_500)));
        Arbitrary<Long> every = Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.longs().between(0, 50)),
                Tuple.of(1, Arbitraries.longs().between(0, 20_000)));
        return Combinators.combine(after, commits, every)
                .as(Run::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void itHoldsTheNewestIdsOfTheLastTenMinutesAndNoOthers(@ForAll("runs") List<Run> runs) {
        DedupeWindow window = new DedupeWindow();
        List<Committed> history = new ArrayList<>();
        long nowMs = START_MS;
        for (Run run : runs) {
            nowMs += run.afterMs();
            for (int i = 0; i < run.commits(); i++) {
                nowMs += i == 0 ? 0 : run.everyMs();
                Committed commit = new Committed("command-" + history.size(), nowMs);
                window.add(commit.commandId(), commit.atMs());
                history.add(commit);
            }
            assertHolds(window, history, nowMs);
        }
    }

    private static void assertHolds(DedupeWindow window, List<Committed> history, long nowMs) {
        int held = 0;
        for (int i = 0; i < history.size(); i++) {
            Committed commit = history.get(i);
            boolean holds = window.mayHold(commit.commandId());
            long ageMs = nowMs - commit.atMs();
            boolean amongTheNewest = history.size() - i <= MOST_IDS;
            if (amongTheNewest && ageMs <= TEN_MINUTES_MS) {
                assertThat(holds).as("%s, %d ms old", commit, ageMs).isTrue();
            } else if (!amongTheNewest || ageMs >= TEN_MINUTES_MS + 1_000) {
                assertThat(holds).as("%s, %d ms old", commit, ageMs).isFalse();
            }
            held += holds ? 1 : 0;
        }
        assertThat(window.size()).isEqualTo(held).isLessThanOrEqualTo(MOST_IDS);
    }

    @Test
    void anEmptyWindowHoldsNothing() {
        assertThat(new DedupeWindow().mayHold("command-1")).isFalse();
        assertThat(new DedupeWindow().size()).isZero();
    }

    @Test
    void theOldestGoesFirst() {
        DedupeWindow window = new DedupeWindow();
        for (int i = 0; i < MOST_IDS; i++) {
            window.add("command-" + i, START_MS);
        }
        for (int i = 0; i < MOST_IDS; i++) {
            assertThat(window.mayHold("command-" + i)).as("before the next").isTrue();
            window.add("next-" + i, START_MS);
            assertThat(window.mayHold("command-" + i)).as("after the next").isFalse();
            assertThat(window.size()).isEqualTo(MOST_IDS);
        }
    }

    @Test
    void anIdIsKeptForTenMinutesAndForgottenASecondLater() {
        DedupeWindow window = new DedupeWindow();
        window.add("old", START_MS);

        window.add("at the limit", START_MS + TEN_MINUTES_MS);
        assertThat(window.mayHold("old")).isTrue();

        window.add("past the limit", START_MS + TEN_MINUTES_MS + 1_000);
        assertThat(window.mayHold("old")).isFalse();
        assertThat(window.mayHold("at the limit")).isTrue();
    }

    /** A small window goes round and round: whatever place an id comes to, and whatever leaves beside it. */
    @Test
    void aQuietRoomsWindowNeverLosesAnIdAndNeverKeepsOne() {
        DedupeWindow window = new DedupeWindow();
        long everyMs = TEN_MINUTES_MS / 7;
        for (int i = 0; i < 5_000; i++) {
            window.add("command-" + i, START_MS + i * everyMs);
            for (int age = 0; age <= Math.min(i, 10); age++) {
                assertThat(window.mayHold("command-" + (i - age)))
                        .as("the last but %d after %d", age, i)
                        .isEqualTo(age <= 7);
            }
        }
    }

    @Test
    void growingKeepsTheAgeOfEachId() {
        List<Run> runs = new ArrayList<>(List.of(new Run(0, 12, 100_000), new Run(0, 10, 0)));
        for (int i = 0; i < 8; i++) {
            runs.add(new Run(100_000, 1, 0));
        }

        itHoldsTheNewestIdsOfTheLastTenMinutesAndNoOthers(runs);
    }

    @Test
    void idsThatLookAlikeAreToldApart() {
        DedupeWindow window = new DedupeWindow();
        window.add("command-12", START_MS);

        assertThat(window.mayHold("command-12")).isTrue();
        for (String other : List.of("command-21", "Command-12", "command-12 ", "command-1", "", "~command-12")) {
            assertThat(window.mayHold(other)).as(other).isFalse();
        }
    }
}
