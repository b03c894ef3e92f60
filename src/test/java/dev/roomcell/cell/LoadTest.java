package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.cell.CellWorld.assertSameRoom;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.StoredEvents;
import dev.roomcell.port.CommandStore.StoredRoom;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A room comes into memory: once, however many ask, and as the log tells it. */
class LoadTest {
    private static final int CALLERS = 500;

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    /** A room with ben in it, which no node has loaded. */
    private void coldRoom(RoomKey key) {
        CellNode earlier = world.node("earlier");
        earlier.createWith(key, "ben");
        earlier.outcome(earlier.shard.drain());
    }

    @Test
    void aColdRoomAskedByManyCallersIsLoadedOnce() {
        coldRoom(ROOM);
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            answers.add(node.send(ROOM, "join-" + i, Wishes.join("user-" + i)));
        }
        List<Future<ReadAnswer>> reads = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            reads.add(node.shard.read(ROOM));
        }

        world.run();

        answers.forEach(Answers::assertDone);
        assertThat(reads).allSatisfy(read -> assertThat(read.result()).isInstanceOf(ReadAnswer.Found.class));
        for (Call once : List.of(Call.FIND, Call.ACQUIRE, Call.MINT, Call.RECORD_EPOCH, Call.LOAD)) {
            assertThat(node.script.count(once)).as("%s", once).isEqualTo(1);
        }
        assertThat(world.log(ROOM)).hasSize(2 + CALLERS);
    }

    @Test
    void aLoadThatFailsIsToldToEverybodyAndTriedAgainByTheNext() {
        coldRoom(ROOM);
        node.script.next(Call.LOAD, PortScript.failed());
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            answers.add(node.send(ROOM, "join-" + i, Wishes.join("user-" + i)));
        }
        world.run();
        answers.forEach(answer -> Answers.assertRefused(answer, Refusal.STORE_UNAVAILABLE));
        assertThat(world.route(ROOM)).as("the lease of a failed load").isEmpty();

        Answers.assertDone(node.ask(ROOM, "join-1", Wishes.join("user-1")));
    }

    @Test
    void anyCallOfALoadMayFailAndTheRoomIsLoadedByTheNext() {
        coldRoom(ROOM);
        for (Call call : List.of(Call.FIND, Call.ACQUIRE, Call.MINT, Call.RECORD_EPOCH, Call.LOAD)) {
            for (PortScript.Treatment failure : List.of(PortScript.failed(), PortScript.answerLost())) {
                node.script.next(call, failure);
                Answers.assertRefused(node.ask(ROOM, "leave-ann", Wishes.leave("ann")), Refusal.STORE_UNAVAILABLE);
            }
        }

        assertThat(node.present(ROOM)).containsExactly("ben");
    }

    /** LOG-4. */
    @Test
    void aSnapshotAndTheLogAfterItMakeTheSameRoomAsTheWholeLog() {
        coldRoom(ROOM);
        assertThat(world.database.snapshots(ROOM)).hasSize(1);
        CellNode b = world.node("b");
        Answers.assertDone(b.ask(ROOM, "join-cid", Wishes.join("cid")));
        Answers.assertDone(b.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        b.loop.freeze();
        world.advance(Limits.TTL_MS);

        assertSameRoom(node.room(ROOM), world.replayed(ROOM));
        assertThat(node.present(ROOM)).containsExactly("cid");
    }

    /** LOG-4: the newest that is intact; the log has the rest. */
    @Test
    void aDamagedSnapshotCostsNothingButTime() {
        coldRoom(ROOM);
        world.database.damageSnapshot(ROOM, 2);

        assertSameRoom(node.room(ROOM), world.replayed(ROOM));
    }

    /** LOG-1: the log alone would make another room of the same version. */
    @Test
    @Tag("LOG-1")
    void aRoomWhoseLogWasPurgedAndWhoseSnapshotsAreDamagedIsRefusedAndNotMadeUp() {
        coldRoom(ROOM);
        HeldCall load = node.script.holdNext(Call.LOAD);
        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        StoredRoom stored = world.database.load(ROOM, 0, 10).result();
        long version = stored.row().version();
        LogRow last = world.log(ROOM).get(world.log(ROOM).size() - 1).row();
        List<StoredEvents> rest = List.of(new StoredEvents(version, last.atMs(), last.events(), last.storedBytes()));
        load.answerWith(new StoredRoom(stored.row(), Optional.empty(), rest, List.of()));
        world.run();

        Answers.assertRefused(join, Refusal.LOADING);
    }

    @Test
    void aRoomThatThisNodeCannotReadIsRefusedAndItsLeaseGivenUp() {
        coldRoom(ROOM);
        HeldCall load = node.script.holdNext(Call.LOAD);
        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        StoredRoom stored = world.database.load(ROOM, 0, 10).result();
        List<StoredEvents> newer = List.of(new StoredEvents(1, world.nowMs(), new byte[] {1, 2, 3}, 3));
        load.answerWith(new StoredRoom(stored.row(), Optional.empty(), newer, List.of()));
        world.run();

        Answers.assertRefused(join, Refusal.LOADING);

        assertThat(world.route(ROOM)).isEmpty();
        assertThat(node.loadedRooms()).isZero();
    }

    @Test
    void aRoomWhoseRowAndLogContradictEachOtherIsRefused() {
        coldRoom(ROOM);
        HeldCall load = node.script.holdNext(Call.LOAD);
        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        StoredRoom stored = world.database.load(ROOM, 0, 10).result();
        load.answerWith(new StoredRoom(stored.row(), Optional.empty(), List.of(), List.of()));
        world.run();

        Answers.assertRefused(join, Refusal.LOADING);
        assertThat(world.route(ROOM)).isEmpty();
    }

    @Test
    void aNodeThatHasAsManyRoomsAsItTakesRefusesAnother() {
        CellNode small = world.node("small", Limits.usual().loadedRooms(1).settings());
        small.create(ROOM);
        Answers.assertRefused(small.ask(OTHER_ROOM, "create", Wishes.create()), Refusal.OVERLOADED);
        assertThat(world.database.rooms()).containsExactly(ROOM);

        Answers.assertDone(small.ask(ROOM, "close", Wishes.close()));

        small.create(OTHER_ROOM);
    }

    @Test
    void aRoomThatIsBeingLoadedTakesItsPlaceAlready() {
        coldRoom(ROOM);
        CellNode small = world.node("small", Limits.usual().loadedRooms(1).settings());
        HeldCall load = small.script.holdNext(Call.LOAD);
        Future<Answer> join = small.send(ROOM, "join-cid", Wishes.join("cid"));
        world.run();
        assertThat(small.loadedRooms()).isEqualTo(1);
        Answers.assertRefused(small.ask(OTHER_ROOM, "create", Wishes.create()), Refusal.OVERLOADED);

        load.letGo();
        world.run();

        Answers.assertDone(join);
        assertThat(small.loadedRooms()).isEqualTo(1);
    }

    @Test
    void aFullMailboxRefusesTheNewcomerAndServesTheOthers() {
        CellNode small = world.node("small", Limits.usual().mailboxCommands(3).settings());
        small.create(ROOM);
        HeldCall busy = small.occupy(ROOM);
        List<Future<Answer>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(small.send(ROOM, "join-" + i, Wishes.join("user-" + i)));
        }
        Future<Answer> tooMany = small.send(ROOM, "join-3", Wishes.join("user-3"));
        world.run();
        Answers.assertRefused(tooMany, Refusal.OVERLOADED);

        busy.letGo();
        world.run();

        waiting.forEach(Answers::assertDone);
        assertThat(world.loggedIds(ROOM)).doesNotContain("join-3");
    }

    @Test
    void tooManyWhoWaitForALoadAreRefused() {
        coldRoom(ROOM);
        CellNode small = world.node("small", Limits.usual().mailboxCommands(3).settings());
        HeldCall load = small.script.holdNext(Call.LOAD);
        List<Future<Answer>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(small.send(ROOM, "join-" + i, Wishes.join("user-" + i)));
        }
        Future<Answer> tooMany = small.send(ROOM, "join-3", Wishes.join("user-3"));
        world.run();
        Answers.assertRefused(tooMany, Refusal.OVERLOADED);

        load.letGo();
        world.run();

        waiting.forEach(Answers::assertDone);
    }

    @Test
    void aBatchTakesNoMoreCommandsThanTheLimit() {
        CellNode small = world.node("small", Limits.usual().batchCommands(2).settings());
        small.create(ROOM);
        HeldCall busy = small.occupy(ROOM);
        for (int i = 0; i < 5; i++) {
            Answers.assertWaiting(small.send(ROOM, "join-" + i, Wishes.join("user-" + i)));
        }
        busy.letGo();
        world.run();

        assertThat(small.script.commits().stream()
                        .map(commit -> commit.batches().get(0).rows().size()))
                .containsExactly(1, 2, 2, 1);
    }

    @Test
    void aRoomWhoseRowIsGoneWhenItsEpochIsMintedIsRefused() {
        coldRoom(ROOM);
        node.script.next(Call.MINT, PortScript.answered(OptionalLong.empty()));

        Answers.assertRefused(node.ask(ROOM, "join-cid", Wishes.join("cid")), Refusal.FENCED);

        assertThat(node.script.count(Call.LOAD)).isZero();
    }

    /** LEASE-17: whoever waited for the same load, and comes after the fault, is not answered by what is left. */
    @Test
    void aCellThatAFaultEndsAtOnceIsNotReadAnyMore() {
        coldRoom(ROOM);
        HeldCall load = node.script.holdNext(Call.LOAD);
        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"));
        Future<ReadAnswer> read = node.shard.read(ROOM);
        world.run();
        node.clock.breakOnce();

        load.letGo();
        world.run();

        Answers.assertRefused(join, Refusal.OUTCOME_UNKNOWN);
        Answers.assertRefused(read.result(), Refusal.LEASE_LOST);
    }
}
