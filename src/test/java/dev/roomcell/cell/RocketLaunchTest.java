package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Gifts.SendGift;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Rocket;
import dev.roomcell.domain.RocketPlan;
import dev.roomcell.domain.RocketPlan.Level;
import dev.roomcell.domain.Rockets.RoomRocketLaunched;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.port.AdoptionMeter;
import dev.roomcell.port.GiftCatalog.Gift;
import dev.roomcell.port.StoreException;
import dev.roomcell.port.TimerStore.DueTimer;
import dev.roomcell.port.TimerStore.Kind;
import dev.roomcell.port.TimerStore.RoomTimer;
import dev.roomcell.port.TimerStore.TimerClaim;
import dev.roomcell.sim.MemoryDatabase.LogFields;
import dev.roomcell.sim.MemoryWallet;
import io.vertx.core.Future;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A rocket launches once, at its time, whoever is alive by then. */
@Tag("ROCKET-3")
class RocketLaunchTest {
    private static final long DELAY_MS = 20_000;
    /** So long after its time it has launched, whatever has happened to the owner, ms (I13). */
    private static final long LATEST_MS = Limits.TTL_MS + 2_000;

    private static final long NEWS_MS = GiftSettings.USUAL.newsEveryMs();
    private static final RoomTimer LAUNCH = new RoomTimer(ROOM, Kind.ROCKET_LAUNCH);

    private final CellWorld world = new CellWorld();
    private final MemoryWallet wallet = new MemoryWallet();
    private final List<Runnable> workers = new ArrayList<>();
    private CellNode a;
    private CellNode b;
    private boolean plansUnreadable;
    private long launchAtMs;

    @BeforeEach
    void partyWithAFullRocket() {
        world.gifts = new GiftPorts(
                world.database.gifts(),
                (appCode, giftId) -> Future.succeededFuture(Optional.of(new Gift(giftId, 10, false, 25))),
                appCode -> plansUnreadable
                        ? Future.failedFuture(new StoreException("plans", new IllegalStateException("not now")))
                        : Future.succeededFuture(world.rockets),
                wallet,
                (draw, timeoutMs) -> Future.succeededFuture(0L));
        world.rockets = new RocketPlan(
                List.of(new Level(50, DELAY_MS), new Level(1_000, DELAY_MS)), LocalTime.MIDNIGHT, ZoneId.of("UTC"));
        a = world.node("a");
        b = world.node("b");
        wallet.open(ROOM.appCode(), "ben", 1_000_000);
        a.createWith(ROOM, "ben", "cid");
        give("gift-1");
        assertThat(rocket(a).ignited()).isFalse();
        give("gift-2");
        launchAtMs = world.nowMs() + DELAY_MS;
    }

    @AfterEach
    void stop() {
        workers.forEach(Runnable::run);
    }

    private void give(String id) {
        Answers.assertDone(a.ask(ROOM, id, SendGift.wish("ben", "rose", 1, List.of("cid"))));
    }

    private void watchTimers(CellNode node) {
        TimeoutWorker worker = node.watchTimers(Limits.TTL_MS);
        workers.add(worker::stop);
    }

    private void adopts(CellNode node) {
        node.loop.execute(() -> {
            Adoption adoption = node.adopt(new EnumMap<>(AdoptionMeter.Result.class));
            workers.add(adoption::stop);
        });
        world.run();
    }

    private void kill(CellNode node) {
        node.loop.freeze();
        world.members.remove(node.nodeId);
    }

    private static Rocket rocket(CellNode node) {
        return node.room(ROOM).rocket().orElseThrow();
    }

    /** When rockets launched, the owner's stamp. */
    private List<Long> launches() {
        List<Long> launches = new ArrayList<>();
        for (LogFields fields : world.log(ROOM)) {
            for (RoomEvent event : CellWorld.CODEC.decodeEvents(fields.row().events())) {
                if (event instanceof RoomRocketLaunched) {
                    launches.add(fields.row().atMs());
                }
            }
        }
        return launches;
    }

    private void assertLaunchedOnceInTime() {
        assertThat(launches())
                .singleElement()
                .satisfies(atMs -> assertThat(atMs).isBetween(launchAtMs, launchAtMs + LATEST_MS));
        world.advance(10 * LATEST_MS);
        assertThat(launches()).hasSize(1);
        assertThat(world.database.timers(ROOM)).doesNotContainKey(Kind.ROCKET_LAUNCH);
        assertThat(world.loggedIds(ROOM)).contains("~launch:r4");
    }

    @Test
    @Tag("TIMER-1")
    void theCommitThatIgnitesSetsTheTimerAndTheLaunchEndsIt() {
        assertThat(rocket(a))
                .isEqualTo(new Rocket(
                        "r4",
                        1,
                        Rocket.Status.IGNITED,
                        50,
                        50,
                        launchAtMs,
                        rocket(a).resetAtMs(),
                        new Rocket.Next(2, 0, "")));
        assertThat(world.database.timers(ROOM)).containsEntry(Kind.ROCKET_LAUNCH, launchAtMs);

        world.advance(DELAY_MS - 1);
        assertThat(launches()).isEmpty();
        world.advance(1);

        assertThat(launches()).containsExactly(launchAtMs);
        assertLaunchedOnceInTime();
        assertThat(rocket(a).level()).isEqualTo(2);
    }

    /** B114: the owner dies long before, and right before its time. */
    @Test
    void whoeverTakesTheRoomOverLaunchesInTime() {
        adopts(b);
        world.advance(DELAY_MS - 100);
        kill(a);
        world.advance(100 + LATEST_MS);
        assertLaunchedOnceInTime();
    }

    /** B114. */
    @Test
    void aRoomThatWasTakenOverBeforeItsTimeLaunchesToTheMillisecond() {
        adopts(b);
        kill(a);
        world.advance(DELAY_MS);
        assertThat(launches()).containsExactly(launchAtMs);
        assertLaunchedOnceInTime();
    }

    /** The next one is full already when the first launches, and nothing delays it. */
    @Test
    void theNextOneMayBeToLaunchInTheSameMillisecond() {
        world.rockets = new RocketPlan(
                List.of(new Level(50, DELAY_MS), new Level(50, 0), new Level(1_000, DELAY_MS)),
                LocalTime.MIDNIGHT,
                ZoneId.of("UTC"));
        give("gift-3");
        give("gift-4");
        world.advance(DELAY_MS + 10);
        assertThat(launches()).hasSize(2);
        assertThat(rocket(a).level()).isEqualTo(3);
    }

    /** B114: nobody is left, and somebody comes a minute later. */
    @Test
    void theTimerBringsBackWhatNobodyRemembers() {
        kill(a);
        world.advance(DELAY_MS + 60_000);
        watchTimers(b);
        world.advance(2_000);
        assertThat(launches()).hasSize(1);
        assertThat(rocket(b).level()).isEqualTo(2);
    }

    /** B115: five wakeups at once, and one that is early; a wakeup at a node that has not the room is none. */
    @Test
    @Tag("ROCKET-2")
    void manyWakeupsAreOneLaunch() {
        assertThat(a.outcome(a.shard.timer(LAUNCH))).isEqualTo(new TimerOutcome.Again(launchAtMs));
        world.advance(DELAY_MS - 1);
        a.clock.wrongBy(1);
        List<Future<TimerOutcome>> wakeups = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            wakeups.add(a.shard.timer(LAUNCH));
            wakeups.add(b.shard.timer(LAUNCH));
        }
        world.advance(1);
        for (int i = 0; i < wakeups.size(); i++) {
            assertThat(wakeups.get(i).result())
                    .isInstanceOf(i % 2 == 0 ? TimerOutcome.Over.class : TimerOutcome.NotHere.class);
        }
        assertLaunchedOnceInTime();
        assertThat(a.outcome(a.shard.timer(LAUNCH))).isInstanceOf(TimerOutcome.Over.class);
    }

    /** B11: a clock that was ahead when the wakeup was set has been put right since. */
    @Test
    void aWakeupThatTheClockMadeEarlyWaitsOn() {
        kill(a);
        world.advance(Limits.TTL_MS + 1);
        b.clock.wrongBy(10_000);
        assertThat(rocket(b).ignited()).isTrue();
        b.clock.wrongBy(0);
        world.advance(DELAY_MS - Limits.TTL_MS - 2);
        assertThat(launches()).isEmpty();
        world.advance(1);
        assertThat(launches()).containsExactly(launchAtMs);
    }

    @Test
    void aRocketWaitsWhenItsPlanCannotBeReadAndTheTimerComesAgain() {
        watchTimers(a);
        plansUnreadable = true;
        world.advance(DELAY_MS + 5_000);
        assertThat(launches()).isEmpty();
        assertThat(rocket(a).ignited()).isTrue();

        plansUnreadable = false;
        world.advance(2_000);
        assertThat(launches()).hasSize(1);
    }

    /** What is paid for is given, with or without a rocket. */
    @Test
    @Tag("GIFT-1")
    void aGiftWhosePlanCannotBeReadIsGivenAndGivesNoFuel() {
        Rocket before = rocket(a);
        plansUnreadable = true;
        give("gift-3");
        assertThat(rocket(a)).isEqualTo(before);
        assertThat(a.room(ROOM).board().heat()).isEqualTo(30);
    }

    @Test
    @Tag("ROCKET-2")
    void theEndOfTheRoomEndsTheWait() {
        Answers.assertDone(a.ask(ROOM, "close", new Lifecycle.CloseRoom("ann")));
        assertThat(world.database.timers(ROOM)).isEmpty();
        world.advance(DELAY_MS + LATEST_MS);
        assertThat(launches()).isEmpty();
        assertThat(a.groups.seen(ROOM)).last().asString().endsWith("ROOM_CLOSED");
    }

    /** The row of the one before is claimed when the next one ignites with the same time: the claim is none on it. */
    @Test
    @Tag("TIMER-1")
    void theTimerOfTheNextRocketIsSetAnewThoughItHasTheSameTime() {
        give("gift-3");
        world.rockets = new RocketPlan(
                List.of(new Level(50, DELAY_MS), new Level(20, 0)), LocalTime.MIDNIGHT, ZoneId.of("UTC"));
        world.advance(DELAY_MS - 1);
        Future<List<DueTimer>> claimed =
                world.database.timers().claimDue(new TimerClaim("a", launchAtMs, launchAtMs, launchAtMs + 10_000, 1));
        world.advance(1);
        assertThat(claimed.result()).extracting(DueTimer::timer).containsExactly(LAUNCH);
        assertThat(launches()).containsExactly(launchAtMs);
        assertThat(world.database.timers(ROOM)).containsEntry(Kind.ROCKET_LAUNCH, launchAtMs);
    }

    /** LANE-1: ignition and launch at once, fuel once in a while. */
    @Test
    @Tag("LANE-1")
    void clientsAreToldOfIgnitionAndLaunchAtOnceAndOfFuelSoonAfter() {
        assertThat(a.groups.seen(ROOM)).endsWith("4:0 ROOM_GIFT_SENT", "5:0 ROOM_GIFT_SENT", "5:1 ROOM_ROCKET_IGNITED");
        world.advance(NEWS_MS);
        assertThat(a.groups.seen(ROOM)).last().isEqualTo("5:1002 ROOM_ROCKET_FUEL_CHANGED");
        world.advance(DELAY_MS - NEWS_MS);
        assertThat(a.groups.seen(ROOM)).last().isEqualTo("6:0 ROOM_ROCKET_LAUNCHED");
        world.advance(NEWS_MS);
        assertThat(a.groups.seen(ROOM)).last().isEqualTo("6:1002 ROOM_ROCKET_FUEL_CHANGED");
    }
}
