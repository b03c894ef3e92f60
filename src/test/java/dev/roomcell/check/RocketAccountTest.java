package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Rocket;
import dev.roomcell.domain.Rockets.RoomRocketFuelChanged;
import dev.roomcell.domain.Rockets.RoomRocketIgnited;
import dev.roomcell.domain.Rockets.RoomRocketLaunched;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.Stamp;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a rocket must not do once it has ignited is found: it launches at its time, or its day or its room ends before. */
@DisplayName("I13")
class RocketAccountTest {
    private static final long LAUNCH_AT_MS = 1_000;
    private static final long LONG_AFTER_MS = 5_000;

    private final Findings findings = new Findings(new RoomKey("lala", "tea"));
    private final RocketAccount account = new RocketAccount(findings);
    private long version;

    private static Rocket rocket(String id, long launchAtMs, long resetAtMs) {
        return new Rocket(
                id,
                1,
                launchAtMs > 0 ? Rocket.Status.IGNITED : Rocket.Status.FUELING,
                launchAtMs > 0 ? 10 : 3,
                10,
                launchAtMs,
                resetAtMs,
                launchAtMs > 0 ? new Rocket.Next(2, 0, "") : Rocket.Next.NONE);
    }

    /** One that is to launch at {@link #LAUNCH_AT_MS}. */
    private static Rocket waiting(long resetAtMs) {
        return rocket("r1", LAUNCH_AT_MS, resetAtMs);
    }

    private void happens(long atMs, RoomEvent event) {
        account.apply(new Stamp(++version, atMs), List.of(event));
    }

    private void ignites(Rocket rocket) {
        happens(500, new RoomRocketIgnited(rocket, "ann"));
    }

    private void launches(long atMs) {
        happens(atMs, new RoomRocketLaunched("r1", 1, Optional.empty()));
    }

    private void assertFound(String what) {
        assertThat(findings.violations()).hasSize(1);
        assertThat(findings.violations().get(0).invariant()).isEqualTo(Invariant.I13);
        assertThat(findings.violations().get(0).message()).contains(what);
    }

    private void assertNothingFound() {
        assertThat(findings.violations()).isEmpty();
    }

    @Test
    void launchesAtItsTimeOrLaterAlsoOnTheNextDay() {
        ignites(waiting(LAUNCH_AT_MS + 1));
        launches(LONG_AFTER_MS);

        assertNothingFound();
    }

    @Test
    void mustNotLaunchBeforeItsTime() {
        ignites(waiting(LONG_AFTER_MS));
        launches(LAUNCH_AT_MS - 1);

        assertFound("before its time");
    }

    @Test
    void mustNotLaunchWhenItsDayEndedNoLaterThanItsTime() {
        ignites(waiting(LAUNCH_AT_MS));
        launches(LONG_AFTER_MS);

        assertFound("its day was over");
    }

    @Test
    void givesWayToAnotherWhenItsDayIsOver() {
        ignites(waiting(LAUNCH_AT_MS));
        happens(LAUNCH_AT_MS, new RoomRocketFuelChanged(Optional.of(rocket("r2", 0, LONG_AFTER_MS))));

        assertNothingFound();
    }

    @Test
    void mustNotGiveWayBeforeItsDayIsOver() {
        ignites(waiting(LAUNCH_AT_MS));
        happens(LAUNCH_AT_MS - 1, new RoomRocketFuelChanged(Optional.empty()));

        assertFound("never launches");
    }

    @Test
    void mustNotGiveWayWhenItIsToLaunchInItsDay() {
        ignites(waiting(LAUNCH_AT_MS + 1));
        happens(LONG_AFTER_MS, new RoomRocketIgnited(rocket("r2", LONG_AFTER_MS, LONG_AFTER_MS), "ben"));

        assertFound("never launches");
    }

    @Test
    void mayGetFuelForTheNextWhileItWaits() {
        ignites(waiting(LONG_AFTER_MS));
        happens(600, new RoomRocketFuelChanged(Optional.of(waiting(LONG_AFTER_MS))));
        launches(LAUNCH_AT_MS);

        assertNothingFound();
    }

    @Test
    void mustNotGetAnotherTimeWhileItWaits() {
        ignites(waiting(LONG_AFTER_MS));
        happens(600, new RoomRocketFuelChanged(Optional.of(rocket("r1", LAUNCH_AT_MS + 1, LONG_AFTER_MS))));

        assertFound("is another one while it waits");
    }

    @Test
    void mustNotBeDueBeforeItIgnites() {
        happens(LONG_AFTER_MS, new RoomRocketIgnited(waiting(LONG_AFTER_MS), "ann"));

        assertFound("before it ignites");
    }

    @Test
    void endsWithItsRoom() {
        ignites(waiting(LONG_AFTER_MS));
        happens(LAUNCH_AT_MS, new Lifecycle.RoomClosed(Lifecycle.CloseCause.CLOSED_BY_OWNER, 0));

        assertNothingFound();
    }
}
