package dev.roomcell.adapter.codec;

import dev.roomcell.domain.Rocket;
import dev.roomcell.domain.Rockets;
import dev.roomcell.domain.Stamp;
import dev.roomcell.proto.room.v1.RocketSnapshot;
import dev.roomcell.proto.room.v1.RocketStatus;
import dev.roomcell.proto.room.v1.RoomRocketFuelChanged;
import dev.roomcell.proto.room.v1.RoomRocketIgnited;
import dev.roomcell.proto.room.v1.RoomRocketLaunched;
import java.util.Optional;

/** Rockets as clients see them. */
final class PublicRockets {
    private PublicRockets() {}

    /** A rocket as it stands. */
    static RocketSnapshot snapshot(Rocket rocket) {
        return RocketSnapshot.newBuilder()
                .setRocketId(rocket.id())
                .setLevel(rocket.level())
                .setStatus(
                        switch (rocket.status()) {
                            case FUELING -> RocketStatus.ROCKET_STATUS_FUELING;
                            case IGNITED -> RocketStatus.ROCKET_STATUS_IGNITED;
                        })
                .setFuel(rocket.fuel())
                .setFuelCapacity(rocket.fuelCapacity())
                .setLaunchAtMs(rocket.launchAtMs())
                .build();
    }

    static RoomRocketFuelChanged fuel(Optional<Rocket> rocket) {
        RoomRocketFuelChanged.Builder changed = RoomRocketFuelChanged.newBuilder();
        rocket.ifPresent(there -> changed.setRocketId(there.id())
                .setLevel(there.level())
                .setFuel(there.fuel())
                .setFuelCapacity(there.fuelCapacity()));
        return changed.build();
    }

    static RoomRocketIgnited ignited(Rockets.RoomRocketIgnited event) {
        return RoomRocketIgnited.newBuilder()
                .setRocketId(event.rocket().id())
                .setLevel(event.rocket().level())
                .setLaunchAtMs(event.rocket().launchAtMs())
                .setIgniterUserId(event.igniterUserId())
                .build();
    }

    static RoomRocketLaunched launched(Rockets.RoomRocketLaunched event, Stamp stamp) {
        return RoomRocketLaunched.newBuilder()
                .setRocketId(event.rocketId())
                .setLevel(event.level())
                .setLaunchedAtMs(stamp.atMs())
                .build();
    }
}
