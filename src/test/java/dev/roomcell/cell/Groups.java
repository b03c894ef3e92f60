package dev.roomcell.cell;

import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LaneMeter;
import dev.roomcell.port.RoomMessenger;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The rooms' IM groups: what each got, in order, and what the lane counted. The test says how a group answers. */
final class Groups implements RoomMessenger, LaneMeter {
    private final List<Message> got = new ArrayList<>();
    private final List<Promise<Void>> held = new ArrayList<>();
    private Function<Message, Future<Void>> answer = message -> Future.succeededFuture();
    private boolean connected = true;
    int sent;
    int failed;
    final Map<Drop, Integer> dropped = new EnumMap<>(Drop.class);
    private final Map<Drop, Map<Priority, Integer>> droppedBy = new EnumMap<>(Drop.class);
    private Limits limits = Limits.NONE;

    @Override
    public Future<Void> send(Message message, long timeoutMs) {
        got.add(message);
        return answer.apply(message);
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public Limits limits() {
        return limits;
    }

    /** The provider has limits, for lanes that are made from now on. */
    void limit(Limits to) {
        limits = to;
    }

    void disconnect() {
        connected = false;
    }

    void answer(Function<Message, Future<Void>> with) {
        answer = with;
    }

    /** From now on nothing is answered before the test says so. */
    void hold() {
        answer = message -> {
            Promise<Void> promise = Promise.promise();
            held.add(promise);
            return promise.future();
        };
    }

    /** Messages on their way that nobody has answered. */
    int unanswered() {
        return Math.toIntExact(
                held.stream().filter(promise -> !promise.future().isComplete()).count());
    }

    /** Answers all that is held, and from now on at once. */
    void letGo() {
        answer = message -> Future.succeededFuture();
        List.copyOf(held).forEach(Promise::tryComplete);
    }

    /** What a room's group got, as {@code version:index type}. */
    List<String> seen(RoomKey key) {
        return got.stream()
                .filter(message -> message.key().equals(key))
                .map(message -> message.version() + ":" + message.fact().index() + " "
                        + message.fact().type())
                .toList();
    }

    List<Message> got() {
        return List.copyOf(got);
    }

    int dropped(Drop reason) {
        return dropped.getOrDefault(reason, 0);
    }

    int droppedOf(Drop reason, Priority priority) {
        return droppedBy.getOrDefault(reason, Map.of()).getOrDefault(priority, 0);
    }

    @Override
    public void sent() {
        sent++;
    }

    @Override
    public void failed() {
        failed++;
    }

    @Override
    public void dropped(Drop reason, Priority priority) {
        dropped.merge(reason, 1, Integer::sum);
        droppedBy
                .computeIfAbsent(reason, first -> new EnumMap<>(Priority.class))
                .merge(priority, 1, Integer::sum);
    }
}
