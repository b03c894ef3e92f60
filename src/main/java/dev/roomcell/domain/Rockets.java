package dev.roomcell.domain;

import dev.roomcell.domain.Rocket.Next;
import dev.roomcell.domain.Rocket.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Rockets: gifts give them fuel, a full one ignites, and launches when its time has come (ROCKET-1). A room has one at a
 * time; the first gift of a day begins one of level 1, and a launch the one of the next level.
 */
public final class Rockets {
    private Rockets() {}

    /**
     * What a gift is worth to the rocket of its room; nothing that its sender says.
     *
     * @param amount of fuel, all pieces together; 0 and up, stops at {@link Long#MAX_VALUE}
     * @param plan how the app's rockets are now
     */
    public record Fuel(long amount, RocketPlan plan) {
        /** None. */
        public static final Fuel NONE = new Fuel(0, RocketPlan.NONE);
    }

    /**
     * The room's own command (CMD-5) that launches a rocket, if all is still as it was when its time was fixed (ROCKET-2).
     *
     * @param rocketId which
     * @param level of which level
     * @param launchAtMs its time, epoch ms
     * @param plan how the app's rockets are now; no part of the wish
     */
    public record LaunchRocket(String rocketId, int level, long launchAtMs, RocketPlan plan) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.LAUNCH_ROCKET;
        }

        @Override
        public String actorUserId() {
            return "";
        }
    }

    /**
     * The rocket got fuel; or a day is over, and another rocket, or none, is in the place of an ignited one.
     *
     * @param rocket as it is now; empty when there is none any more
     */
    public record RoomRocketFuelChanged(Optional<Rocket> rocket) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_ROCKET_FUEL_CHANGED;
        }
    }

    /**
     * The rocket is full.
     *
     * @param rocket as it is now
     * @param igniterUserId who gave the last of the fuel
     */
    public record RoomRocketIgnited(Rocket rocket, String igniterUserId) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_ROCKET_IGNITED;
        }
    }

    /**
     * The rocket launched (ROCKET-3).
     *
     * @param rocketId which
     * @param level of which level
     * @param next the one that takes fuel now; empty where there are no rockets any more
     */
    public record RoomRocketLaunched(String rocketId, int level, Optional<Rocket> next) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_ROCKET_LAUNCHED;
        }
    }

    /**
     * What became of a {@link LaunchRocket}, for the log.
     *
     * @param roomVersion the room's version after it
     * @param launched whether it was launched with it
     */
    public record LaunchDone(long roomVersion, boolean launched) implements CommandResult {}

    /** When the rocket launches that is ignited, if one is; epoch ms. */
    public static OptionalLong launchAtMs(RoomState state) {
        return state.rocket()
                .filter(Rocket::ignited)
                .map(rocket -> OptionalLong.of(rocket.launchAtMs()))
                .orElse(OptionalLong.empty());
    }

    /** Which rocket is ignited, if one is. Where nothing delays a launch, it and the next may have the same time. */
    public static Optional<String> ignitedId(RoomState state) {
        return state.rocket().filter(Rocket::ignited).map(Rocket::id);
    }

    /** What {@code fuel} of {@code giver} does to the room's rocket. */
    static List<RoomEvent> fueled(RoomState state, Fuel fuel, String giver, Stamp stamp) {
        if (fuel.amount() <= 0 || !fuel.plan().offersRockets()) {
            return List.of();
        }
        Rocket before = state.rocket()
                .filter(rocket -> !rocket.over(stamp.atMs()))
                .orElseGet(() -> fresh(1, fuel.plan(), stamp));
        Rocket after = before.fueled(fuel.amount(), giver, fuel.plan(), stamp.atMs());
        return List.of(
                after.ignited() && !before.ignited()
                        ? new RoomRocketIgnited(after, giver)
                        : new RoomRocketFuelChanged(Optional.of(after)));
    }

    /** No version begins two of them. */
    private static Rocket fresh(int level, RocketPlan plan, Stamp stamp) {
        int existing = plan.clamped(level);
        return new Rocket(
                "r" + stamp.version(),
                existing,
                Status.FUELING,
                0,
                plan.level(existing).fuelCapacity(),
                0,
                plan.nextResetMs(stamp.atMs()),
                Next.NONE);
    }

    static Decision launch(RoomState state, LaunchRocket command, Stamp stamp) {
        Optional<Rocket> waiting = state.rocket().filter(rocket -> isDue(rocket, command, stamp.atMs()));
        if (waiting.isEmpty()) {
            return Decision.Unchanged.answering(new LaunchDone(state.version(), false));
        }
        Rocket rocket = waiting.get();
        RocketPlan plan = command.plan();
        if (rocket.over(stamp.atMs())) {
            Optional<Rocket> anew = plan.offersRockets() ? Optional.of(fresh(1, plan, stamp)) : Optional.empty();
            return new Decision.Accepted(
                    List.of(new RoomRocketFuelChanged(anew)), new LaunchDone(stamp.version(), false));
        }
        // Late, and the day is another one: nothing is carried into it.
        Next next = stamp.atMs() >= rocket.resetAtMs() ? new Next(1, 0, "") : rocket.next();
        List<RoomEvent> events = new ArrayList<>();
        if (plan.offersRockets()) {
            Rocket empty = fresh(next.level(), plan, stamp);
            Rocket begun = next.fuel() == 0 ? empty : empty.fueled(next.fuel(), next.lastGiver(), plan, stamp.atMs());
            events.add(new RoomRocketLaunched(rocket.id(), rocket.level(), Optional.of(empty)));
            if (begun.ignited()) {
                events.add(new RoomRocketIgnited(begun, next.lastGiver()));
            } else if (begun.fuel() > 0) {
                events.add(new RoomRocketFuelChanged(Optional.of(begun)));
            }
        } else {
            events.add(new RoomRocketLaunched(rocket.id(), rocket.level(), Optional.empty()));
        }
        return new Decision.Accepted(events, new LaunchDone(stamp.version(), true));
    }

    /** Whether it is the rocket that was meant, as it was meant, and its time has come (ROCKET-2). */
    private static boolean isDue(Rocket rocket, LaunchRocket command, long atMs) {
        return rocket.id().equals(command.rocketId())
                && rocket.level() == command.level()
                && rocket.ignited()
                && rocket.launchAtMs() == command.launchAtMs()
                && atMs >= rocket.launchAtMs();
    }

    static RoomState evolve(RoomState state, RoomRocketFuelChanged event) {
        return state.withRocket(event.rocket());
    }

    static RoomState evolve(RoomState state, RoomRocketIgnited event) {
        return state.withRocket(Optional.of(event.rocket()));
    }

    static RoomState evolve(RoomState state, RoomRocketLaunched event) {
        return state.withRocket(event.next());
    }
}
