package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Lifecycle.RoomCreated;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSeats.RoomMicChanged;
import dev.roomcell.domain.MicSession;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Presence.RoomUserJoined;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomState;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryDatabase.OutboxFields;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A room ends, or somebody in it leaves, with everything that hangs on it. */
class CloseRoomTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    /** A room with ben and cid on its seats 1 and 3, and a timer; nobody has it loaded. */
    private void seatedRoom() {
        assertThat(world.database.insertCreating(ROOM, world.nowMs() + 60_000).result())
                .isTrue();
        world.wroteEarlier(
                ROOM, "create", Wishes.create(), new byte[] {1}, List.of(new RoomCreated(Wishes.PROFILE, 4)));
        sits("ben", 1);
        sits("cid", 3);
        world.wroteEarlier(
                ROOM,
                "join-dan",
                Wishes.join("dan"),
                new byte[] {1},
                List.of(new RoomUserJoined("dan", Presence.MemberKind.USER, 3)));
    }

    private void sits(String userId, int seatNo) {
        int present = world.replayed(ROOM).onlineCount() + 1;
        world.wroteEarlier(
                ROOM,
                "join-" + userId,
                Wishes.join(userId),
                new byte[] {1},
                List.of(
                        new RoomUserJoined(userId, Presence.MemberKind.USER, present),
                        new RoomMicChanged(
                                seatNo,
                                0,
                                MicSeats.Status.IDLE,
                                MicSeats.Status.PUBLISHING,
                                new MicSession("session-" + userId, userId, 1, 1, 0, true, 0),
                                MicSeats.Cause.TAKEN)));
    }

    /** CMD-7, LEASE-12: other nodes may see the end in MySQL; after that nobody may see the room open here. */
    @Test
    void whileTheOutcomeOfTheEndIsUnknownTheRoomIsNotShownAsOpen() {
        CellNode owner = world.node("owner");
        owner.createWith(ROOM, "ben");
        owner.script.next(Call.COMMIT, PortScript.happensAndAnswers(PortScript.UNKNOWN));
        HeldCall mint = owner.script.holdNext(Call.MINT);
        Future<Answer> close = owner.send(ROOM, "close", Wishes.close());
        world.run();
        assertThat(mint.arrived()).isTrue();
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
        CellNode other = world.node("other");
        assertThat(other.room(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);

        Future<ReadAnswer> read = owner.shard.read(ROOM);
        world.run();
        assertThat(read.isComplete()).isFalse();
        mint.letGo();
        world.run();

        Answers.assertDone(close);
        assertThat(read.result() instanceof ReadAnswer.Found found
                        && found.state().status() != Lifecycle.Status.CLOSED)
                .isFalse();
        assertThat(owner.room(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
    }

    private List<RoomEvent.Type> lastEvents() {
        return CellWorld.CODEC
                .decodeEvents(
                        world.log(ROOM).get(world.log(ROOM).size() - 1).row().events())
                .stream()
                .map(RoomEvent::type)
                .toList();
    }

    private List<String> factsOfVersion(long version) {
        return world.database.outbox(ROOM).stream()
                .filter(row -> row.version() == version)
                .map(OutboxFields::fact)
                .map(fact -> fact.index() + " " + fact.type())
                .toList();
    }

    /** ROOM-4. */
    @Test
    void oneCommitEndsTheRoomWithItsSeatsItsUsersItsTimersAndItsLineInTheList() {
        seatedRoom();
        assertThat(world.database.timers(ROOM)).isNotEmpty();

        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));

        assertThat(node.script.count(Call.COMMIT)).isEqualTo(1);
        assertThat(node.script.count(Call.WRITE_LIST)).isZero();
        assertThat(lastEvents())
                .containsExactly(
                        RoomEvent.Type.ROOM_MIC_CHANGED, RoomEvent.Type.ROOM_MIC_CHANGED, RoomEvent.Type.ROOM_CLOSED);
        assertThat(factsOfVersion(5)).containsExactly("0 ROOM_MIC_CHANGED", "1 ROOM_MIC_CHANGED", "2 ROOM_CLOSED");
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
        assertThat(world.row(ROOM).live()).isFalse();
        assertThat(world.database.timers(ROOM)).isEmpty();
        assertThat(world.database.listEntry(ROOM).orElseThrow().status()).isEqualTo(Lifecycle.Status.CLOSED);
        RoomState closed = world.replayed(ROOM);
        assertThat(closed.onlineCount()).isZero();
        assertThat(closed.seats()).allMatch(seat -> !seat.status().occupied()).hasSize(4);
    }

    /** ROOM-4. */
    @Test
    void theAnswerSaysHowManyWerePresent() {
        seatedRoom();

        byte[] result = Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));

        assertThat(result).isEqualTo(CellWorld.CODEC.encodeResult(ROOM, new Lifecycle.Closed(5, 3, world.nowMs())));
    }

    /** ROOM-4. */
    @Test
    void aCloseWhoseCommitFailsClosesNothing() {
        node.createWith(ROOM, "ben");
        node.script.next(Call.VERIFY, PortScript.failed());

        Answers.assertRefused(node.ask(ROOM, "close", Wishes.close()), Refusal.STORE_UNAVAILABLE);

        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.ACTIVE);
        assertThat(node.present(ROOM)).containsExactly("ben");
    }

    /** PRES-3. */
    @Test
    void whoeverLeavesGivesUpTheSeatInTheSameCommit() {
        seatedRoom();

        Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));

        assertThat(node.script.count(Call.COMMIT)).isEqualTo(1);
        assertThat(factsOfVersion(5)).containsExactly("0 ROOM_MIC_CHANGED", "1 ROOM_USER_LEFT");
        RoomState room = node.room(ROOM);
        assertThat(MicSeats.seatOf(room, "ben")).isEmpty();
        assertThat(MicSeats.seatOf(room, "cid")).isPresent();
    }

    @Test
    void aClosedRoomGivesUpItsLeaseAndItsCell() {
        node.create(ROOM);
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));

        assertThat(node.loadedRooms()).isZero();
        assertThat(world.route(ROOM)).isEmpty();
    }

    /** ROOM-6. */
    @Test
    void theIdOfAClosedRoomIsNotUsedAgain() {
        node.create(ROOM);
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        node.script.forget();

        Answers.assertRejected(node.ask(ROOM, "create-2", Wishes.create()), Reason.ROOM_CLOSED);
        Answers.assertRejected(world.node("b").ask(ROOM, "create-3", Wishes.create()), Reason.ROOM_CLOSED);

        assertThat(node.script.count(Call.INSERT_CREATING)).isZero();
        assertThat(world.row(ROOM).status()).isEqualTo(Lifecycle.Status.CLOSED);
    }

    /** CMD-7: neither a lease nor a cell. */
    @Test
    void aClosedRoomAnswersWhatItAnsweredAndNothingNew() {
        node.createWith(ROOM, "ben");
        byte[] left = Answers.assertDone(node.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        byte[] closed = Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        long epoch = world.row(ROOM).epoch();
        CellNode b = world.node("b");

        Answers.assertReplayed(b.ask(ROOM, "create", Wishes.create()), world.loggedResult(ROOM, "create"));
        Answers.assertReplayed(b.ask(ROOM, "leave-ben", Wishes.leave("ben")), left);
        Answers.assertReplayed(b.ask(ROOM, "close", Wishes.close()), closed);
        Answers.assertRejected(b.ask(ROOM, "close-2", Wishes.close()), Reason.ROOM_CLOSED);
        Answers.assertRejected(b.ask(ROOM, "leave-cid", Wishes.leave("cid")), Reason.ROOM_CLOSED);
        Answers.assertRefused(b.ask(ROOM, "close", Wishes.leave("ben")), Refusal.COMMAND_ID_CONFLICT);

        assertThat(b.script.count(Call::toRedis)).isZero();
        assertThat(b.script.calls()).containsOnly(Call.FIND, Call.FIND_COMMANDS);
        assertThat(b.loadedRooms()).isZero();
        assertThat(world.row(ROOM).epoch()).isEqualTo(epoch);
    }

    /** CMD-7: nobody is let into a closed room, not even by history. */
    @Test
    void aRetriedJoinOfAClosedRoomIsToldThatItIsClosed() {
        node.createWith(ROOM, "ben");
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        node.script.forget();

        Answers.assertRejected(node.ask(ROOM, "join-ben", Wishes.join("ben")), Reason.ROOM_CLOSED);

        assertThat(node.script.calls()).containsExactly(Call.FIND);
    }

    /** CMD-7. */
    @Test
    void aClosedRoomWhoseLogCannotBeAskedSaysSo() {
        node.create(ROOM);
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        node.script.next(Call.FIND_COMMANDS, PortScript.failed());

        Answers.assertRefused(node.ask(ROOM, "close", Wishes.close()), Refusal.STORE_UNAVAILABLE);
    }

    @Test
    void aClosedRoomCanBeReadOnEveryNodeWithoutItsLease() {
        node.createWith(ROOM, "ben");
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        CellNode b = world.node("b");

        CellWorld.assertSameRoom(b.room(ROOM), world.replayed(ROOM));

        assertThat(b.script.count(Call::toRedis)).isZero();
        assertThat(b.loadedRooms()).isZero();
    }

    /** CMD-7: what waited behind the closing command is dealt with as for any closed room. */
    @Test
    void whoeverWaitedBehindTheCloseIsToldThatTheRoomIsClosed() {
        node.createWith(ROOM, "ben");
        HeldCall commit = node.script.holdNext(Call.COMMIT);
        Future<Answer> close = node.send(ROOM, "close", Wishes.close());
        world.run();
        Future<Answer> join = node.send(ROOM, "join-cid", Wishes.join("cid"));
        Future<Answer> again = node.send(ROOM, "close", Wishes.close());
        world.run();

        commit.letGo();
        world.run();

        byte[] closed = Answers.assertDone(close);
        Answers.assertRejected(join, Reason.ROOM_CLOSED);
        Answers.assertReplayed(again, closed);
    }

    /** ROOM-4: nothing comes after the end, in the same batch either. */
    @Test
    void whoeverStandsBehindTheCloseInItsBatchIsRejected() {
        node.create(ROOM);
        HeldCall busy = node.occupy(ROOM);
        Future<Answer> before = node.send(ROOM, "join-ben", Wishes.join("ben"));
        Future<Answer> close = node.send(ROOM, "close", Wishes.close());
        Future<Answer> after = node.send(ROOM, "join-cid", Wishes.join("cid"));
        busy.letGo();
        world.run();

        Stream.of(before, close).forEach(Answers::assertDone);
        Answers.assertRejected(after, Reason.ROOM_CLOSED);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben", "close");
        assertThat(world.database.listEntry(ROOM).orElseThrow().version()).isEqualTo(3);
    }
}
