package dev.roomcell.domain;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;

/**
 * How the rockets of an app are: what fills each level, how long a full one waits, and when a day begins.
 *
 * @param levels from level 1 on; empty in an app without rockets
 * @param resetAt the time of day at which every room begins anew at level 1
 * @param zone where that time is told
 */
public record RocketPlan(List<Level> levels, LocalTime resetAt, ZoneId zone) {
    /** The plan of an app without rockets. */
    public static final RocketPlan NONE = new RocketPlan(List.of(), LocalTime.MIDNIGHT, ZoneId.of("UTC"));

    /** No full rocket waits longer, ms: a day, after which another one has begun. */
    public static final long LONGEST_LAUNCH_DELAY_MS = 86_400_000;

    /**
     * One level.
     *
     * @param fuelCapacity the fuel that fills it, at least 1
     * @param launchDelayMs how long it waits when it is full, ms, 0..{@link #LONGEST_LAUNCH_DELAY_MS}
     */
    public record Level(long fuelCapacity, long launchDelayMs) {
        /**
         * Keeps them in their ranges.
         *
         * @throws IllegalArgumentException naming the one that is outside
         */
        public Level {
            if (fuelCapacity < 1) {
                throw new IllegalArgumentException("fuel capacity " + fuelCapacity + ": at least 1");
            }
            if (launchDelayMs < 0 || launchDelayMs > LONGEST_LAUNCH_DELAY_MS) {
                throw new IllegalArgumentException(
                        "launch delay " + launchDelayMs + " ms: 0.." + LONGEST_LAUNCH_DELAY_MS);
            }
        }
    }

    /** Keeps a copy of {@code levels}. */
    public RocketPlan {
        levels = List.copyOf(levels);
    }

    /** Whether there are rockets at all. */
    public boolean offersRockets() {
        return !levels.isEmpty();
    }

    /** Level {@code number}, 1 and up; above the highest one, that one again. */
    Level level(int number) {
        return levels.get(clamped(number) - 1);
    }

    /** {@code number} as far as there are levels. */
    int clamped(int number) {
        return Math.min(number, levels.size());
    }

    /**
     * When the day of {@code atMs} is over, epoch ms; later than {@code atMs}. Where clocks are changed, a time that a day
     * leaves out comes as much later as the clock was put forward, and one that it has twice is the first of the two.
     */
    public long nextResetMs(long atMs) {
        ZonedDateTime now = Instant.ofEpochMilli(atMs).atZone(zone);
        ZonedDateTime reset = now.toLocalDate().atTime(resetAt).atZone(zone);
        if (reset.toInstant().toEpochMilli() <= atMs) {
            reset = now.toLocalDate().plusDays(1).atTime(resetAt).atZone(zone);
        }
        return reset.toInstant().toEpochMilli();
    }
}
