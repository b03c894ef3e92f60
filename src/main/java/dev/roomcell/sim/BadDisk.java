package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.sim.Fault.Strike;
import java.util.List;

/** A disk that flips bits of snapshots, but never of all that a room can be recovered from. */
final class BadDisk {
    private BadDisk() {}

    /** Damages a snapshot of about every other room. */
    static Strike strike(MemoryDatabase database, Dice dice) {
        for (RoomKey room : database.rooms()) {
            List<Snapshot> snapshots = database.snapshots(room);
            if (!snapshots.isEmpty() && dice.coin()) {
                Snapshot damaged = dice.any(snapshots);
                if (isRecoverableWithout(damaged, database.firstLogged(room), snapshots)) {
                    database.damageSnapshot(room, damaged.version());
                }
            }
        }
        return Strike.atOnce("");
    }

    /** Nothing helps a room whose log was purged when all that it can be recovered from goes bad (LOG-1). */
    private static boolean isRecoverableWithout(Snapshot damaged, long logBegins, List<Snapshot> snapshots) {
        return logBegins == 1
                || snapshots.stream()
                                .filter(Snapshot::intact)
                                .filter(other ->
                                        other.version() >= logBegins - 1 && other.version() != damaged.version())
                                .count()
                        > 1;
    }
}
