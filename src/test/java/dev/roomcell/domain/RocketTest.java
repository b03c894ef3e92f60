package dev.roomcell.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roomcell.domain.Rocket.Next;
import dev.roomcell.domain.Rocket.Status;
import dev.roomcell.domain.RocketPlan.Level;
import dev.roomcell.domain.Rockets.Fuel;
import dev.roomcell.domain.Rockets.LaunchDone;
import dev.roomcell.domain.Rockets.LaunchRocket;
import dev.roomcell.domain.Rockets.RoomRocketFuelChanged;
import dev.roomcell.domain.Rockets.RoomRocketIgnited;
import dev.roomcell.domain.Rockets.RoomRocketLaunched;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class RocketTest {
    private static final RocketPlan PLAN = Story.ROCKETS;
    private static final long RESET_MS = Instant.parse("2023-11-15T00:00:00Z").toEpochMilli();
    private static final long DAY_MS = 86_400_000;
    private static final long NOON_MS = RESET_MS - DAY_MS / 2;

    private static Story party() {
        return Story.given(Story.created(), Story.joined(Story.BEN, 1), Story.joined(Story.CARA, 2));
    }

    private static Gifts.SendGift gift(long fuel) {
        return gift(Story.BEN, Story.CARA, new Fuel(fuel, PLAN));
    }

    private static Gifts.SendGift gift(String sender, String receiver, Fuel fuel) {
        return new Gifts.SendGift(sender, "rose", 1, List.of(receiver), new Gifts.Payment(1, 1, 99, 0, false), fuel);
    }

    private static Rocket fueling(String id, int level, long fuel, long resetAtMs) {
        long capacity = level == 1 ? 50 : 80;
        return new Rocket(id, level, Status.FUELING, fuel, capacity, 0, resetAtMs, Next.NONE);
    }

    private static Rocket ignited(String id, int level, long launchAtMs, Next next) {
        long capacity = level == 1 ? 50 : 80;
        return new Rocket(id, level, Status.IGNITED, capacity, capacity, launchAtMs, RESET_MS, next);
    }

    private static Optional<Rocket> rocket(Story story) {
        return story.state().rocket();
    }

    private static LaunchRocket launch(String id, int level, long launchAtMs) {
        return new LaunchRocket(id, level, launchAtMs, PLAN);
    }

    /** A party whose rocket ignited at noon, in version 4. */
    private static Story ignitedAtNoon() {
        return party().whenAt(NOON_MS, gift(50));
    }

    private static void assertNothing(Story story, long version) {
        story.thenUnchanged(new LaunchDone(version, false), Optional.empty());
    }

    @Test
    @DisplayName("ROCKET-1")
    void giftsAddFuel() {
        Story story = party().whenAt(NOON_MS, gift(20));
        assertThat(rocket(story)).contains(fueling("r4", 1, 20, RESET_MS));

        story.whenAt(NOON_MS, gift(29));
        assertThat(rocket(story)).contains(fueling("r4", 1, 49, RESET_MS));
        assertThat(story.state().live()).isTrue();
        assertThat(Rockets.launchAtMs(story.state())).isEmpty();
    }

    @Test
    @DisplayName("ROCKET-1")
    void aFullRocketIgnitesAndWhatIsTooMuchIsTheNextOnes() {
        Story story = party().whenAt(NOON_MS, gift(20)).whenAt(NOON_MS, gift(45));
        Rocket full = ignited("r4", 1, NOON_MS + 2_000, new Next(2, 15, Story.BEN));
        assertThat(((Decision.Accepted) story.decision()).events())
                .last()
                .isEqualTo(new RoomRocketIgnited(full, Story.BEN));
        assertThat(Rockets.launchAtMs(story.state())).isEqualTo(OptionalLong.of(NOON_MS + 2_000));

        story.whenAt(NOON_MS + 1_000, gift(Story.CARA, Story.BEN, new Fuel(5, PLAN)));
        assertThat(rocket(story)).contains(ignited("r4", 1, NOON_MS + 2_000, new Next(2, 20, Story.CARA)));
    }

    @Test
    @DisplayName("ROCKET-1, ROCKET-3")
    void aLaunchBeginsTheNextLevelWithWhatWasTooMuch() {
        Story story = party().whenAt(NOON_MS, gift(65)).whenAt(NOON_MS + 2_000, launch("r4", 1, NOON_MS + 2_000));
        story.then(
                new LaunchDone(5, true),
                new RoomRocketLaunched("r4", 1, Optional.of(fueling("r5", 2, 0, RESET_MS))),
                new RoomRocketFuelChanged(Optional.of(fueling("r5", 2, 15, RESET_MS))));
    }

    @Test
    @DisplayName("ROCKET-1")
    void whatWasTooMuchMayFillTheNextOne() {
        Story story = party().whenAt(NOON_MS, gift(140)).whenAt(NOON_MS + 2_500, launch("r4", 1, NOON_MS + 2_000));
        story.then(
                new LaunchDone(5, true),
                new RoomRocketLaunched("r4", 1, Optional.of(fueling("r5", 2, 0, RESET_MS))),
                new RoomRocketIgnited(ignited("r5", 2, NOON_MS + 7_500, new Next(3, 10, Story.BEN)), Story.BEN));

        story.whenAt(NOON_MS + 7_500, launch("r5", 2, NOON_MS + 7_500));
        assertThat(rocket(story)).contains(fueling("r6", 2, 10, RESET_MS));
    }

    @Test
    @DisplayName("ROCKET-2, B115: a second wakeup, and a third")
    void aRocketLaunchesOnce() {
        Story story = ignitedAtNoon().whenAt(NOON_MS + 2_000, launch("r4", 1, NOON_MS + 2_000));
        assertThat(((Decision.Accepted) story.decision()).result()).isEqualTo(new LaunchDone(5, true));
        assertNothing(story.whenAt(NOON_MS + 2_000, launch("r4", 1, NOON_MS + 2_000)), 5);
        assertNothing(story.whenAt(NOON_MS + 9_000, launch("r4", 1, NOON_MS + 2_000)), 5);
    }

    @Test
    @DisplayName("ROCKET-2, B115: before its time")
    void anEarlyWakeupDoesNothing() {
        Story story = ignitedAtNoon();
        assertNothing(story.whenAt(NOON_MS + 1_999, launch("r4", 1, NOON_MS + 2_000)), 4);
        assertThat(rocket(story)).contains(ignited("r4", 1, NOON_MS + 2_000, new Next(2, 0, "")));
    }

    @Test
    @DisplayName("ROCKET-2: the rocket's id")
    void theWakeupOfAnotherRocketDoesNothing() {
        assertNothing(ignitedAtNoon().whenAt(NOON_MS + 2_000, launch("r3", 1, NOON_MS + 2_000)), 4);
    }

    @Test
    @DisplayName("ROCKET-2: its level")
    void theWakeupOfAnotherLevelDoesNothing() {
        assertNothing(ignitedAtNoon().whenAt(NOON_MS + 2_000, launch("r4", 2, NOON_MS + 2_000)), 4);
    }

    @Test
    @DisplayName("ROCKET-2: its launch time")
    void theWakeupForAnotherTimeDoesNothing() {
        assertNothing(ignitedAtNoon().whenAt(NOON_MS + 2_000, launch("r4", 1, NOON_MS + 1_000)), 4);
    }

    @Test
    @DisplayName("ROCKET-2: its status")
    void aRocketThatIsNotFullDoesNotLaunch() {
        Story story = party().whenAt(NOON_MS, gift(20));
        assertNothing(story.whenAt(NOON_MS, launch("r4", 1, 0)), 4);
        assertNothing(party().whenAt(NOON_MS, launch("r4", 1, 0)), 3);
    }

    @Test
    @DisplayName("ROCKET-2, B116: its reset time")
    void aNewDayEndsARocketThatWaitsForIt() {
        Story story = party().whenAt(RESET_MS - 1_000, gift(65));
        LaunchRocket old = launch("r4", 1, RESET_MS + 1_000);
        story.whenAt(RESET_MS + 1_000, old)
                .then(
                        new LaunchDone(5, false),
                        new RoomRocketFuelChanged(Optional.of(fueling("r5", 1, 0, RESET_MS + DAY_MS))));
        assertNothing(story.whenAt(RESET_MS + 1_000, old), 5);
    }

    @Test
    @DisplayName("ROCKET-2, B116: another one has ignited meanwhile")
    void theRocketOfTheNewDayLaunchesAtItsOwnTime() {
        Story story = party().whenAt(RESET_MS - 1_000, gift(50)).whenAt(RESET_MS, gift(50));
        Rocket ofToday =
                new Rocket("r5", 1, Status.IGNITED, 50, 50, RESET_MS + 2_000, RESET_MS + DAY_MS, new Next(2, 0, ""));
        assertThat(rocket(story)).contains(ofToday);

        assertNothing(story.whenAt(RESET_MS + 1_000, launch("r4", 1, RESET_MS + 1_000)), 5);
        story.whenAt(RESET_MS + 2_000, launch("r5", 1, RESET_MS + 2_000));
        assertThat(((Decision.Accepted) story.decision()).result()).isEqualTo(new LaunchDone(6, true));
    }

    @Test
    @DisplayName("ROCKET-3")
    void aLateLaunchIsMadeUpForThoughTheDayIsAnotherOne() {
        Story story = party().whenAt(RESET_MS - 2_001, gift(65));
        assertThat(rocket(story).orElseThrow().over(RESET_MS + 60_000)).isFalse();

        story.whenAt(RESET_MS + 60_000, launch("r4", 1, RESET_MS - 1))
                .then(
                        new LaunchDone(5, true),
                        new RoomRocketLaunched("r4", 1, Optional.of(fueling("r5", 1, 0, RESET_MS + DAY_MS))));
    }

    @Test
    @DisplayName("ROCKET-1, ROCKET-3")
    void whatIsGivenBeforeALateLaunchIsForTheNewDay() {
        Story story = party().whenAt(RESET_MS - 2_001, gift(65))
                .whenAt(RESET_MS, gift(7))
                .whenAt(RESET_MS + 1, gift(8));
        story.whenAt(RESET_MS + 60_000, launch("r4", 1, RESET_MS - 1))
                .then(
                        new LaunchDone(7, true),
                        new RoomRocketLaunched("r4", 1, Optional.of(fueling("r7", 1, 0, RESET_MS + DAY_MS))),
                        new RoomRocketFuelChanged(Optional.of(fueling("r7", 1, 15, RESET_MS + DAY_MS))));
    }

    @Test
    void theFirstGiftOfADayBeginsAnew() {
        Story story = party().whenAt(RESET_MS - 1, gift(49));
        assertThat(rocket(story).orElseThrow().over(RESET_MS - 1)).isFalse();
        assertThat(rocket(story).orElseThrow().over(RESET_MS)).isTrue();

        story.whenAt(RESET_MS, gift(1));
        assertThat(rocket(story)).contains(fueling("r5", 1, 1, RESET_MS + DAY_MS));
    }

    @Test
    void withoutAPlanThereIsNoRocket() {
        Fuel fuel = new Fuel(50, RocketPlan.NONE);
        assertThat(rocket(party().whenAt(NOON_MS, gift(Story.BEN, Story.CARA, fuel))))
                .isEmpty();
        assertThat(rocket(party().whenAt(NOON_MS, gift(0)))).isEmpty();

        LaunchRocket planGone = new LaunchRocket("r4", 1, NOON_MS + 2_000, RocketPlan.NONE);
        ignitedAtNoon()
                .whenAt(NOON_MS + 2_000, planGone)
                .then(new LaunchDone(5, true), new RoomRocketLaunched("r4", 1, Optional.empty()));
        party().whenAt(RESET_MS - 1, gift(50))
                .whenAt(RESET_MS + 1_999, new LaunchRocket("r4", 1, RESET_MS + 1_999, RocketPlan.NONE))
                .then(new LaunchDone(5, false), new RoomRocketFuelChanged(Optional.empty()));
    }

    @Test
    void aPlanThatHasChangedCountsForTheNextRocket() {
        RocketPlan oneLevel = new RocketPlan(List.of(new Level(10, 100)), LocalTime.MIDNIGHT, ZoneId.of("UTC"));
        Story story = party().whenAt(NOON_MS, gift(140)).whenAt(NOON_MS + 2_000, launch("r4", 1, NOON_MS + 2_000));
        story.whenAt(NOON_MS + 7_000, new LaunchRocket("r5", 2, NOON_MS + 7_000, oneLevel));
        assertThat(rocket(story))
                .contains(new Rocket("r6", 1, Status.IGNITED, 10, 10, NOON_MS + 7_100, RESET_MS, new Next(2, 0, "")));
    }

    @Test
    @DisplayName("ROCKET-2: its room")
    void theEndOfTheRoomIsTheEndOfItsRocket() {
        Story story = ignitedAtNoon().when(new Lifecycle.CloseRoom(Story.OWNER));
        assertThat(rocket(story)).isEmpty();
        story.whenAt(NOON_MS + 2_000, launch("r4", 1, NOON_MS + 2_000)).thenRejected(Rejection.Reason.ROOM_CLOSED);
    }

    @Test
    @DisplayName("LEASE-14")
    void aRoomWhoseRocketWaitsStaysLoaded() {
        Story story = ignitedAtNoon().when(new Presence.LeaveRoom(Story.BEN)).when(new Presence.LeaveRoom(Story.CARA));
        assertThat(story.state().onlineCount()).isZero();
        assertThat(story.state().live()).isTrue();

        story.whenAt(NOON_MS + 2_000, launch("r4", 1, NOON_MS + 2_000));
        assertThat(story.state().live()).isFalse();
    }

    @Test
    @DisplayName("B35: fuel never wraps around")
    void fuelStopsAtTheMostThereIs() {
        Story story = party().whenAt(NOON_MS, gift(Long.MAX_VALUE)).whenAt(NOON_MS, gift(Long.MAX_VALUE));
        assertThat(rocket(story).orElseThrow().next().fuel()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aDayIsOverByTheClockOfItsZone() {
        RocketPlan berlin = new RocketPlan(PLAN.levels(), LocalTime.of(2, 30), ZoneId.of("Europe/Berlin"));
        assertThat(next(berlin, "2026-01-10T01:29:59.999Z")).isEqualTo("2026-01-10T01:30:00Z");
        assertThat(next(berlin, "2026-01-10T01:30:00Z")).isEqualTo("2026-01-11T01:30:00Z");
        // There is no 02:30 on that day, and there are two of them on the other.
        assertThat(next(berlin, "2026-03-28T12:00:00Z")).isEqualTo("2026-03-29T01:30:00Z");
        assertThat(next(berlin, "2026-10-24T12:00:00Z")).isEqualTo("2026-10-25T00:30:00Z");
        assertThat(next(berlin, "2026-10-25T00:30:00Z")).isEqualTo("2026-10-26T01:30:00Z");
    }

    private static String next(RocketPlan plan, String now) {
        return Instant.ofEpochMilli(plan.nextResetMs(Instant.parse(now).toEpochMilli()))
                .toString();
    }

    @Test
    void aLevelKeepsItsRanges() {
        assertThatThrownBy(() -> new Level(0, 0)).hasMessageContaining("fuel capacity");
        assertThatThrownBy(() -> new Level(1, -1)).hasMessageContaining("launch delay");
        assertThatThrownBy(() -> new Level(1, DAY_MS + 1)).hasMessageContaining("launch delay");
        assertThat(new Level(1, DAY_MS).launchDelayMs()).isEqualTo(DAY_MS);
    }
}
