package dev.roomcell.adapter.grpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Text of callers that is handed on as JSON: without what parsers take besides, as comments or NaN. */
final class JsonText {
    /** Objects and arrays in one another; whoever reads them by recursion must not be at risk. */
    static final int DEPTH = 32;

    private static final JsonFactory STRICT = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
            .build();

    private JsonText() {}

    /** Whether it is one object, and nothing but that. */
    static boolean isObject(String text) {
        try (JsonParser parser = STRICT.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            parser.skipChildren();
            return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
        } catch (JsonProcessingException noJson) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory was not read", e);
        }
    }
}
