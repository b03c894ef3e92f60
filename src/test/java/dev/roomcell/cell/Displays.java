package dev.roomcell.cell;

import dev.roomcell.port.DisplayMeter.Fate;
import dev.roomcell.port.RobotDisplays;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What robots have shown, in order, and what became of it. The test says how a room's group answers. */
final class Displays implements RobotDisplays {
    private final List<Display> got = new ArrayList<>();
    private final List<Promise<Void>> held = new ArrayList<>();
    private final Map<Fate, Integer> fates = new EnumMap<>(Fate.class);
    private Function<Display, Future<Void>> answer = display -> Future.succeededFuture();
    private boolean connected = true;

    DisplayPorts ports() {
        return new DisplayPorts(this, fate -> fates.merge(fate, 1, Integer::sum));
    }

    @Override
    public Future<Void> show(Display display, long timeoutMs) {
        got.add(display);
        return answer.apply(display);
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    void disconnect() {
        connected = false;
    }

    void answer(Function<Display, Future<Void>> with) {
        answer = with;
    }

    /** From now on nothing is answered before the test says so. */
    void hold() {
        answer = display -> {
            Promise<Void> promise = Promise.promise();
            held.add(promise);
            return promise.future();
        };
    }

    /** Answers all that is held, and from now on at once. */
    void letGo() {
        answer = display -> Future.succeededFuture();
        List.copyOf(held).forEach(Promise::tryComplete);
    }

    List<Display> got() {
        return List.copyOf(got);
    }

    /** The types of what was shown, in order. */
    List<String> types() {
        return got.stream().map(Display::type).toList();
    }

    int count(Fate fate) {
        return fates.getOrDefault(fate, 0);
    }

    /** Every fate that any display has had. */
    Map<Fate, Integer> fates() {
        return Map.copyOf(fates);
    }
}
