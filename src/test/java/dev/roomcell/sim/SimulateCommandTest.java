package dev.roomcell.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SimulateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Flaw flaw, String... args) {
        return Main.oneLineErrors(new CommandLine(new SimulateCommand(flaw)))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }

    @Test
    void tellsWhatWasSimulated() {
        assertThat(run(Flaw.NONE, "--seeds", "3", "--json")).isZero();

        assertThat(lines().get(0)).startsWith("simulated 3 seeds, ").endsWith(": no violation");
        assertThat(lines().get(1)).matches(".* seeds/s, .* times as fast as the clock, hash [0-9a-f]{16}");
        assertThat(lines().get(2)).startsWith("answers: {DONE=");
        assertThat(lines().get(3)).startsWith("faults: {");
        assertThat(lines().get(4)).startsWith("gifts: {").contains("GIVEN=");
        assertThat(lines().get(5)).startsWith("rockets: {").contains("LAUNCHED=");
        assertThat(lines().get(6)).startsWith("reports of RTC: {").contains("NO_SEAT=");
        assertThat(lines().get(7)).startsWith("{\"seeds\":3,\"failed\":0,\"events\":");
        assertThat(lines()).hasSize(8);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theTraceIsTheSameEveryTime() {
        assertThat(run(Flaw.NONE, "--seeds", "1", "--seed", "7", "--trace")).isZero();
        List<String> first = lines();
        out.getBuffer().setLength(0);
        assertThat(run(Flaw.NONE, "--seeds", "1", "--seed", "7", "--trace")).isZero();

        int report = first.size() - 7;
        assertThat(first).hasSizeGreaterThan(1_000);
        assertThat(first.get(0)).isEqualTo("     0.000 s  node-1-1 boots");
        assertThat(lines().subList(0, report)).isEqualTo(first.subList(0, report));
    }

    @Test
    void aSeedThatFailsIsToldWithItsTraceAndHowToSeeItAgain() {
        assertThat(run(PlantedFlaw.LIST_NOT_WRITTEN, "--seeds", "1", "--seed", "1"))
                .isEqualTo(1);

        assertThat(lines().get(0)).isEqualTo("seed 1 failed:");
        assertThat(lines().get(1)).startsWith("  I12 lala/room-").contains(": the list shows version ");
        assertThat(lines()).contains("again: simulate --seed 1 --seeds 1 --trace");
        assertThat(lines()).anySatisfy(line -> assertThat(line).matches(" +[0-9.]+ s {2}.*"));
        assertThat(lines()).hasSizeLessThan(100);
        assertThat(out.toString()).contains(": 1 seeds failed");
    }

    @ParameterizedTest
    @CsvSource({
        "--seeds=0, simulate: --seeds: at least 1 (--help shows the options)",
        "--threads=-1, simulate: --threads: at least 0 (--help shows the options)",
        "--seed=x, 'simulate: Invalid value for option ''--seed'': ''x'' is not a long (--help shows the options)'"
    })
    void aBadOptionIsOneLine(String option, String told) {
        assertThat(run(Flaw.NONE, option)).isEqualTo(2);

        assertThat(err.toString().strip()).isEqualTo(told);
        assertThat(out.toString()).isEmpty();
    }
}
