package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.HeldCall;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** PRES-6, PRES-7: who is silent for a whole window is gone; who was not heard for another reason is not. */
class SweepTest {
    /** A silent user is gone at most so long after the window, ms: the least pause between two looks, and the worker's. */
    private static final long LATE_MS = Limits.STALE_MS / 8 + 2_000;

    private final CellWorld world = new CellWorld();
    private final CellNode a = world.node("a");
    private final CellNode b = world.node("b");
    private final List<TimeoutWorker> workers = new ArrayList<>();

    private void watchTimers(CellNode node) {
        workers.add(node.watchTimers(Limits.TTL_MS));
    }

    @AfterEach
    void stop() {
        workers.forEach(TimeoutWorker::stop);
    }

    private void heartbeat(CellNode node, String userId) {
        assertThat(node.outcome(node.shard.heartbeat(ROOM, userId, MicSign.SILENT)))
                .isInstanceOf(ReadAnswer.Found.class);
    }

    /** Time goes on, and these users send a heartbeat every ten seconds. */
    private void live(CellNode node, long ms, String... userIds) {
        for (long over = 0; over < ms; over += 10_000) {
            for (String userId : userIds) {
                heartbeat(node, userId);
            }
            world.advance(Math.min(10_000, ms - over));
        }
    }

    /** PRES-6. */
    @Test
    void whoIsSilentForTheWholeWindowIsGoneAndTheOthersStay() {
        watchTimers(a);
        a.createWith(ROOM, "ben", "cid");

        live(a, Limits.STALE_MS - 1, "cid");
        assertThat(a.present(ROOM)).containsExactlyInAnyOrder("ben", "cid");
        // The seat that a silent user has by then goes with him (PRES-6).
        Answers.assertDone(a.ask(ROOM, "up", new MicSeats.MicUp("ben", 1)));
        live(a, LATE_MS, "cid");

        assertThat(a.present(ROOM)).containsExactly("cid");
        assertThat(a.room(ROOM).seats().get(0).status()).isEqualTo(MicSeats.Status.IDLE);
        assertThat(world.loggedIds(ROOM)).endsWith("~stale:4");
    }

    /** PRES-1, PRES-7: a heartbeat writes nothing, and counts. */
    @Test
    void whoSendsHeartbeatsStaysForEver() {
        watchTimers(a);
        a.createWith(ROOM, "ben");

        live(a, 10 * Limits.STALE_MS, "ben");

        assertThat(a.present(ROOM)).containsExactly("ben");
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
    }

    /** TIMER-1: set by the first user who comes, ended by the last who goes. */
    @Test
    void aRoomHasTheTimerWhileAUserIsPresent() {
        a.createWith(ROOM, "ben");
        assertThat(world.database.timers(ROOM).get(Kind.STALE_SWEEP)).isEqualTo(world.nowMs() + Limits.STALE_MS);

        Answers.assertDone(a.ask(ROOM, "join-cid", Wishes.join("cid")));
        Answers.assertDone(a.ask(ROOM, "leave-ben", Wishes.leave("ben")));
        assertThat(world.database.timers(ROOM)).containsOnlyKeys(Kind.STALE_SWEEP);

        Answers.assertDone(a.ask(ROOM, "leave-cid", Wishes.leave("cid")));
        assertThat(world.database.timers(ROOM)).isEmpty();
    }

    /** PRES-8. */
    @Test
    void robotsAreNeverSwept() {
        watchTimers(a);
        a.create(ROOM);
        Answers.assertDone(a.ask(ROOM, "join-r2", new Presence.JoinRoom("r2", Presence.MemberKind.ROBOT)));
        assertThat(world.database.timers(ROOM)).isEmpty();
        Answers.assertDone(a.ask(ROOM, "join-ben", Wishes.join("ben")));

        world.advance(Limits.STALE_MS + LATE_MS);

        assertThat(a.present(ROOM)).containsExactly("r2");
        assertThat(world.database.timers(ROOM)).isEmpty();
    }

    /** PRES-6: at most 200 a command. */
    @Test
    void aCrowdThatIsGoneIsSweptInPieces() {
        watchTimers(a);
        a.create(ROOM);
        IntStream.range(0, 450).forEach(i -> a.send(ROOM, "join-" + i, Wishes.join("user-" + i)));
        world.run();

        world.advance(Limits.STALE_MS + LATE_MS + 3_000);

        assertThat(a.present(ROOM)).isEmpty();
        assertThat(world.loggedIds(ROOM))
                .filteredOn(id -> id.startsWith("~stale:"))
                .hasSize(3);
    }

    /** PRES-7: nobody could be heard before the room was loaded, so nobody is silent yet; what was last seen stays. */
    @Test
    void afterALoadEverybodyHasOneFullWindow() {
        watchTimers(b);
        a.createWith(ROOM, "ben");
        long joinedAtMs = world.nowMs();
        a.outcome(a.shard.drain());
        world.advance(Limits.STALE_MS - 1_000);

        assertThat(b.room(ROOM).member("ben").orElseThrow().lastSeenAtMs()).isEqualTo(joinedAtMs);
        world.advance(Limits.STALE_MS - 1_000);
        assertThat(b.present(ROOM)).containsExactly("ben");
        assertThat(b.room(ROOM).member("ben").orElseThrow().lastSeenAtMs()).isEqualTo(joinedAtMs);
        world.advance(1_000 + LATE_MS);

        assertThat(b.present(ROOM)).isEmpty();
    }

    /** PRES-7: a process that stood still heard nobody. */
    @Test
    void afterAPauseEverybodyHasOneFullWindow() {
        watchTimers(a);
        a.createWith(ROOM, "ben");
        a.loop.freeze();
        world.advance(Limits.STALE_MS + LATE_MS);

        a.loop.thaw();
        world.advance(Limits.STALE_MS - 1_000);
        assertThat(a.present(ROOM)).containsExactly("ben");
        world.advance(1_000 + LATE_MS);

        assertThat(a.present(ROOM)).isEmpty();
    }

    /** PRES-6, B58: looked at, and heard before the sweep was decided. */
    @Test
    void whoIsHeardBetweenTheLookAndTheSweepStays() {
        watchTimers(a);
        a.createWith(ROOM, "ben", "cid");
        HeldCall busy = a.occupy(ROOM);
        world.advance(Limits.STALE_MS + LATE_MS);
        heartbeat(a, "ben");

        busy.letGo();
        world.run();
        world.advance(1);

        assertThat(a.present(ROOM)).containsExactly("ben");
    }

    /** PRES-1, B58: a join that changes nothing, and stands in the mailbox before the sweep. */
    @Test
    void whoJoinsAgainBetweenTheLookAndTheSweepStays() {
        watchTimers(a);
        a.createWith(ROOM, "ben", "cid");
        HeldCall busy = a.occupy(ROOM);
        Future<Answer> again = a.send(ROOM, "join-ben-again", Wishes.join("ben"), 2 * Limits.STALE_MS);
        world.advance(Limits.STALE_MS + LATE_MS);

        busy.letGo();
        world.run();
        world.advance(1);

        Answers.assertDone(again);
        assertThat(a.present(ROOM)).containsExactly("ben");
    }

    /** PRES-7, LEASE-13: who could not be heard for want of a lease was not silent. */
    @Test
    void afterASilenceOfRedisEverybodyHasOneFullWindow() {
        watchTimers(a);
        a.createWith(ROOM, "ben", "cid");
        a.script.breakDown(Call::toRedis);
        for (long over = 0; over < Limits.STALE_MS + LATE_MS; over += 10_000) {
            world.advance(10_000);
            assertThat(a.outcome(a.shard.heartbeat(ROOM, "ben", MicSign.SILENT)))
                    .isInstanceOf(ReadAnswer.Refused.class);
        }

        a.script.recover();
        world.advance(9_000);
        live(a, Limits.STALE_MS - 10_000, "ben");
        assertThat(a.present(ROOM)).containsExactlyInAnyOrder("ben", "cid");
        live(a, 10_000 + LATE_MS, "ben");

        assertThat(a.present(ROOM)).containsExactly("ben");
    }

    /** B11: when time is put ahead, nobody has been silent for as long. */
    @Test
    void afterTimeWasPutAheadEverybodyHasOneFullWindow() {
        watchTimers(a);
        a.createWith(ROOM, "ben", "cid");
        live(a, 20_000, "ben", "cid");

        a.clock.wrongBy(2 * Limits.STALE_MS);
        world.advance(9_000);
        live(a, Limits.STALE_MS - 10_000, "ben");
        assertThat(a.present(ROOM)).containsExactlyInAnyOrder("ben", "cid");
        live(a, 10_000 + LATE_MS, "ben");

        assertThat(a.present(ROOM)).containsExactly("ben");
    }

    /** B57: a room that nobody touches does not keep its users for ever. */
    @Test
    void whenAllNodesDiedTheUsersAreSweptByTheNextOne() {
        a.createWith(ROOM, "ben", "cid");
        a.loop.freeze();
        world.advance(Limits.TTL_MS + 1);
        watchTimers(b);

        world.advance(Limits.TTL_MS + 2 * (Limits.STALE_MS + LATE_MS));

        assertThat(b.present(ROOM)).isEmpty();
        assertThat(world.database.listEntry(ROOM).orElseThrow().onlineCount()).isZero();
    }

    /** LEASE-9: nobody is swept by a node that does not own the room any more. */
    @Test
    void aSweepUnderALostLeaseWritesNothing() {
        watchTimers(a);
        a.createWith(ROOM, "ben");
        HeldCall verification = a.script.holdNext(Call.VERIFY);
        world.advance(Limits.STALE_MS + LATE_MS);
        assertThat(verification.arrived()).isTrue();
        world.redis.delete(ROOM.routeKey());
        assertThat(b.present(ROOM)).containsExactly("ben");

        verification.letGo();
        world.run();

        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
        assertThat(b.present(ROOM)).containsExactly("ben");
    }
}
