package dev.roomcell.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The deadline of a call: its own, cut to the longest, or the default. */
final class CallLimitsTest {
    @ParameterizedTest
    @CsvSource({"0, 5000", "-1, 5000", "1, 1", "4999, 4999", "15000, 15000", "15001, 15000", "99999999999, 15000"})
    void deadlines(long requestedMs, long grantedMs) {
        assertThat(new CallLimits(1024, 5_000, 15_000).timeoutMs(requestedMs)).isEqualTo(grantedMs);
    }
}
