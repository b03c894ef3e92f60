package dev.roomcell.sim;

import dev.roomcell.cell.CellPorts;
import dev.roomcell.cell.CellSettings;
import dev.roomcell.cell.CellShard;
import dev.roomcell.cell.ClusterView;
import dev.roomcell.cell.CommandRouter;
import dev.roomcell.cell.NodeAnnouncer;
import dev.roomcell.cell.OutboxSettings;
import dev.roomcell.cell.OutboxWorker;
import dev.roomcell.cell.TimeoutWorker;
import dev.roomcell.port.LaneMeter;
import dev.roomcell.port.Members;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.TimerStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One process: the real core on {@value #LOOPS} loops, and a loop for what a node does once, over links that may break.
 * It boots when it is made.
 */
final class SimulatedNode {
    private static final int LOOPS = 2;

    final String nodeId;
    final String address;
    final Link toMysql = new Link();
    final Link toRedis = new Link();
    final Link toStreams = new Link();
    final Clock clock = new Clock();
    private final Surroundings around;
    private final Flaw flaw;
    private final CellSettings settings;
    private final OutboxSettings outbox;
    private final RoomCodec codec;
    private final ClusterView cluster;
    private final List<SteppedLoop> loops = new ArrayList<>();
    private final List<CellShard> shards = new ArrayList<>();
    private Optional<CommandRouter> router = Optional.empty();
    private final Promise<Void> leaving = Promise.promise();
    private final Promise<Void> gone = Promise.promise();
    private boolean crashed;
    private boolean paused;
    private int tokensGiven;

    /** Database time as the node believes it to be, and time that only goes forward. */
    final class Clock implements RoomClock {
        private long wrongByMs;

        @Override
        public long nowMs() {
            return around.databaseNowMs() + wrongByMs;
        }

        @Override
        public long monotonicMs() {
            return around.time.nowMs();
        }

        /** From now on the node believes database time to be so many ms later than it is, or earlier. */
        void wrongBy(long ms) {
            wrongByMs = ms;
        }
    }

    SimulatedNode(
            Surroundings around,
            Flaw flaw,
            String nodeId,
            String address,
            Members members,
            CellSettings settings,
            OutboxSettings outbox,
            RoomCodec codec) {
        this.around = around;
        this.flaw = flaw;
        this.nodeId = nodeId;
        this.address = address;
        this.settings = settings;
        this.outbox = outbox;
        this.codec = codec;
        this.cluster = new ClusterView(nodeId, members);
        for (int i = 0; i < LOOPS; i++) {
            SteppedLoop loop = newLoop();
            loop.execute(() -> shards.add(new CellShard(loop, ports(loop), settings)));
        }
        SteppedLoop loop = newLoop();
        loop.execute(() -> whenBooted(loop));
    }

    private SteppedLoop newLoop() {
        SteppedLoop loop = around.time.newLoop();
        loops.add(loop);
        return loop;
    }

    private void whenBooted(SteppedLoop loop) {
        if (shards.size() < LOOPS) {
            loop.schedule(1, () -> whenBooted(loop));
            return;
        }
        CellPorts ports = ports(loop);
        CommandRouter booted = new CommandRouter(shards);
        TimeoutWorker worker = new TimeoutWorker(loop, timers(loop), clock, booted, nodeId, settings.leaseTtlMs());
        OutboxWorker delivery = delivery(loop);
        NodeAnnouncer announcer = new NodeAnnouncer(loop, ports.nodes(), cluster, address, settings.leaseTtlMs());
        leaving.future()
                .onSuccess(left -> loop.execute(() -> {
                    worker.stop();
                    delivery.stop().eventually(announcer::withdraw).onComplete(withdrawn -> gone.complete());
                }));
        announcer.announce().onComplete(announced -> router = Optional.of(booted));
    }

    private TimerStore timers(SteppedLoop loop) {
        return flaw.in(new WiredDatabase(around.database, wire(loop)));
    }

    private OutboxWorker delivery(SteppedLoop loop) {
        LoopWire wire = wire(loop);
        return new OutboxWorker(
                nodeId + ".w",
                loop,
                flaw.in(new WiredOutbox(around.database.delivery(), wire)),
                flaw.in(new WiredStreams(around, wire)),
                clock,
                () -> nodeId + "-claim-" + ++tokensGiven,
                around.dice::below,
                outbox);
    }

    private LoopWire wire(SteppedLoop loop) {
        return new LoopWire(
                around,
                nodeId + "/" + loops.indexOf(loop),
                loop,
                toMysql,
                toRedis,
                toStreams,
                call -> around.sent(this, call),
                settings.leaseTtlMs());
    }

    private CellPorts ports(SteppedLoop loop) {
        LoopWire wire = wire(loop);
        WiredDatabase database = new WiredDatabase(around.database, wire);
        WiredLeases leases = new WiredLeases(new MemoryLeases(around.redis, nodeId, settings.leaseTtlMs()), wire);
        CellPorts ports = new CellPorts(
                nodeId,
                cluster,
                leases,
                leases,
                database,
                database,
                database,
                key -> wire.prepare(key.toString()),
                (message, timeoutMs) -> wire.tell(message),
                LaneMeter.none(),
                codec,
                clock,
                () -> nodeId + "-" + ++tokensGiven);
        return flaw.in(ports, around);
    }

    /** Where commands and questions go; empty while the node boots, and once it has crashed. */
    Optional<CommandRouter> router() {
        return crashed ? Optional.empty() : router;
    }

    /** It stops, as a process does that is sent SIGSTOP; time goes on. */
    void pause() {
        paused = true;
        loops.forEach(SteppedLoop::freeze);
    }

    /** It goes on where it was, unless it has crashed. */
    void resume() {
        paused = false;
        if (!crashed) {
            loops.forEach(loop -> loop.thaw(around.dice::below));
        }
    }

    /** Whether it stands still, or is gone. */
    boolean isSilent() {
        return crashed || paused;
    }

    /** It is gone, with everything that only its memory held. */
    void crash() {
        crashed = true;
        loops.forEach(SteppedLoop::freeze);
    }

    boolean hasCrashed() {
        return crashed;
    }

    /** It lets its rooms go in order and takes no more commands; completes when it may be ended (LEASE-10). */
    Future<Void> drain() {
        Future<Void> drained = router.map(CommandRouter::shutDown).orElseGet(Future::succeededFuture);
        return drained.eventually(() -> {
            leaving.tryComplete();
            return gone.future();
        });
    }

    @Override
    public String toString() {
        return nodeId;
    }
}
