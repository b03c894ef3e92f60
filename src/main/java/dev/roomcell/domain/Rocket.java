package dev.roomcell.domain;

/**
 * The rocket of a room, from its first fuel to its launch.
 *
 * @param id names it in its room; never used again
 * @param level 1 and up
 * @param status what it does
 * @param fuel 0..{@code fuelCapacity}
 * @param fuelCapacity what fills it, as it was when it began; at least 1
 * @param launchAtMs when it launches, epoch ms; 0 unless ignited
 * @param resetAtMs when its day is over, epoch ms
 * @param next what comes after it
 */
public record Rocket(
        String id, int level, Status status, long fuel, long fuelCapacity, long launchAtMs, long resetAtMs, Next next) {

    /** What a rocket does. The names are stored: never rename one. */
    public enum Status {
        /** Takes fuel. Goes to IGNITED. */
        FUELING,
        /** Full; waits for its time. */
        IGNITED
    }

    /**
     * What the rocket after an ignited one begins with.
     *
     * @param level which level it is of, 1 and up; 0 while the one before takes fuel
     * @param fuel what was given meanwhile; stops at {@link Long#MAX_VALUE}
     * @param lastGiver who gave the last of it; empty if nobody did
     */
    public record Next(int level, long fuel, String lastGiver) {
        /** Nothing yet. */
        public static final Next NONE = new Next(0, 0, "");
    }

    /** Whether it waits to be launched. */
    public boolean ignited() {
        return status == Status.IGNITED;
    }

    /**
     * Whether a new day has put an end to it. One that was to launch in its own day still does, however late (ROCKET-3).
     */
    public boolean over(long atMs) {
        return atMs >= resetAtMs && !(ignited() && launchAtMs < resetAtMs);
    }

    /** More fuel; a full one ignites, and what is too much goes to the next (ROCKET-1). */
    Rocket fueled(long more, String giver, RocketPlan plan, long atMs) {
        if (ignited()) {
            // Its own launch is late, and the day is another one: what is given now is that day's.
            return atMs >= resetAtMs
                    ? with(status, fuel, launchAtMs, plan.nextResetMs(atMs), new Next(1, more, giver))
                    : with(
                            status,
                            fuel,
                            launchAtMs,
                            resetAtMs,
                            new Next(next.level, GiftBoard.plus(next.fuel, more), giver));
        }
        long sum = GiftBoard.plus(fuel, more);
        if (sum < fuelCapacity) {
            return with(Status.FUELING, sum, 0, resetAtMs, Next.NONE);
        }
        long tooMuch = sum - fuelCapacity;
        return with(
                Status.IGNITED,
                fuelCapacity,
                atMs + plan.level(level).launchDelayMs(),
                resetAtMs,
                new Next(level + 1, tooMuch, tooMuch > 0 ? giver : ""));
    }

    private Rocket with(Status newStatus, long newFuel, long newLaunchAtMs, long newResetAtMs, Next newNext) {
        return new Rocket(id, level, newStatus, newFuel, fuelCapacity, newLaunchAtMs, newResetAtMs, newNext);
    }

    /** This rocket, when it is one that can be; see {@link RoomState#checked}. */
    boolean sound() {
        boolean full = fuel == fuelCapacity;
        return !id.isEmpty()
                && level >= 1
                && fuel >= 0
                && fuel <= fuelCapacity
                && ignited() == full
                && ignited() == launchAtMs > 0
                && ignited() == next.level > 0;
    }
}
