package dev.roomcell.adapter.rtc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CallbackSignatureTest {
    /** The vendor's own example, tabs and all. */
    private static final String BODY = """
            {
            \t"EventGroupId":\t2,
            \t"EventType":\t204,
            \t"CallbackTs":\t1664209748188,
            \t"EventInfo":\t{
            \t\t"RoomId":\t8489,
            \t\t"EventTs":\t1664209748,
            \t\t"EventMsTs":\t1664209748180,
            \t\t"UserId":\t"user_85034614",
            \t\t"Reason":\t0
            \t}
            }""";

    private static final String SIGN = "kkoFeO3Oh2ZHnjtg8tEAQhtXK16/KI05W3BQff8IvGA=";

    private final CallbackSignature signature = new CallbackSignature("123654");

    private boolean isRight(String sign, String body) {
        return signature.isOf(sign, body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void itIsTheVendors() {
        assertThat(signature.of(BODY.getBytes(StandardCharsets.UTF_8))).isEqualTo(SIGN);
        assertThat(isRight(SIGN, BODY)).isTrue();
    }

    /** B49: the same JSON written anew is another body. */
    @Test
    void itIsOfTheBytesAndNotOfTheirMeaning() {
        assertThat(isRight(SIGN, BODY.replaceAll("[\\n\\t]", ""))).isFalse();
        assertThat(isRight(SIGN, BODY + "\n")).isFalse();
        assertThat(isRight(SIGN, BODY.replace("204", "203"))).isFalse();
    }

    @Test
    void anotherKeysAndWhatIsNoneAreWrong() {
        assertThat(isRight(new CallbackSignature("123655").of(BODY.getBytes(StandardCharsets.UTF_8)), BODY))
                .isFalse();
        assertThat(isRight("", BODY)).isFalse();
        assertThat(isRight(SIGN.substring(0, SIGN.length() - 1), BODY)).isFalse();
        assertThat(isRight(SIGN + " ", BODY)).isFalse();
        assertThat(isRight("\u00e9", BODY)).isFalse();
    }
}
