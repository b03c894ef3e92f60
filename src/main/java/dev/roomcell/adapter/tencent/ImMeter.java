package dev.roomcell.adapter.tencent;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/**
 * Counts {@code room_im_answers_total} by command and Tencent's error code: {@code 0} is success, {@code none} no answer,
 * {@code other} a code that is not in the table, {@code dropped} a success that delivered nothing. For all event loops.
 */
public final class ImMeter {
    private static final String SUCCESS = Integer.toString(ErrorRule.NO_ERROR);
    private static final String NO_ANSWER = "none";

    private final MeterRegistry registry;

    /** Counters in {@code registry}: successes and calls without an answer at 0, errors from the first of each. */
    public ImMeter(MeterRegistry registry) {
        this.registry = registry;
        for (ImCommand command : ImCommand.values()) {
            counter(command, SUCCESS);
            counter(command, NO_ANSWER);
        }
    }

    void answered(ImCommand command, int code) {
        boolean known = code == ErrorRule.NO_ERROR
                || ErrorRule.TABLE.stream().anyMatch(rule -> rule.firstCode() == code || rule.lastCode() == code);
        count(command, known ? Integer.toString(code) : "other");
    }

    void lost(ImCommand command) {
        count(command, NO_ANSWER);
    }

    void dropped(ImCommand command) {
        count(command, "dropped");
    }

    private void count(ImCommand command, String code) {
        counter(command, code).increment();
    }

    private Counter counter(ImCommand command, String code) {
        return Counter.builder("room.im.answers")
                .description("answers of Tencent IM, each attempt by itself")
                .tag("command", command.name().toLowerCase(Locale.ROOT))
                .tag("code", code)
                .register(registry);
    }
}
