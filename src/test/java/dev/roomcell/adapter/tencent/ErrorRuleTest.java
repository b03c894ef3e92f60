package dev.roomcell.adapter.tencent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.tencent.ErrorRule.Remedy;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is done about each error code; the codes as the vendor's documents group them. */
final class ErrorRuleTest {
    @ParameterizedTest
    @CsvSource({
        "RETRY, 10002 10006 10023 20004 20005 60004 60005 60014 60007 60011 60018 60019 60008 60013 70169 70500 80003",
        "REFRESH, 70001",
        "IMPORT, 10019 20003 70107 90012",
        "OPEN_CIRCUIT, 60002 60003 60006 60009 60010 60012 60015 60016 60017 60020 60021 60025 60026 60028",
        "OPEN_CIRCUIT, 70003 70009 70013 70014 70016 70020 70050 70051 10059 80005",
        "DROP, 10003 10004 10007 10010 10011 10015 10016 10017 10021 10025 10026 10036 80001 80002",
        "DROP, 10100 10150 10200 90001 90005 90010",
        "DROP, 10099 10201 90000 90011 99999 -1 1",
    })
    void eachCodeHasItsRemedy(Remedy remedy, String codes) {
        for (String code : codes.split(" ", -1)) {
            assertThat(ErrorRule.of(Integer.parseInt(code)).remedy()).as(code).isEqualTo(remedy);
        }
    }

    @Test
    void noCodeHasTwoRows() {
        List<ErrorRule> sorted = ErrorRule.TABLE.stream()
                .sorted(Comparator.comparingInt(ErrorRule::firstCode))
                .toList();
        for (int i = 1; i < sorted.size(); i++) {
            assertThat(sorted.get(i).firstCode())
                    .isGreaterThan(sorted.get(i - 1).lastCode());
        }
    }

    @Test
    void whatWouldComeBackAtOnceIsWaitedFor() {
        assertThat(Stream.of(10023, 70050, 60010).map(code -> ErrorRule.of(code).pauseMs()))
                .containsExactly(1_000L, 60_000L, 30_000L);
    }
}
