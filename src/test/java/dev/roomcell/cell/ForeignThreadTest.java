package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.cell.CellWorld.THIRD_ROOM;
import static dev.roomcell.cell.CellWorld.assertSameRoom;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.port.AdoptionMeter.Result;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.sim.MemoryRtc;
import dev.roomcell.testkit.ForeignThread;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Whichever thread a port answers on, a room changes on its own loop only. Every call of a port, and every answer to a
 * caller, is checked to come from the loop by the node itself.
 */
class ForeignThreadTest {
    private final CellWorld world = CellWorld.with(new MemoryRtc());
    private final CellNode node =
            world.node("a", Limits.usual().snapshots(1 << 20, 5_000, 4).settings());

    @Test
    void aRoomLivesItsWholeLifeOnItsLoopThoughEveryPortAnswersElsewhere() {
        node.script.answerOnForeignThreads();
        node.groups.answer(message -> {
            Promise<Void> answer = Promise.promise();
            ForeignThread.run(world.time, answer::complete);
            return answer.future();
        });
        TimeoutWorker timers = timeoutWorker();
        Adoption adoption = adoption();
        Set<Call> called = EnumSet.noneOf(Call.class);

        node.createWith(ROOM, "ben", "cid");
        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        Answers.assertReplayed(node.ask(ROOM, "leave-ben", Wishes.leave("ben")), world.loggedResult(ROOM, "leave-ben"));
        world.advance(Limits.TTL_MS);
        world.redis.flush();
        world.advance(Limits.TTL_MS);
        Answers.assertDone(node.ask(ROOM, "join-dan", Wishes.join("dan")));
        node.script.next(Call.COMMIT, PortScript.happensAndAnswers(PortScript.UNKNOWN));
        Answers.assertDone(node.ask(ROOM, "join-eva", Wishes.join("eva")));
        node.script.next(Call.COMMIT, PortScript.answered(GroupScene.TRANSIENT));
        Future<Answer> deadlocked = node.send(ROOM, "join-fay", Wishes.join("fay"));
        world.advance(100);
        Answers.assertDone(deadlocked);
        HeldRow locked = world.database.holdRow(ROOM);
        Future<Answer> busy = node.send(ROOM, "join-gus", Wishes.join("gus"));
        world.run();
        locked.close();
        world.advance(100);
        Answers.assertDone(busy);
        assertSameRoom(node.room(ROOM), world.replayed(ROOM));

        Answers.assertRefused(world.node("b").ask(ROOM, "join-hal", Wishes.join("hal")), Refusal.NOT_OWNER);
        CellNode other = world.node("c");
        other.create(OTHER_ROOM);
        Answers.assertRefused(node.ask(OTHER_ROOM, "join-hal", Wishes.join("hal")), Refusal.NOT_OWNER);
        other.script.holdNext(Call.PREPARE);
        Answers.assertWaiting(other.send(new RoomKey("lala", "room-4"), "create", Wishes.create()));
        world.advance(CellSettings.DEDUPE_MS + 1_000);
        // Silent for so long, they are all gone; the ids are remembered by the log alone.
        Answers.assertDone(node.ask(ROOM, "join-dan-again", Wishes.join("dan")));
        Answers.assertDone(node.ask(ROOM, "leave-dan", Wishes.leave("dan")));
        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), world.loggedResult(ROOM, "join-ben"));
        HeldCall asked = node.script.holdNext(Call.FIND_COMMANDS);
        Future<Answer> absent = node.send(ROOM, "leave-ida", Wishes.leave("ida"));
        world.run();
        asked.letGo();
        world.run();
        Answers.assertRejected(absent, Reason.NOT_PRESENT);
        Answers.assertDone(node.ask(
                ROOM, "~rtc:1", new RtcReports.ReportRtc("nobody", RtcReports.Fact.AUDIO_STARTED, world.nowMs())));
        world.advance(3_000);
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        Answers.assertReplayed(node.ask(ROOM, "close", Wishes.close()), world.loggedResult(ROOM, "close"));
        assertThat(node.room(ROOM).onlineCount()).isZero();

        node.createWith(THIRD_ROOM, "ben");
        world.advance(2_000);
        Answers.assertDone(node.ask(THIRD_ROOM, "join-cid", Wishes.join("cid")));
        assertThat(node.outcome(queries().events(ROOM, 0, 500)).orElseThrow().truncated())
                .isFalse();
        assertThat(node.outcome(queries().hottest("lala", Optional.empty(), Optional.empty(), 9)))
                .hasSize(2);
        node.outcome(node.shard.drain());
        timers.stop();
        adoption.stop();
        assertThat(node.groups.sent).isEqualTo(node.groups.got().size()).isGreaterThan(10);

        called.addAll(node.script.calls());
        Set<Call> tried = EnumSet.allOf(Call.class);
        // Gifts and their money: GiftAttemptTest.
        tried.removeAll(EnumSet.range(Call.BEGIN_GIFTS, Call.DRAW));
        tried.removeAll(EnumSet.of(
                Call.ANNOUNCE,
                Call.WITHDRAW,
                Call.LEASE_PARTITIONS,
                Call.RELEASE_PARTITIONS,
                Call.CLAIM_FACTS,
                Call.FINISH_FACTS,
                Call.PURGE_FACTS,
                Call.BACKLOG,
                Call.PUBLISH));
        assertThat(called)
                .as("every port was called, and answered elsewhere")
                .containsExactlyInAnyOrderElementsOf(tried);
    }

    @Test
    void portsThatFailElsewhereChangeNothingOffTheLoopEither() {
        node.createWith(ROOM, "ben");
        node.script.answerOnForeignThreads();
        TimeoutWorker timers = timeoutWorker();
        for (Call call : Call.values()) {
            if (call != Call.COMMIT) {
                node.script.next(call, PortScript.failed());
            }
        }
        for (int i = 0; i < 40; i++) {
            node.ask(ROOM, "leave-ben", Wishes.leave("ben"));
            node.ask(OTHER_ROOM, "create", Wishes.create());
            world.advance(500);
        }

        assertSameRoom(node.room(ROOM), world.replayed(ROOM));
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben", "leave-ben");
        assertThat(world.loggedIds(OTHER_ROOM)).containsExactly("create");
        timers.stop();
    }

    private RoomQueries queries() {
        return new RoomQueries(node.loop, node.database, node.database, CellWorld.CODEC);
    }

    private Adoption adoption() {
        return node.adopt(new EnumMap<>(Result.class));
    }

    private TimeoutWorker timeoutWorker() {
        return node.watchTimers(0);
    }

    @Test
    void whoeverTouchesARoomFromAForeignThreadIsStopped() {
        RoomCell cell = cell(node);
        RoomState before = CellWorld.blank(ROOM).state();
        PendingCommand command = new PendingCommand(node.request(ROOM, "create", Wishes.create(), 1_000), node.counts);

        assertThatIllegalStateException().isThrownBy(() -> cell.submit(command));
        assertThatIllegalStateException().isThrownBy(() -> cell.seen("ben"));
        assertThatIllegalStateException().isThrownBy(cell::read);
        assertThatIllegalStateException().isThrownBy(cell::leave);

        world.run();
        assertThat(command.isAnswered()).isFalse();
        assertThat(cell.status()).isEqualTo(before.status());
        assertThat(node.script.calls()).isEmpty();
    }

    private static RoomCell cell(CellNode node) {
        CellPorts ports = node.ports();
        CellSettings settings = Limits.usual().settings();
        return new RoomCell(
                node.loop,
                ports,
                settings,
                new GroupCommit(node.loop, ports, settings),
                new LeaseKeeper(node.loop, ports, settings),
                new CellRecovery(node.loop, ports, settings),
                new RoomCell.Host() {
                    @Override
                    public void gone(RoomCell cell, List<PendingCommand> unbegun) {
                        throw new AssertionError("the cell left");
                    }

                    @Override
                    public void committed(RoomState before, RoomState after, List<LogRow> rows, boolean lineWritten) {
                        throw new AssertionError("the room changed");
                    }
                },
                new LeaseHold(ROOM, settings.leaseTtlMs(), 2, "token", 0),
                CellWorld.blank(ROOM));
    }
}
