package dev.roomcell.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is handed on to clients as JSON. */
final class JsonTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " {\"a\": [1, -2.5e3, true, null, {\"b\": \"é\\u0041\\n\"}]}\n",
                "{\"big\": 123456789012345678901234567890}",
                "{\"a\": 1, \"a\": 2}"
            })
    void objects(String text) {
        assertThat(JsonText.isObject(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "1",
                "null",
                "\"{}\"",
                "{",
                "{}}",
                "{} {}",
                "{},\"type\":\"ROOM_CLOSED\"",
                "{\"a\":1,}",
                "{\"a\":NaN}",
                "{\"a\":01}",
                "{a:1}",
                "{'a':1}",
                "{/* no */}",
                "{} // no",
                "{\"a\":\"\n\"}",
                "{\"a\":\"\\x\"}",
                "\ufeff{}"
            })
    void everythingElse(String text) {
        assertThat(JsonText.isObject(text)).isFalse();
    }

    @Test
    void onlySoDeep() {
        int arrays = JsonText.DEPTH - 1;
        assertThat(JsonText.isObject("{\"a\":" + "[".repeat(arrays) + "]".repeat(arrays) + "}"))
                .isTrue();
        assertThat(JsonText.isObject("{\"a\":" + "[".repeat(arrays + 1) + "]".repeat(arrays + 1) + "}"))
                .isFalse();
    }
}
