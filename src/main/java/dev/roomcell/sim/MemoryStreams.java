package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.FactPublisher;
import dev.roomcell.port.OutboxStore.Claimed;
import dev.roomcell.port.OutboxStore.FactId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The streams of facts in memory, one an app, shared by the nodes that are given them. Not thread-safe. */
public final class MemoryStreams implements FactPublisher {
    private final List<Entry> entries = new ArrayList<>();
    private final Set<String> broken = new HashSet<>();
    private final Map<FactId, Integer> refusals = new HashMap<>();
    private Predicate<FactId> refused = fact -> false;

    /** Streams with nothing in them. */
    public MemoryStreams() {}

    /**
     * A fact that has arrived; it may be there twice.
     *
     * @param id which one
     * @param type the event's type
     * @param envelope as it came
     */
    public record Entry(FactId id, String type, byte[] envelope) {}

    /** What has arrived at an app's stream, in order. */
    public List<Entry> entries(String appCode) {
        return entries.stream()
                .filter(entry -> entry.id.key().appCode().equals(appCode))
                .toList();
    }

    /** What has arrived of a room, in order. */
    List<Entry> entries(RoomKey key) {
        return entries.stream().filter(entry -> entry.id.key().equals(key)).toList();
    }

    /** From now on an app's stream takes nothing. */
    public void breakApp(String appCode) {
        broken.add(appCode);
    }

    /** From now on these facts are refused as well; asked anew each time. */
    void refuse(Predicate<FactId> which) {
        refused = which;
    }

    /** How often a fact was refused. */
    int refusals(FactId id) {
        return refusals.getOrDefault(id, 0);
    }

    @Override
    public Future<List<Delivery>> publish(List<Claimed> facts) {
        Set<RoomKey> blocked = new HashSet<>();
        List<Delivery> deliveries = new ArrayList<>();
        for (Claimed fact : facts) {
            RoomKey room = fact.id().key();
            if (blocked.contains(room)) {
                deliveries.add(new Delivery(Outcome.HELD, ""));
            } else if (broken.contains(room.appCode()) || refused.test(fact.id())) {
                blocked.add(room);
                refusals.merge(fact.id(), 1, Integer::sum);
                deliveries.add(new Delivery(Outcome.REFUSED, "WRONGTYPE not a stream"));
            } else {
                entries.add(new Entry(fact.id(), fact.type(), fact.envelope().clone()));
                deliveries.add(Delivery.DELIVERED);
            }
        }
        return Future.succeededFuture(deliveries);
    }
}
