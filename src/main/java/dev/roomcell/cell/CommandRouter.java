package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.TimerStore.RoomTimer;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;

/** Brings every call to the loop that its room lives on; within a node a room always lives on the same one. */
public final class CommandRouter {
    private final List<CellShard> shards;

    /** A router over the node's shards, at least one. */
    public CommandRouter(List<CellShard> shards) {
        if (shards.isEmpty()) {
            throw new IllegalArgumentException("a node has at least one shard");
        }
        this.shards = List.copyOf(shards);
    }

    private CellShard shardOf(RoomKey key) {
        return shards.get(Math.floorMod(key.hashCode(), shards.size()));
    }

    /** See {@link CellShard#submit}. */
    public Future<Answer> submit(CommandRequest request) {
        return shardOf(request.key()).submit(request);
    }

    /** See {@link CellShard#read}. */
    public Future<ReadAnswer> read(RoomKey key) {
        return shardOf(key).read(key);
    }

    /** See {@link CellShard#readOpen}. */
    public Future<ReadAnswer> readOpen(RoomKey key) {
        return shardOf(key).readOpen(key);
    }

    /** See {@link CellShard#heartbeat}. */
    public Future<ReadAnswer> heartbeat(RoomKey key, String userId, MicSign sign) {
        return shardOf(key).heartbeat(key, userId, sign);
    }

    /** See {@link CellShard#display}. */
    public Future<ReadAnswer> display(DisplayRequest request) {
        return shardOf(request.key()).display(request);
    }

    /** See {@link CellShard#timerKinds}. */
    Set<TimerStore.Kind> timerKinds() {
        return shards.get(0).timerKinds();
    }

    /** See {@link CellShard#timer}. */
    public Future<TimerOutcome> timer(RoomTimer timer) {
        return shardOf(timer.key()).timer(timer);
    }

    /** See {@link CellShard#release}. */
    public Future<Boolean> release(RoomKey key) {
        return shardOf(key).release(key);
    }

    /** Drains all shards; completes when every room was let go, or the drain was called off. */
    public Future<Void> drain() {
        return Future.join(shards.stream().map(CellShard::drain).toList()).mapEmpty();
    }

    /** Has all shards take rooms again. */
    public Future<Void> undrain() {
        return Future.join(shards.stream().map(CellShard::undrain).toList()).mapEmpty();
    }

    /** Drains all shards for good; completes when they are at their end. */
    public Future<Void> shutDown() {
        return Future.join(shards.stream().map(CellShard::shutDown).toList()).mapEmpty();
    }

    /** The rooms that are loaded on this node or being loaded. */
    public Future<List<RoomKey>> rooms() {
        List<Future<List<RoomKey>>> rooms =
                shards.stream().map(CellShard::rooms).toList();
        return Future.all(rooms)
                .map(all -> rooms.stream()
                        .flatMap(ofShard -> ofShard.result().stream())
                        .sorted()
                        .toList());
    }

    /** Those of the rooms that are neither loaded on this node nor being loaded. */
    public Future<List<RoomKey>> missing(List<RoomKey> keys) {
        List<Future<List<RoomKey>>> missing = shards.stream()
                .map(shard -> shard.missing(
                        keys.stream().filter(key -> shardOf(key) == shard).toList()))
                .toList();
        return Future.all(missing)
                .map(all -> missing.stream()
                        .flatMap(ofShard -> ofShard.result().stream())
                        .toList());
    }

    /** Rooms loaded on this node. */
    public Future<Integer> loadedRooms() {
        List<Future<Integer>> sizes = shards.stream().map(CellShard::size).toList();
        return Future.all(sizes)
                .map(all -> sizes.stream().mapToInt(Future::result).sum());
    }
}
