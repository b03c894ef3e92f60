package dev.roomcell.cell;

import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.testkit.PortScript;
import dev.roomcell.testkit.PortScript.Treatment;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Two nodes, two rooms and a few users who send, repeat and read what they like, while every port may be slow, fail
 * before or after its effect, or take effect long after it failed; nodes stop, crash and come back, clocks are put
 * wrong, and Redis may forget. All from one seed.
 */
final class RandomLife {
    private static final int STEPS = 150;
    /** Whatever was on its way is over by then, ms. */
    private static final long SETTLED_MS = 180_000;

    private static final long LINES_WRITTEN_MS = 2_000;

    private static final List<RoomKey> ROOMS = List.of(CellWorld.ROOM, CellWorld.OTHER_ROOM);
    private static final List<String> USERS = List.of(Wishes.OWNER, "ben", "cid", "dan");
    private static final int IDS = 60;

    private static final int CALM = 0;
    private static final int[] STORMS = {CALM, 2, 2, 8, 30};

    final CellWorld world = new CellWorld();
    final List<CellNode> nodes = new ArrayList<>();
    final List<Sent> sent = new ArrayList<>();
    final List<Read> reads = new ArrayList<>();
    final boolean redisForgets;

    private final Random random;
    private final Map<String, RoomCommand> wishes = new HashMap<>();
    private int boots;
    /** Of a hundred calls so many go wrong. */
    private int storm;

    /** A command and what became of it. */
    record Sent(RoomKey key, String commandId, RoomCommand command, Future<Answer> answer) {
        /** Whether the caller knows of this version; a join that changed nothing tells of none. */
        private boolean wasTold(RoomKey room, LogRow row) {
            return key.equals(room)
                    && commandId.equals(row.commandId())
                    && answer.isComplete()
                    && answer.result() instanceof Answer.Done done
                    && Arrays.equals(done.result(), row.result());
        }
    }

    /**
     * A room as a reader saw it.
     *
     * @param atLeast the newest version that anybody had been told of when the reader asked
     */
    record Read(RoomKey key, RoomState room, long atLeast) {}

    RandomLife(long seed) {
        this.random = new Random(seed);
        this.redisForgets = random.nextBoolean();
        boot();
        boot();
    }

    static List<RoomKey> rooms() {
        return ROOMS;
    }

    /** Lives, and then lets everything come to rest in good weather. */
    void live() {
        for (RoomKey room : ROOMS) {
            send(any(nodes), room, "create", Wishes.create());
        }
        for (int i = 0; i < STEPS; i++) {
            if (random.nextInt(10) == 0) {
                storm = STORMS[random.nextInt(STORMS.length)];
            }
            step();
            world.advance(pause());
        }
        nodes.forEach(node -> {
            node.script.recover();
            node.loop.thaw();
        });
        world.advance(SETTLED_MS);
        // Whoever died between a commit and its line in the room list left that to the next owner.
        nodes.forEach(node -> ROOMS.forEach(node::read));
        world.advance(LINES_WRITTEN_MS);
    }

    private void boot() {
        boots++;
        CellSettings settings = Limits.usual()
                .passivateAfterMs(4_000)
                .mailboxCommands(24)
                .snapshots(1 << 20, 1_000, 4)
                .settings();
        CellNode node = world.node("node-" + boots, settings);
        node.announce("10.0.0." + boots + ":7000");
        node.script.always(call -> weather(node, call));
        nodes.add(node);
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    private long pause() {
        int dice = random.nextInt(100);
        if (dice < 80) {
            return random.nextInt(40);
        }
        return dice < 97 ? random.nextInt(2_000) : random.nextInt(9_000);
    }

    private void step() {
        int dice = random.nextInt(100);
        RoomKey room = any(ROOMS);
        CellNode node = random.nextInt(4) == 0 ? any(nodes) : ownerOf(room);
        if (dice < 62) {
            String commandId = "id-" + random.nextInt(IDS);
            RoomCommand wish = wishes.computeIfAbsent(room + commandId, none -> wish());
            send(node, room, commandId, random.nextInt(30) == 0 ? wish() : wish);
        } else if (dice < 65) {
            send(node, room, "create", Wishes.create());
        } else if (dice < 80) {
            read(node, room);
        } else if (dice < 88) {
            heartbeat(node, room);
        } else if (dice < 90) {
            node.loop.freeze();
        } else if (dice < 95) {
            nodes.forEach(each -> each.loop.thaw());
        } else if (dice < 97) {
            node.clock.wrongBy(random.nextInt(10_000) - 5_000);
        } else if (dice < 98) {
            crash(node);
        } else if (redisForgets) {
            world.redis.flush();
        }
    }

    /** Where the hint of a refusal would lead a client. */
    private CellNode ownerOf(RoomKey room) {
        return world.route(room)
                .flatMap(lease -> nodes.stream()
                        .filter(node -> node.nodeId.equals(lease.nodeId()))
                        .findFirst())
                .orElseGet(() -> any(nodes));
    }

    private RoomCommand wish() {
        int dice = random.nextInt(100);
        if (dice == 0) {
            return Wishes.close();
        }
        return dice < 60 ? Wishes.join(any(USERS)) : Wishes.leave(any(USERS));
    }

    private void send(CellNode node, RoomKey room, String commandId, RoomCommand wish) {
        long deadlineMs = random.nextInt(4) == 0 ? random.nextInt(300) : CellNode.DEADLINE_MS;
        sent.add(new Sent(room, commandId, wish, node.send(room, commandId, wish, deadlineMs)));
    }

    private void read(CellNode node, RoomKey room) {
        long atLeast = newestTold(room);
        keep(room, node.shard.read(room), atLeast);
    }

    private void heartbeat(CellNode node, RoomKey room) {
        long atLeast = newestTold(room);
        keep(room, node.shard.heartbeat(room, any(USERS)), atLeast);
    }

    private void keep(RoomKey room, Future<ReadAnswer> read, long atLeast) {
        read.onSuccess(answer -> {
            if (answer instanceof ReadAnswer.Found found) {
                reads.add(new Read(room, found.state(), atLeast));
            }
        });
    }

    private long newestTold(RoomKey room) {
        return world.log(room).stream()
                .map(LogFields::row)
                .filter(row -> sent.stream().anyMatch(each -> each.wasTold(room, row)))
                .mapToLong(LogRow::version)
                .max()
                .orElse(0);
    }

    /** The process is gone for ever, and another boots in its place. */
    private void crash(CellNode node) {
        node.loop.freeze();
        nodes.remove(node);
        boot();
    }

    private Treatment weather(CellNode node, Call call) {
        if (storm == CALM) {
            return node.script.delayed(random.nextInt(3), PortScript.passed(), random.nextInt(3));
        }
        boolean wrong = random.nextInt(100) < storm;
        Treatment treatment = !wrong ? PortScript.passed() : random.nextBoolean() ? lost(call) : failed(node, call);
        int slowness = random.nextInt(100) < 95 ? 20 : 1_500;
        return node.script.delayed(random.nextInt(slowness), treatment, random.nextInt(slowness));
    }

    private static Treatment lost(Call call) {
        return call == Call.COMMIT ? PortScript.happensAndAnswers(PortScript.UNKNOWN) : PortScript.answerLost();
    }

    private Treatment failed(CellNode node, Call call) {
        if (call == Call.COMMIT && random.nextBoolean()) {
            Cause cause = random.nextBoolean() ? Cause.TRANSIENT : Cause.UNAVAILABLE;
            return PortScript.answered(new GroupOutcome.RolledBack(cause, "undone"));
        }
        Treatment failure = call == Call.COMMIT ? PortScript.answered(PortScript.UNKNOWN) : PortScript.failed();
        return random.nextInt(3) == 0 ? node.script.lateAfter(failure, random.nextInt(3_000)) : failure;
    }
}
