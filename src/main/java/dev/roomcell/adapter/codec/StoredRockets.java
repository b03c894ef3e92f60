package dev.roomcell.adapter.codec;

import dev.roomcell.domain.Rocket;
import dev.roomcell.domain.Rocket.Next;
import dev.roomcell.domain.RocketPlan;
import dev.roomcell.domain.Rockets;
import dev.roomcell.port.RoomCodec.UnreadableException;
import dev.roomcell.proto.internal.v1.LaunchRocketCommand;
import dev.roomcell.proto.internal.v1.RoomRocketFuelChangedEvent;
import dev.roomcell.proto.internal.v1.RoomRocketIgnitedEvent;
import dev.roomcell.proto.internal.v1.RoomRocketLaunchedEvent;
import dev.roomcell.proto.internal.v1.StoredRocket;
import dev.roomcell.proto.internal.v1.StoredRocketPlan;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rockets in their stored form. */
final class StoredRockets {
    private StoredRockets() {}

    static StoredRocket encode(Rocket rocket) {
        return StoredRocket.newBuilder()
                .setId(rocket.id())
                .setLevel(rocket.level())
                .setStatus(rocket.status().name())
                .setFuel(rocket.fuel())
                .setFuelCapacity(rocket.fuelCapacity())
                .setLaunchAtMs(rocket.launchAtMs())
                .setResetAtMs(rocket.resetAtMs())
                .setNextLevel(rocket.next().level())
                .setNextFuel(rocket.next().fuel())
                .setNextGiver(rocket.next().lastGiver())
                .build();
    }

    static Rocket decode(StoredRocket stored) {
        return new Rocket(
                stored.getId(),
                stored.getLevel(),
                StoredForm.name(Rocket.Status.class, stored.getStatus()),
                stored.getFuel(),
                stored.getFuelCapacity(),
                stored.getLaunchAtMs(),
                stored.getResetAtMs(),
                new Next(stored.getNextLevel(), stored.getNextFuel(), stored.getNextGiver()));
    }

    static LaunchRocketCommand encode(Rockets.LaunchRocket launch) {
        LaunchRocketCommand.Builder stored = LaunchRocketCommand.newBuilder()
                .setRocketId(launch.rocketId())
                .setLevel(launch.level())
                .setLaunchAtMs(launch.launchAtMs());
        if (launch.plan().offersRockets()) {
            stored.setPlan(encode(launch.plan()));
        }
        return stored.build();
    }

    static StoredRocketPlan encode(RocketPlan plan) {
        StoredRocketPlan.Builder stored = StoredRocketPlan.newBuilder()
                .setResetAt(plan.resetAt().toString())
                .setZone(plan.zone().getId());
        for (RocketPlan.Level level : plan.levels()) {
            stored.addFuelCapacities(level.fuelCapacity()).addLaunchDelaysMs(level.launchDelayMs());
        }
        return stored.build();
    }

    static RocketPlan decode(StoredRocketPlan stored) {
        if (stored.getFuelCapacitiesCount() == 0) {
            return RocketPlan.NONE;
        }
        if (stored.getFuelCapacitiesCount() != stored.getLaunchDelaysMsCount()) {
            throw new UnreadableException("a rocket plan whose levels are not complete");
        }
        try {
            List<RocketPlan.Level> levels = new ArrayList<>();
            for (int i = 0; i < stored.getFuelCapacitiesCount(); i++) {
                levels.add(new RocketPlan.Level(stored.getFuelCapacities(i), stored.getLaunchDelaysMs(i)));
            }
            return new RocketPlan(levels, LocalTime.parse(stored.getResetAt()), ZoneId.of(stored.getZone()));
        } catch (DateTimeException | IllegalArgumentException senseless) {
            throw new UnreadableException("a rocket plan: " + senseless.getMessage());
        }
    }

    static Rockets.LaunchRocket decode(LaunchRocketCommand stored) {
        return new Rockets.LaunchRocket(
                stored.getRocketId(), stored.getLevel(), stored.getLaunchAtMs(), decode(stored.getPlan()));
    }

    static RoomRocketFuelChangedEvent encode(Rockets.RoomRocketFuelChanged changed) {
        RoomRocketFuelChangedEvent.Builder stored = RoomRocketFuelChangedEvent.newBuilder();
        changed.rocket().map(StoredRockets::encode).ifPresent(stored::setRocket);
        return stored.build();
    }

    static Rockets.RoomRocketFuelChanged decode(RoomRocketFuelChangedEvent stored) {
        return new Rockets.RoomRocketFuelChanged(
                stored.hasRocket() ? Optional.of(decode(stored.getRocket())) : Optional.empty());
    }

    static RoomRocketIgnitedEvent encode(Rockets.RoomRocketIgnited ignited) {
        return RoomRocketIgnitedEvent.newBuilder()
                .setRocket(encode(ignited.rocket()))
                .setIgniterUserId(ignited.igniterUserId())
                .build();
    }

    static Rockets.RoomRocketIgnited decode(RoomRocketIgnitedEvent stored) {
        return new Rockets.RoomRocketIgnited(decode(stored.getRocket()), stored.getIgniterUserId());
    }

    static RoomRocketLaunchedEvent encode(Rockets.RoomRocketLaunched launched) {
        RoomRocketLaunchedEvent.Builder stored = RoomRocketLaunchedEvent.newBuilder()
                .setRocketId(launched.rocketId())
                .setLevel(launched.level());
        launched.next().map(StoredRockets::encode).ifPresent(stored::setNext);
        return stored.build();
    }

    static Rockets.RoomRocketLaunched decode(RoomRocketLaunchedEvent stored) {
        return new Rockets.RoomRocketLaunched(
                stored.getRocketId(),
                stored.getLevel(),
                stored.hasNext() ? Optional.of(decode(stored.getNext())) : Optional.empty());
    }
}
