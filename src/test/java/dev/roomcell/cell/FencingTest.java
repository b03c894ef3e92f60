package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Presence.Joined;
import dev.roomcell.domain.Presence.RoomUserJoined;
import dev.roomcell.port.Peer;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import dev.roomcell.testkit.PortScript;
import io.vertx.core.Future;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** LEASE-11: whatever Redis says, two incarnations of a room can't both commit. */
class FencingTest {
    private final CellWorld world = new CellWorld();
    private final CellNode a = world.node("a");
    private final CellNode b = world.node("b");

    /** LEASE-11. */
    @Test
    void aLoadTakesTheLeaseThenMintsThenTellsRedisAndOnlyThenReads() {
        a.create(ROOM);
        a.loop.freeze();
        world.redis.flush();
        long before = world.row(ROOM).epoch();

        b.read(ROOM);

        assertThat(b.script.calls()).containsExactly(Call.FIND, Call.ACQUIRE, Call.MINT, Call.RECORD_EPOCH, Call.LOAD);
        assertThat(world.row(ROOM).epoch()).isEqualTo(before + 1);
        assertThat(world.route(ROOM).orElseThrow().epoch()).isEqualTo(before + 1);
    }

    /** LEASE-11. */
    @Test
    void everyLoadMintsAnEpochThoughTheNodeStaysTheSame() {
        a.create(ROOM);
        long first = world.row(ROOM).epoch();
        world.redis.delete(ROOM.routeKey());
        Answers.assertRefused(a.ask(ROOM, "join-1", Wishes.join("ben")), Refusal.LEASE_LOST);

        a.read(ROOM);

        assertThat(world.row(ROOM).epoch()).isEqualTo(first + 1);
    }

    /** LEASE-11, B06. */
    @Test
    void whenRedisForgetsAndBothBelieveToOwnTheRoomOnlyTheNewerCommits() {
        a.create(ROOM);
        world.redis.flush();
        Answers.assertDone(b.ask(ROOM, "join-cid", Wishes.join("cid")));
        a.script.next(Call.VERIFY, PortScript.answered(List.of(true)));

        Future<Answer> late = a.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();

        Answers.assertRefused(late, Refusal.FENCED);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-cid");
        assertThat(b.present(ROOM)).containsExactly("cid");
    }

    /** LEASE-11, B01. */
    @Test
    void anOwnerStoppedBetweenItsVerificationAndItsCommitCommitsNothingWhenItGoesOn() {
        a.create(ROOM);
        HeldCall commit = a.script.holdNext(Call.COMMIT);
        Future<Answer> late = a.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        assertThat(commit.arrived()).isTrue();
        a.loop.freeze();
        world.advance(Limits.TTL_MS);
        Answers.assertDone(b.ask(ROOM, "join-cid", Wishes.join("cid")));

        commit.letGo();
        a.loop.thaw();
        world.run();

        Answers.assertRefused(late, Refusal.FENCED);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-cid");
        Answers.assertRefused(a.ask(ROOM, "join-ben", Wishes.join("ben")), Refusal.NOT_OWNER);
    }

    /** LEASE-11. */
    @Test
    void aCellFencedInTheDatabaseThatStillHoldsRedisMintsAgainAndReloads() {
        a.create(ROOM);
        world.database.mint(ROOM, "b", "token-of-b", OptionalLong.empty());
        long fencedBy = world.row(ROOM).epoch();

        Answers.assertRefused(a.ask(ROOM, "join-ben", Wishes.join("ben")), Refusal.FENCED);
        Answers.assertDone(a.ask(ROOM, "join-ben", Wishes.join("ben")));

        assertThat(world.row(ROOM).epoch()).isEqualTo(fencedBy + 1);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
    }

    /** LEASE-11: the version is the second half of the fence. */
    @Test
    void aCellWhoseMemoryIsBehindTheRowCommitsNothingAndReloads() {
        a.create(ROOM);
        world.wroteEarlier(
                ROOM,
                "join-dan",
                Wishes.join("dan"),
                CellWorld.CODEC.encodeResult(ROOM, new Joined(2, world.nowMs(), 1)),
                List.of(new RoomUserJoined("dan", Presence.MemberKind.USER, 1)));

        Answers.assertRefused(a.ask(ROOM, "join-ben", Wishes.join("ben")), Refusal.FENCED);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-dan");

        Answers.assertDone(a.ask(ROOM, "join-ben", Wishes.join("ben")));
        assertThat(a.present(ROOM)).containsExactly("ben", "dan");
    }

    /** LEASE-11: what was read before somebody else minted is not served. */
    @Test
    void aLoadOvertakenByAnotherMintIsGivenUpAndItsLeaseWithIt() {
        a.create(ROOM);
        a.loop.freeze();
        world.redis.flush();
        HeldCall load = b.script.holdNext(Call.LOAD);
        Future<Answer> join = b.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        world.database.mint(ROOM, "c", "token-of-c", OptionalLong.empty());

        load.letGo();
        world.run();

        Answers.assertRefused(join, Refusal.FENCED);
        assertThat(world.route(ROOM)).isEmpty();
        assertThat(b.loadedRooms()).isZero();
    }

    /** LEASE-11: the lease is looked at after the mint too. */
    @Test
    void aLoadThatLosesItsLeaseWhileItMintsReadsNothing() {
        a.create(ROOM);
        a.loop.freeze();
        world.redis.flush();
        HeldCall mint = b.script.holdNext(Call.MINT);
        Future<Answer> join = b.send(ROOM, "join-ben", Wishes.join("ben"));
        world.run();
        world.redis.flush();

        mint.letGo();
        world.run();

        Answers.assertRefused(join, Refusal.LEASE_LOST);
        assertThat(b.script.count(Call.LOAD)).isZero();
    }

    /** B15. */
    @Test
    void aNodeThatIsNotTheOwnerSaysWhoIsAndWhere() {
        a.create(ROOM);
        a.announce("10.0.0.1:7000");

        Answer answer = b.ask(ROOM, "join-ben", Wishes.join("ben"));

        Answers.assertRefused(answer, Refusal.NOT_OWNER);
        assertThat(((Answer.Refused) answer).owner()).contains(new Peer("a", "10.0.0.1:7000"));
        assertThat(b.script.count(Call.MINT)).isZero();
    }

    @Test
    void anOwnerWithoutAnAddressIsNoHint() {
        a.create(ROOM);

        Answer answer = b.ask(ROOM, "join-ben", Wishes.join("ben"));

        Answers.assertRefused(answer, Refusal.NOT_OWNER);
        assertThat(((Answer.Refused) answer).owner()).isEmpty();
    }
}
