package dev.roomcell.cell;

import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.TimerStore.RoomTimer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The rooms of one loop, callable from any thread. Everything it returns completes on that loop; what never fails does so
 * by a fault of ours only.
 */
public final class CellShard {
    private final CellLoop loop;
    private final CellRegistry registry;
    private final Set<TimerStore.Kind> timerKinds;
    private final GiftFlow gifts;
    private final DisplayPublisher displays;

    /**
     * A shard without a room yet.
     *
     * @param loop where its rooms live; must be the calling thread's
     * @param ports of this loop alone: one MySQL connection set an event loop
     * @param settings the limits
     */
    public CellShard(CellLoop loop, CellPorts ports, CellSettings settings) {
        this.loop = loop;
        this.registry = new CellRegistry(loop, ports, settings);
        this.timerKinds = ports.sideTasks().kinds();
        this.gifts = new GiftFlow(loop, ports, settings.gifts(), registry);
        this.displays = new DisplayPublisher(
                loop, ports.clock(), ports.displays(), DisplayPublisher.Limits.usual(settings.displaysOfARoom()));
    }

    /** Deals with a command; the future never fails, and is answered by the command's deadline. */
    public Future<Answer> submit(CommandRequest request) {
        return onLoop(() -> begun(request));
    }

    private Future<Answer> begun(CommandRequest request) {
        if (request.command().kind() == RoomCommand.Kind.SEND_GIFT) {
            return gifts.send(request);
        }
        return request.command().kind() == RoomCommand.Kind.REPORT_RTC
                ? registry.report(request)
                : registry.submit(request);
    }

    /** The room, for a reader; the future never fails. */
    public Future<ReadAnswer> read(RoomKey key) {
        return onLoop(() -> registry.read(key));
    }

    /** The same of a room that must not be closed (ROOM-3). */
    public Future<ReadAnswer> readOpen(RoomKey key) {
        return onLoop(() -> registry.readOpen(key));
    }

    /** A sign of life of a user; the room before it, for the answer. The future never fails. */
    public Future<ReadAnswer> heartbeat(RoomKey key, String userId, MicSign sign) {
        return onLoop(() -> registry.heartbeat(key, userId, sign));
    }

    /**
     * Takes what a robot shows, which then goes its own way (LANE-5); the room, for the answer. The future never fails, and
     * says nothing about whether anybody saw it.
     */
    public Future<ReadAnswer> display(DisplayRequest request) {
        return onLoop(() -> registry.readOpen(request.key()).map(room -> displays.publish(request, room)));
    }

    /** The timers that it can act on. */
    Set<TimerStore.Kind> timerKinds() {
        return timerKinds;
    }

    /** Acts on a timer that is due; the future never fails. */
    public Future<TimerOutcome> timer(RoomTimer timer) {
        return onLoop(() -> registry.timer(timer));
    }

    /** Lets a room go in order, its lease too; true if it was loaded here. The future never fails. */
    public Future<Boolean> release(RoomKey key) {
        return onLoop(() -> registry.release(key));
    }

    /** Lets every room go in order and takes no new one (LEASE-10). The future never fails. */
    public Future<Void> drain() {
        return onLoop(registry::drain);
    }

    /** Takes rooms again. The future never fails. */
    public Future<Void> undrain() {
        return onLoop(() -> {
            registry.undrain();
            return Future.succeededFuture();
        });
    }

    /** Drains for good: the shard is at its end. The future never fails. */
    public Future<Void> shutDown() {
        return onLoop(() -> registry.shutDown().onComplete(over -> displays.close()));
    }

    /** Rooms loaded or being loaded. */
    public Future<Integer> size() {
        return onLoop(() -> Future.succeededFuture(registry.size()));
    }

    /** The same rooms, in order. */
    Future<List<RoomKey>> rooms() {
        return onLoop(() -> Future.succeededFuture(registry.rooms()));
    }

    /** Those of the rooms that are neither loaded nor being loaded. */
    Future<List<RoomKey>> missing(List<RoomKey> keys) {
        return onLoop(() -> Future.succeededFuture(registry.missing(keys)));
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> call) {
        if (loop.isCurrent()) {
            return begin(call);
        }
        Promise<T> answer = Promise.promise();
        loop.execute(() -> begin(call).onComplete(answer));
        return answer.future();
    }

    /** A fault of ours must not leave whoever waits without an answer. */
    private static <T> Future<T> begin(Supplier<Future<T>> call) {
        return Future.<Void>succeededFuture().compose(begun -> call.get());
    }
}
