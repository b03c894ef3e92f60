package dev.roomcell.sim;

import dev.roomcell.port.CommandStore;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.LiveRoomStore;
import dev.roomcell.port.NodeDirectory;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.PurgeStore;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.SnapshotStore;
import dev.roomcell.port.TimerStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;

/** The ports of simulated nodes, for callers outside of simulated time: each call lets time go on until it is answered. */
public final class WiredPorts {
    private static final long LEASE_TTL_MS = 6_000;
    /** What is not answered by then never is, ms. */
    private static final long LONGEST_CALL_MS = 60_000;

    private final Surroundings around = new Surroundings(1, false, Flaw.NONE);

    /** The servers in fair weather, and nothing in them. */
    public WiredPorts() {}

    /** What the database holds. */
    public MemoryDatabase database() {
        return around.database;
    }

    /** What Redis holds. */
    public MemoryRedis redis() {
        return around.redis;
    }

    /** Database time, epoch ms. */
    public long nowMs() {
        return around.databaseNowMs();
    }

    /** Lets time pass. */
    public void advance(long ms) {
        around.time.advance(ms);
    }

    /**
     * One node's ports.
     *
     * @param commands to MySQL
     * @param snapshots to MySQL
     * @param roomList to MySQL
     * @param timers to MySQL
     * @param liveRooms to MySQL
     * @param outbox to MySQL
     * @param gifts to MySQL
     * @param purge to MySQL
     * @param leases to Redis
     * @param nodes to Redis
     */
    public record Node(
            CommandStore commands,
            SnapshotStore snapshots,
            RoomListStore roomList,
            TimerStore timers,
            LiveRoomStore liveRooms,
            OutboxStore outbox,
            GiftStore gifts,
            PurgeStore purge,
            LeaseDirectory leases,
            NodeDirectory nodes) {}

    /** A node of its own. */
    public Node node(String nodeId, long ttlMs) {
        SteppedLoop loop = around.time.newLoop();
        LoopWire wire = new LoopWire(around, nodeId, loop, Links.clear(), call -> {}, LEASE_TTL_MS);
        WiredDatabase database = new WiredDatabase(around.database, wire);
        WiredLeases leases = new WiredLeases(new MemoryLeases(around.redis, nodeId, ttlMs), wire);
        return new Node(
                stepped(CommandStore.class, database, loop),
                stepped(SnapshotStore.class, database, loop),
                stepped(RoomListStore.class, database, loop),
                stepped(TimerStore.class, database, loop),
                stepped(LiveRoomStore.class, database, loop),
                stepped(OutboxStore.class, new WiredOutbox(around.database.delivery(), wire), loop),
                stepped(GiftStore.class, new WiredGifts(around.database.gifts(), wire), loop),
                stepped(PurgeStore.class, new WiredPurge(around.database.purge(), wire), loop),
                stepped(LeaseDirectory.class, leases, loop),
                stepped(NodeDirectory.class, leases, loop));
    }

    private <P> P stepped(Class<P> port, P right, SteppedLoop loop) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, args) -> {
            Promise<Object> answer = Promise.promise();
            loop.execute(() -> {
                try {
                    ((Future<?>) method.invoke(right, args))
                            .<Object>map(value -> value)
                            .onComplete(answer);
                } catch (ReflectiveOperationException e) {
                    throw new LinkageError(method + " can't be called", e);
                }
            });
            for (long ms = 0; !answer.future().isComplete(); ms++) {
                if (ms == LONGEST_CALL_MS) {
                    throw new AssertionError(method + " is not answered");
                }
                around.time.advance(1);
            }
            return answer.future();
        }));
    }
}
