package dev.roomcell.cell;

import dev.roomcell.port.GiftMeter;
import java.util.EnumMap;
import java.util.Map;

/** What the meter of gifts was told. */
final class GiftCounts implements GiftMeter {
    private final Map<NoticeFate, Integer> notices = new EnumMap<>(NoticeFate.class);
    long open;

    @Override
    public void open(long gifts) {
        open = gifts;
    }

    @Override
    public void noticeEnded(NoticeFate fate) {
        notices.merge(fate, 1, Integer::sum);
    }

    int of(NoticeFate fate) {
        return notices.getOrDefault(fate, 0);
    }
}
