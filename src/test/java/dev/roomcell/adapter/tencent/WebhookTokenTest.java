package dev.roomcell.adapter.tencent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The vendor's way to sign its callbacks. */
final class WebhookTokenTest {
    private static final String SIGN = "17773bc39a671d7b9aa835458704d2a6db81360a5940292b587d6d760d484061";
    private static final String TIME = "1669872112";
    private static final long AT_MS = 1_669_872_112_000L;

    private final WebhookToken token = new WebhookToken("xxxxyyyy", 300_000);

    @Test
    void theVendorsExampleIsRight() {
        assertThat(token.sign(TIME)).isEqualTo(SIGN);
        assertThat(token.admits(SIGN, TIME, AT_MS)).isTrue();
    }

    @Test
    void aTimeMayBeSoFarFromOurs() {
        assertThat(token.admits(SIGN, TIME, AT_MS + 300_000)).isTrue();
        assertThat(token.admits(SIGN, TIME, AT_MS - 300_000)).isTrue();
        assertThat(token.admits(SIGN, TIME, AT_MS + 300_001)).isFalse();
        assertThat(token.admits(SIGN, TIME, AT_MS - 300_001)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "17773bc39a671d7b9aa835458704d2a6db81360a5940292b587d6d760d484060",
                "17773BC39A671D7B9AA835458704D2A6DB81360A5940292B587D6D760D484061",
                "17773bc39a671d7b9aa835458704d2a6"
            })
    void anotherSignIsRefused(String sign) {
        assertThat(token.admits(sign, TIME, AT_MS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "now", "-1669872112", "1669872112.0", " 1669872112", "9999999999999", "1669872113"})
    void anotherTimeIsRefused(String time) {
        assertThat(token.admits(SIGN, time, AT_MS)).isFalse();
        assertThat(token.admits(token.sign(time), time, 0))
                .as("signed, but at no time near ours")
                .isFalse();
    }

    @Test
    void theTokenIsNotPrinted() {
        assertThat(token.toString()).doesNotContain("xxxxyyyy");
    }
}
