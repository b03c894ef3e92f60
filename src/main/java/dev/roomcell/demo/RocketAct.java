package dev.roomcell.demo;

import static dev.roomcell.demo.Party.guest;
import static dev.roomcell.demo.Stage.done;

import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.RocketSnapshot;
import dev.roomcell.proto.room.v1.RocketStatus;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * The rocket of the party: gifts fill it, the one that fills it ignites it, it launches at its time, and the next one
 * begins with what was too much. With the rockets that development has: 20 fuel and 1.5 seconds, then 100.
 */
final class RocketAct {
    private static final long CAPACITY = 20;
    private static final long NEXT_CAPACITY = 100;
    private static final long DELAY_MS = 1_500;
    /** The pieces of all gifts before this act, each of which gives 1. */
    private static final long GIVEN_BEFORE = 14;
    /** What may come late: messages, and the launch on a machine that is busy, ms. */
    private static final long LAG_MS = 3_000;
    /** The time of day in UTC at which every rocket that takes fuel is over, ms. */
    private static final long RESET_MS = 5 * 3_600_000L;

    private static final long DAY_MS = 86_400_000L;
    /** Nobody begins to give so shortly before it, ms: longer than the rest of the party takes. */
    private static final long QUIET_MS = 40_000;

    private final Stage stage;
    private final Guests guests;
    private final Backstage backstage;
    private final String room;
    private RocketSnapshot ignited = RocketSnapshot.getDefaultInstance();

    RocketAct(Stage stage, Guests guests, Backstage backstage, String room) {
        this.stage = stage;
        this.guests = guests;
        this.backstage = backstage;
        this.room = room;
    }

    /** Waits until the rocket's day is long enough for the rest of the party; at once, but for a moment a day. */
    void awaitItsDay() {
        stage.within(
                QUIET_MS + LAG_MS,
                () -> done(guests.get()).getServerTimeMs(),
                nowMs -> Math.floorMod(RESET_MS - nowMs, DAY_MS) > QUIET_MS);
    }

    void play() {
        fuel();
        ignition();
        launch();
    }

    private void fuel() {
        stage.step("the gifts have fueled a rocket: level 1, " + GIVEN_BEFORE + " of " + CAPACITY, step -> {
            RocketSnapshot rocket = done(guests.get()).getRoom().getRocket();
            step.equal("level", 1, rocket.getLevel());
            step.equal("status", RocketStatus.ROCKET_STATUS_FUELING, rocket.getStatus());
            step.equal("fuel", GIVEN_BEFORE, rocket.getFuel());
            step.equal("fuel_capacity", CAPACITY, rocket.getFuelCapacity());
            if (backstage.seesMessages()) {
                String fuel = stage.within(LAG_MS, this::fuelTold, told -> told.equals(Long.toString(GIVEN_BEFORE)));
                step.equal("the last that clients were told", Long.toString(GIVEN_BEFORE), fuel);
            }
        });
    }

    /** The fuel in the last message about it; empty if there is none. */
    private String fuelTold() {
        List<JsonObject> told = messages("ROOM_ROCKET_FUEL_CHANGED");
        return told.isEmpty()
                ? ""
                : told.get(told.size() - 1).getJsonObject("payload").getString("fuel");
    }

    private List<JsonObject> messages(String type) {
        return backstage.messages(guests.app(), room, type);
    }

    private void ignition() {
        stage.step("the gift that fills it ignites it, and what is given now is for the next", step -> {
            done(guests.give(guest(9), "rose", 9, "fuel", guest(10)));
            ignited = done(guests.get()).getRoom().getRocket();
            step.equal("level", 1, ignited.getLevel());
            step.equal("status", RocketStatus.ROCKET_STATUS_IGNITED, ignited.getStatus());
            step.equal("fuel", CAPACITY, ignited.getFuel());
            step.that("launch_at_ms > 0", ignited.getLaunchAtMs() > 0, ignited.getLaunchAtMs());
            done(guests.give(guest(11), "rose", 2, "fuel-2", guest(12)));
            if (backstage.seesMessages()) {
                List<JsonObject> told =
                        stage.within(LAG_MS, () -> messages("ROOM_ROCKET_IGNITED"), ignitions -> !ignitions.isEmpty());
                step.equal("ignitions told", 1, told.size());
                JsonObject payload = told.get(0).getJsonObject("payload");
                step.equal("igniter_user_id", guest(9), payload.getString("igniter_user_id"));
                step.equal("launch_at_ms", Long.toString(ignited.getLaunchAtMs()), payload.getString("launch_at_ms"));
            }
        });
    }

    private void launch() {
        stage.step("it launches at its time, once; the next one, of level 2, has what was too much", step -> {
            GetRoomResponse after = stage.within(
                    DELAY_MS + LAG_MS,
                    () -> done(guests.get()),
                    now -> !now.getRoom().getRocket().getRocketId().equals(ignited.getRocketId()));
            RocketSnapshot next = after.getRoom().getRocket();
            step.that("not before its time", after.getServerTimeMs() >= ignited.getLaunchAtMs(), after);
            step.that("another rocket", !next.getRocketId().equals(ignited.getRocketId()), next);
            step.equal("level", 2, next.getLevel());
            step.equal("status", RocketStatus.ROCKET_STATUS_FUELING, next.getStatus());
            step.equal("fuel", GIVEN_BEFORE + 9 + 2 - CAPACITY, next.getFuel());
            step.equal("fuel_capacity", NEXT_CAPACITY, next.getFuelCapacity());
            if (backstage.seesMessages()) {
                List<JsonObject> told =
                        stage.within(LAG_MS, () -> messages("ROOM_ROCKET_LAUNCHED"), launches -> !launches.isEmpty());
                step.equal("launches told", 1, told.size());
                long lateMs =
                        Long.parseLong(told.get(0).getJsonObject("payload").getString("launched_at_ms"))
                                - ignited.getLaunchAtMs();
                step.that("launched at its time", lateMs >= 0 && lateMs < LAG_MS, lateMs + " ms late");
            }
        });
    }
}
