package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Rocket;
import dev.roomcell.domain.Rockets.RoomRocketFuelChanged;
import dev.roomcell.domain.Rockets.RoomRocketIgnited;
import dev.roomcell.domain.Rockets.RoomRocketLaunched;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An account of what became of every rocket that ignited (I13), from the events and their stamps alone. How late it
 * launched, and whether one that waits does so for too long, is for whoever knows what was in its way.
 */
public final class RocketAccount {
    private final Findings findings;
    private final List<Flight> flights = new ArrayList<>();
    private @Nullable Waiting waiting;

    private record Waiting(Rocket rocket, Stamp ignited) {}

    /** What becomes of a rocket that ignited. */
    public enum End {
        /** It launched. */
        LAUNCHED,
        /** The end of its day came no later than its launch. */
        DAY_OVER,
        /** The room ended before. */
        ROOM_CLOSED,
        /** The log ends before. */
        WAITS
    }

    /**
     * A rocket from its ignition on.
     *
     * @param rocket as it was when it ignited
     * @param ignitedVersion the room version that ignited it
     * @param ignitedAtMs by whose stamp, epoch ms
     * @param end what became of it
     * @param endVersion the version that did that; the last one for {@link End#WAITS}
     */
    public record Flight(Rocket rocket, long ignitedVersion, long ignitedAtMs, End end, long endVersion) {}

    RocketAccount(Findings findings) {
        this.findings = findings;
    }

    /**
     * The flights of a room, in their order; what is wrong with them {@link HistoryChecker} tells.
     *
     * @param log the room's log, by version, without gaps
     */
    public static List<Flight> flights(RoomKey room, Iterable<LogRow> log, RoomCodec codec) {
        RocketAccount account = new RocketAccount(new Findings(room));
        long last = 0;
        for (LogRow row : log) {
            account.apply(new Stamp(row.version(), row.atMs()), codec.decodeEvents(row.events()));
            last = row.version();
        }
        account.end(End.WAITS, last);
        return List.copyOf(account.flights);
    }

    /** The account begins with what a snapshot says: of a rocket that waits in it, not when it ignited. */
    void begins(RoomState base) {
        base.rocket()
                .filter(Rocket::ignited)
                .ifPresent(rocket -> waiting = new Waiting(rocket, new Stamp(base.version(), rocket.launchAtMs())));
    }

    void apply(Stamp stamp, List<RoomEvent> events) {
        for (RoomEvent event : events) {
            switch (event.type()) {
                case ROOM_ROCKET_IGNITED -> ignited(stamp, ((RoomRocketIgnited) event).rocket());
                case ROOM_ROCKET_LAUNCHED -> launched(stamp, (RoomRocketLaunched) event);
                case ROOM_ROCKET_FUEL_CHANGED -> changed(stamp, ((RoomRocketFuelChanged) event).rocket());
                case ROOM_CLOSED -> end(End.ROOM_CLOSED, stamp.version());
                case ROOM_CREATED,
                        ROOM_USER_JOINED,
                        ROOM_USER_LEFT,
                        ROOM_USER_KICKED,
                        ROOM_USER_UNBANNED,
                        ROOM_GIFT_SENT,
                        ROOM_MIC_CHANGED,
                        ROOM_MIC_SEAT_LOCKED,
                        ROOM_PROFILE_UPDATED,
                        ROOM_BACKGROUND_CHANGED,
                        ROOM_CHAT_ENABLED_CHANGED,
                        ROOM_ADMIN_CHANGED,
                        ROOM_USER_MUTED -> {
                    // No rocket's business.
                }
            }
        }
    }

    private void ignited(Stamp stamp, Rocket rocket) {
        replaced(stamp, "another one ignites");
        require(rocket.launchAtMs() >= stamp.atMs(), stamp, () -> "is to launch before it ignites: " + rocket);
        waiting = new Waiting(rocket, stamp);
    }

    private void launched(Stamp stamp, RoomRocketLaunched event) {
        Waiting ready = waiting;
        if (ready == null || !ready.rocket.id().equals(event.rocketId())) {
            // EventAccount knows which launches had an ignition before them.
            return;
        }
        Rocket rocket = ready.rocket;
        require(
                stamp.atMs() >= rocket.launchAtMs(),
                stamp,
                () -> "launches at " + stamp.atMs() + ", before its time: " + rocket);
        require(
                rocket.launchAtMs() < rocket.resetAtMs(),
                stamp,
                () -> "launches at " + stamp.atMs() + ", though its day was over by then: " + rocket);
        end(End.LAUNCHED, stamp.version());
    }

    private void changed(Stamp stamp, Optional<Rocket> now) {
        Waiting ready = waiting;
        if (ready == null) {
            return;
        }
        if (now.filter(rocket -> rocket.id().equals(ready.rocket.id())).isEmpty()) {
            replaced(stamp, "another one, or none, is in its place");
            return;
        }
        require(
                now.filter(rocket -> rocket.ignited() && rocket.launchAtMs() == ready.rocket.launchAtMs())
                        .isPresent(),
                stamp,
                () -> "is another one while it waits: " + ready.rocket + ", now " + now);
    }

    /** Only a day that ends no later than its launch puts an end to a rocket that waits. */
    private void replaced(Stamp stamp, String by) {
        Waiting ready = waiting;
        if (ready == null) {
            return;
        }
        Rocket rocket = ready.rocket;
        require(
                rocket.launchAtMs() >= rocket.resetAtMs() && stamp.atMs() >= rocket.resetAtMs(),
                stamp,
                () -> "never launches, as at " + stamp.atMs() + " " + by + ": " + rocket);
        end(End.DAY_OVER, stamp.version());
    }

    private void end(End end, long version) {
        Waiting ready = waiting;
        if (ready != null) {
            flights.add(new Flight(ready.rocket, ready.ignited.version(), ready.ignited.atMs(), end, version));
            waiting = null;
        }
    }

    private void require(boolean holds, Stamp stamp, Supplier<String> message) {
        findings.require(
                holds, Invariant.I13, () -> "version " + stamp.version() + ": a rocket that ignited " + message.get());
    }
}
