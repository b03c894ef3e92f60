package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.FactPublisher.Delivery;
import dev.roomcell.port.OutboxStore.Claimed;
import dev.roomcell.port.OutboxStore.End;
import dev.roomcell.port.OutboxStore.Finish;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;

/** Says what becomes of the facts of a batch, after what became of them at the queue. */
final class BatchFate {
    private final int maxTries;
    private final IntToLongFunction pauseMs;

    /**
     * The policy.
     *
     * @param maxTries so often a fact is refused before it is parked
     * @param pauseMs the pause after so many refusals
     */
    BatchFate(int maxTries, IntToLongFunction pauseMs) {
        this.maxTries = maxTries;
        this.pauseMs = pauseMs;
    }

    /** One finish a fact, in order. What is held waits as long as the one of its room that holds it. */
    List<Finish> of(List<Claimed> facts, List<Delivery> deliveries) {
        Map<RoomKey, Long> waitsMs = new HashMap<>();
        List<Finish> finishes = new ArrayList<>(facts.size());
        for (int i = 0; i < facts.size(); i++) {
            Claimed fact = facts.get(i);
            Delivery delivery = deliveries.get(i);
            RoomKey room = fact.id().key();
            finishes.add(
                    switch (delivery.outcome()) {
                        case DELIVERED -> new Finish(fact.id(), End.DELIVERED, 0, "");
                        case REFUSED -> refused(fact, delivery.error(), waitsMs);
                        case HELD -> new Finish(fact.id(), End.PUT_BACK, waitsMs.getOrDefault(room, 0L), "");
                        case OUTAGE -> new Finish(fact.id(), End.PUT_BACK, 0, delivery.error());
                    });
        }
        return finishes;
    }

    private Finish refused(Claimed fact, String error, Map<RoomKey, Long> waitsMs) {
        int attempts = fact.attempts() + 1;
        if (attempts >= maxTries) {
            return new Finish(fact.id(), End.PARKED, 0, error);
        }
        long delayMs = pauseMs.applyAsLong(attempts);
        waitsMs.put(fact.id().key(), delayMs);
        return new Finish(fact.id(), End.RETRY, delayMs, error);
    }
}
