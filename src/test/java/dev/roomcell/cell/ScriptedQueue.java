package dev.roomcell.cell;

import dev.roomcell.port.FactPublisher;
import dev.roomcell.port.OutboxStore.Claimed;
import dev.roomcell.port.OutboxStore.FactId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A message queue that takes what the test lets it take. */
final class ScriptedQueue implements FactPublisher {
    final List<FactId> arrived = new ArrayList<>();
    /** How many facts each call brought. */
    final List<Integer> calls = new ArrayList<>();

    private final Map<FactId, Integer> refusals = new HashMap<>();
    private Optional<Promise<Void>> held = Optional.empty();
    private boolean out;
    private boolean deaf;

    /** A fact that is refused so many times, and then taken. */
    void refuse(FactId id, int times) {
        refusals.put(id, times);
    }

    /** From now on it takes nothing, or takes things again. */
    void out(boolean nowOut) {
        out = nowOut;
    }

    /** From now on it takes what comes, and its answers are lost; or not any more. */
    void deaf(boolean nowDeaf) {
        deaf = nowDeaf;
    }

    /** The next call takes effect, and is answered, when the test says so. */
    Promise<Void> holdNext() {
        Promise<Void> release = Promise.promise();
        held = Optional.of(release);
        return release;
    }

    @Override
    public Future<List<Delivery>> publish(List<Claimed> facts) {
        calls.add(facts.size());
        Future<Void> begin = held.map(Promise::future).orElseGet(Future::succeededFuture);
        held = Optional.empty();
        return begin.compose(begun -> take(facts));
    }

    private Future<List<Delivery>> take(List<Claimed> facts) {
        if (out) {
            return Future.failedFuture(new IllegalStateException("connection refused"));
        }
        Set<Object> blocked = new HashSet<>();
        List<Delivery> deliveries = new ArrayList<>();
        for (Claimed fact : facts) {
            int left = refusals.merge(fact.id(), -1, Integer::sum);
            if (blocked.contains(fact.id().key())) {
                refusals.merge(fact.id(), 1, Integer::sum);
                deliveries.add(new Delivery(Outcome.HELD, ""));
            } else if (left >= 0) {
                blocked.add(fact.id().key());
                deliveries.add(new Delivery(Outcome.REFUSED, "not this one"));
            } else {
                arrived.add(fact.id());
                deliveries.add(Delivery.DELIVERED);
            }
        }
        return deaf ? Future.failedFuture(new IllegalStateException("no answer")) : Future.succeededFuture(deliveries);
    }

    /** What has arrived of one room, in order, each fact once. */
    List<FactId> first(Object room) {
        return arrived.stream().filter(id -> id.key().equals(room)).distinct().toList();
    }
}
