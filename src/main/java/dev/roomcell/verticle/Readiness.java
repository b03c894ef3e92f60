package dev.roomcell.verticle;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Whether a node can serve, and if not, which part of it is to blame.
 *
 * @param parts in the order in which they are shown; all must be well
 * @param degraded what the node serves without, but not as well
 */
public record Readiness(List<Part> parts, List<Part> degraded) {
    /** A part that has not answered after so long is not well, ms: whoever asks for health does not wait much longer. */
    private static final long CHECK_MS = 2_000;

    /**
     * Something that a node can't serve without.
     *
     * @param name its name, for operators
     * @param trouble what is wrong with it, in words; empty if nothing is
     */
    public record Part(String name, Optional<String> trouble) {
        /** What {@code check} comes to, in bounded time; the future never fails. */
        static Future<Part> checked(String name, Future<?> check) {
            return check.timeout(CHECK_MS, TimeUnit.MILLISECONDS)
                    .map(well -> new Part(name, Optional.empty()))
                    .otherwise(failure -> new Part(name, Optional.of(words(failure))));
        }

        private static String words(Throwable failure) {
            if (failure instanceof TimeoutException) {
                return "no answer within " + CHECK_MS + " ms";
            }
            return Optional.ofNullable(failure.getMessage())
                    .filter(message -> !message.isBlank())
                    .orElseGet(failure::toString);
        }
    }

    /** {@code first}, and then {@code others}; of {@code besides} those that are not well are shown. */
    public static Readiness of(Part first, List<Part> others, List<Part> besides) {
        List<Part> all = new ArrayList<>();
        all.add(first);
        all.addAll(others);
        return new Readiness(
                List.copyOf(all),
                besides.stream().filter(part -> part.trouble().isPresent()).toList());
    }

    /** Whether the node can serve. */
    public boolean isReady() {
        return parts.stream().allMatch(part -> part.trouble().isEmpty());
    }

    /**
     * {@code {"status":"DOWN","parts":{"node":"ok","mysql":"no answer within 2000 ms"}}}, or UP; with {@code
     * "degraded":{"im":"…"}} behind it if something is.
     */
    JsonObject toJson() {
        JsonObject json =
                new JsonObject().put("status", isReady() ? "UP" : "DOWN").put("parts", words(parts));
        return degraded.isEmpty() ? json : json.put("degraded", words(degraded));
    }

    private static JsonObject words(List<Part> of) {
        JsonObject words = new JsonObject();
        of.forEach(part -> words.put(part.name(), part.trouble().orElse("ok")));
        return words;
    }
}
