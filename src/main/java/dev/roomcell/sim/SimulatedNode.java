package dev.roomcell.sim;

import dev.roomcell.cell.Adoption;
import dev.roomcell.cell.CellPorts;
import dev.roomcell.cell.CellSettings;
import dev.roomcell.cell.CellShard;
import dev.roomcell.cell.ClusterView;
import dev.roomcell.cell.CommandRouter;
import dev.roomcell.cell.DisplayPorts;
import dev.roomcell.cell.GiftPorts;
import dev.roomcell.cell.GiftReconciler;
import dev.roomcell.cell.NodeAnnouncer;
import dev.roomcell.cell.NodeDrain;
import dev.roomcell.cell.OutboxSettings;
import dev.roomcell.cell.OutboxWorker;
import dev.roomcell.cell.PurgeSettings;
import dev.roomcell.cell.PurgeWorker;
import dev.roomcell.cell.SideTaskPorts;
import dev.roomcell.cell.TimeoutWorker;
import dev.roomcell.domain.RocketPlan;
import dev.roomcell.port.CellMeter;
import dev.roomcell.port.GiftMeter;
import dev.roomcell.port.LaneMeter;
import dev.roomcell.port.LiveRoomStore;
import dev.roomcell.port.Members;
import dev.roomcell.port.Peer;
import dev.roomcell.port.PurgeMeter;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.StoreException;
import dev.roomcell.port.TimerStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One process: the real core on {@value #LOOPS} loops, and a loop for what a node does once, over links that may break.
 * It boots when it is made.
 */
final class SimulatedNode {
    private static final int LOOPS = 2;
    private static final int ROCKETS_FORGOTTEN_PERCENT = 30;

    final String nodeId;
    final String address;
    final Link toMysql = new Link();
    final Link toRedis = new Link();
    final Link toStreams = new Link();
    final Link toWallet = new Link();
    final Link toPeers = new Link();
    final Clock clock = new Clock();
    private final Surroundings around;
    private final Flaw flaw;
    private final CellSettings settings;
    private final OutboxSettings outbox;
    private final PurgeSettings purge;
    private final RoomCodec codec;
    private final ClusterView cluster;
    private final List<SteppedLoop> loops = new ArrayList<>();
    private final List<CellShard> shards = new ArrayList<>();
    private final Function<Peer, Optional<SimulatedNode>> peers;
    private Optional<CommandRouter> router = Optional.empty();
    private Optional<SimulatedEntry> entry = Optional.empty();
    private Optional<NodeDrain> drain = Optional.empty();
    private final Promise<Void> draining = Promise.promise();
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
            Function<Peer, Optional<SimulatedNode>> peers,
            CellSettings settings,
            OutboxSettings outbox,
            PurgeSettings purge,
            RoomCodec codec) {
        this.around = around;
        this.flaw = flaw;
        this.nodeId = nodeId;
        this.address = address;
        this.settings = settings;
        this.outbox = outbox;
        this.purge = purge;
        this.codec = codec;
        this.peers = peers;
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
        GiftReconciler reconciler = new GiftReconciler(
                loop,
                ports.gifts(),
                settings.gifts(),
                (reward, timeoutMs) -> around.gifts.told(reward, codec),
                clock,
                GiftMeter.none());
        PurgeWorker purger = purger(loop);
        NodeAnnouncer announcer = new NodeAnnouncer(loop, ports.nodes(), cluster, address, settings.leaseTtlMs());
        leaving.future()
                .onSuccess(left -> loop.execute(() -> {
                    worker.stop();
                    reconciler
                            .stop()
                            .eventually(delivery::stop)
                            .eventually(purger::stop)
                            .eventually(announcer::withdraw)
                            .onComplete(withdrawn -> gone.complete());
                }));
        announcer.announce().onComplete(announced -> {
            Adoption adoption = adopt(loop, booted);
            NodeDrain leave = new NodeDrain(
                    booted,
                    clock,
                    isDraining -> Future.future(told -> loop.execute(() -> {
                        worker.pause(isDraining);
                        adoption.pause(isDraining);
                        announcer.announceDraining(isDraining).onComplete(told);
                    })));
            reconciler.start();
            purger.start();
            router = Optional.of(booted);
            entry = Optional.of(new SimulatedEntry(around, loop, nodeId, booted, clock, toPeers, peers));
            drain = Optional.of(leave);
        });
    }

    private Adoption adopt(SteppedLoop loop, CommandRouter booted) {
        LiveRoomStore liveRooms = flaw.in((LiveRoomStore) new WiredDatabase(around.database, wire(loop)));
        Adoption adoption =
                new Adoption(loop, liveRooms, clock, booted, cluster, nodeId, settings.leaseTtlMs(), result -> {});
        draining.future().onSuccess(begun -> loop.execute(adoption::stop));
        return adoption;
    }

    private TimerStore timers(SteppedLoop loop) {
        return flaw.in((TimerStore) new WiredDatabase(around.database, wire(loop)));
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

    private PurgeWorker purger(SteppedLoop loop) {
        return new PurgeWorker(
                nodeId,
                loop,
                flaw.in(new WiredPurge(around.database.purge(), wire(loop))),
                codec,
                cluster,
                around.dice::below,
                purge,
                PurgeMeter.none());
    }

    private LoopWire wire(SteppedLoop loop) {
        return new LoopWire(
                around,
                nodeId + "/" + loops.indexOf(loop),
                loop,
                new Links(toMysql, toRedis, toStreams, toWallet),
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
                gifts(wire),
                DisplayPorts.none(),
                new SideTaskPorts(database, Optional.of(wire.rtc())),
                database,
                database,
                key -> wire.prepare(key.toString()),
                (message, timeoutMs) -> wire.tell(message),
                LaneMeter.none(),
                CellMeter.none(),
                codec,
                clock,
                () -> nodeId + "-" + ++tokensGiven);
        return flaw.in(ports, around);
    }

    private GiftPorts gifts(LoopWire wire) {
        return new GiftPorts(
                new WiredGifts(around.database.gifts(), wire),
                around.catalog,
                this::rockets,
                new WiredWallet(around, wire),
                (draw, timeoutMs) ->
                        wire.pass(Call.DRAW, draw.key(), timeoutMs, () -> around.lottery.draw(draw, timeoutMs)));
    }

    /** Mostly it knows them from before; if not, it asks MySQL. */
    private Future<RocketPlan> rockets(String appCode) {
        boolean outOfReach = toMysql.isCut() || around.mysqlServer.isDown();
        return outOfReach && around.dice.percent(ROCKETS_FORGOTTEN_PERCENT)
                ? Future.failedFuture(new StoreException("the rockets of " + appCode + " are not known"))
                : around.rockets.plan(appCode);
    }

    /** The node's own rooms; empty while the node boots, and once it has crashed. */
    Optional<CommandRouter> router() {
        return crashed ? Optional.empty() : router;
    }

    /** Where commands and questions go; empty while the node boots, and once it has crashed. */
    Optional<SimulatedEntry> entry() {
        return crashed ? Optional.empty() : entry;
    }

    /** Runs what another node has sent, if this one lives. */
    void servePeer(Consumer<CommandRouter> call) {
        router().ifPresent(rooms -> loops.get(LOOPS).execute(() -> call.accept(rooms)));
    }

    /** It lets its rooms go and takes none, or takes them again, as an operator may want. */
    void drain(boolean on) {
        drain.filter(there -> !crashed)
                .ifPresent(there -> loops.get(LOOPS).execute(() -> {
                    // Neither fails, and nobody waits for them here.
                    if (on) {
                        there.begin();
                    } else {
                        there.undo();
                    }
                }));
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
        draining.tryComplete();
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
