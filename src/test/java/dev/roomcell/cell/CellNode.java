package dev.roomcell.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.AdoptionMeter;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RtcControl;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryLeases;
import dev.roomcell.sim.SteppedLoop;
import dev.roomcell.sim.WiredDatabase;
import dev.roomcell.sim.WiredGifts;
import dev.roomcell.sim.WiredLeases;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node of one loop, with a script on each of its ports and a clock that the test can put wrong. */
final class CellNode {
    /** How long a caller waits, ms. */
    static final long DEADLINE_MS = 5_000;

    final String nodeId;
    final SteppedLoop loop;
    final PortScript script;
    final WiredDatabase database;
    final WiredLeases leases;
    final CellShard shard;
    final ClusterView cluster;
    final Clock clock = new Clock();
    final Groups groups = new Groups();
    final Displays displays = new Displays();
    final CellCounts counts = new CellCounts();
    private final CellWorld world;
    private int tokensGiven;

    /** The node's clocks: the database's time, put wrong by what the test says, and the monotonic one. */
    final class Clock implements RoomClock {
        private long wrongByMs;
        private boolean brokenOnce;
        private boolean monotonicBrokenOnce;

        @Override
        public long nowMs() {
            if (brokenOnce) {
                brokenOnce = false;
                throw new IllegalStateException("the clock is broken");
            }
            return world.nowMs() + wrongByMs;
        }

        @Override
        public long monotonicMs() {
            if (monotonicBrokenOnce) {
                monotonicBrokenOnce = false;
                throw new IllegalStateException("the clock is broken");
            }
            return world.time.nowMs();
        }

        /** Whoever asks next for database time gets a fault instead. */
        void breakOnce() {
            brokenOnce = true;
        }

        /** The same for whoever asks next for monotonic time. */
        void breakMonotonicOnce() {
            monotonicBrokenOnce = true;
        }

        /** From now on the clock is ahead of the database by so many ms, or behind. */
        void wrongBy(long ms) {
            wrongByMs = ms;
        }
    }

    CellNode(CellWorld world, String nodeId, CellSettings settings) {
        this.world = world;
        this.nodeId = nodeId;
        this.loop = world.time.newLoop();
        this.script = new PortScript(world.time, loop);
        this.database = new WiredDatabase(world.database, script);
        this.leases = new WiredLeases(new MemoryLeases(world.redis, nodeId, settings.leaseTtlMs()), script);
        this.cluster = new ClusterView(nodeId, () -> world.members);
        this.shard = new CellShard(loop, ports(), settings);
    }

    /** The ports of the node, for tests of one part of the core. */
    CellPorts ports() {
        return new CellPorts(
                nodeId,
                cluster,
                leases,
                leases,
                database,
                gifts(),
                displays.ports(),
                new SideTaskPorts(database, world.rtc.map(this::rtc), world.im),
                database,
                database,
                key -> script.pass(Call.PREPARE, key.toString(), Future::succeededFuture),
                groups,
                groups,
                counts,
                new WatchedCodec(CellWorld.CODEC, world.time, loop),
                clock,
                this::newToken);
    }

    private RtcControl rtc(RtcControl rtc) {
        return new RtcControl() {
            @Override
            public Future<Void> removeUser(RoomKey key, String userId) {
                return script.pass(Call.RTC, userId, () -> rtc.removeUser(key, userId));
            }

            @Override
            public Future<Void> dismissRoom(RoomKey key) {
                return script.pass(Call.RTC, key.toString(), () -> rtc.dismissRoom(key));
            }
        };
    }

    private GiftPorts gifts() {
        return new GiftPorts(
                new WiredGifts(world.gifts.store(), script),
                world.gifts.catalog(),
                world.gifts.rockets(),
                world.gifts.wallet(),
                world.gifts.lottery());
    }

    private String newToken() {
        return nodeId + "-token-" + ++tokensGiven;
    }

    /** A worker that heeds the timers of this node's rooms, and others' when they are late by so many ms. */
    TimeoutWorker watchTimers(long lateAfterMs) {
        return new TimeoutWorker(loop, database, clock, new CommandRouter(List.of(shard)), nodeId, lateAfterMs);
    }

    /** A worker that loads live rooms without an owner; counts what its tries come to. */
    Adoption adopt(Map<AdoptionMeter.Result, Integer> tries) {
        return new Adoption(
                loop,
                database,
                clock,
                new CommandRouter(List.of(shard)),
                cluster,
                nodeId,
                Limits.TTL_MS,
                result -> tries.merge(result, 1, Integer::sum));
    }

    /** What ends that which a crash left half done (ROOM-5). */
    Future<Answer> heal(RoomKey key) {
        return send(key, "~heal", new Lifecycle.HealRoom(), Limits.TTL_MS);
    }

    /** Sends a command, without letting time or the loop go on. */
    Future<Answer> send(RoomKey key, String commandId, RoomCommand command) {
        return send(key, commandId, command, DEADLINE_MS);
    }

    Future<Answer> send(RoomKey key, String commandId, RoomCommand command, long deadlineInMs) {
        return onLoop(shard.submit(request(key, commandId, command, deadlineInMs)));
    }

    /** The same, and reported if it does not come true on the loop. */
    private <T> Future<T> onLoop(Future<T> promised) {
        return promised.onComplete(answered -> {
            if (!loop.isCurrent()) {
                world.time.report(new AssertionError("answered by " + Thread.currentThread() + ", off the loop"));
            }
        });
    }

    CommandRequest request(RoomKey key, String commandId, RoomCommand command, long deadlineInMs) {
        return new CommandRequest(
                key,
                commandId,
                command,
                CellWorld.CODEC.encodeCommand(key, command),
                clock.monotonicMs() + deadlineInMs);
    }

    /** Sends a command, runs what is due, and returns the answer that must be there then. */
    Answer ask(RoomKey key, String commandId, RoomCommand command) {
        return outcome(send(key, commandId, command));
    }

    /** Runs what is due, and returns what the call must have come to by then. */
    <T> T outcome(Future<T> call) {
        world.run();
        if (!call.isComplete()) {
            throw new AssertionError("not answered");
        }
        return call.result();
    }

    /**
     * Keeps a loaded room busy with a command that comes to nothing, so that what is sent from now on waits, and goes as
     * one batch once the test lets the answer go.
     */
    HeldCall occupy(RoomKey key) {
        HeldCall verification = script.holdNext(Call.VERIFY);
        Future<Answer> filler = send(key, "filler", Wishes.leave("nobody"));
        world.run();
        assertThat(verification.arrived()).isTrue();
        assertThat(filler.isComplete()).isFalse();
        script.forget();
        return verification;
    }

    /** Makes {@code key} with an owner "ann", as version 1. */
    void create(RoomKey key) {
        Answers.assertDone(ask(key, "create", Wishes.create()));
    }

    /** Creates {@code key} and lets {@code userIds} join, ids "join-USER". */
    void createWith(RoomKey key, String... userIds) {
        create(key);
        for (String userId : userIds) {
            Answers.assertDone(ask(key, "join-" + userId, Wishes.join(userId)));
        }
    }

    ReadAnswer read(RoomKey key) {
        return outcome(onLoop(shard.read(key)));
    }

    /** The room, which must be readable here. */
    RoomState room(RoomKey key) {
        ReadAnswer answer = read(key);
        if (answer instanceof ReadAnswer.Found found) {
            return found.state();
        }
        throw new AssertionError("not readable: " + answer);
    }

    /** The users of a room, which must be readable here. */
    List<String> present(RoomKey key) {
        List<String> users = new ArrayList<>(room(key).members().keySet().toJavaList());
        users.sort(null);
        return users;
    }

    /** Says that the node lives, as whoever keeps its membership does. */
    void announce(String advertiseAddr) {
        loop.execute(() ->
                assertThat(leases.announce(advertiseAddr, false).succeeded()).isTrue());
        world.run();
    }

    int loadedRooms() {
        return outcome(shard.size());
    }
}
