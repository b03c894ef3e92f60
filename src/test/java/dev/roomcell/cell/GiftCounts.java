package dev.roomcell.cell;

import dev.roomcell.port.GiftMeter;
import dev.roomcell.port.GiftStore.Unsettled;
import java.util.EnumMap;
import java.util.Map;

/** What the meter of gifts was told. */
final class GiftCounts implements GiftMeter {
    private final Map<NoticeFate, Integer> notices = new EnumMap<>(NoticeFate.class);
    Unsettled unsettled = new Unsettled(0, 0);

    @Override
    public void unsettled(Unsettled gifts) {
        unsettled = gifts;
    }

    @Override
    public void noticeEnded(NoticeFate fate) {
        notices.merge(fate, 1, Integer::sum);
    }

    int of(NoticeFate fate) {
        return notices.getOrDefault(fate, 0);
    }
}
