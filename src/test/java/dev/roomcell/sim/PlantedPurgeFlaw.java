package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.PurgeStore;
import dev.roomcell.port.SnapshotStore.Snapshot;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Mistakes that can be made when old rows are deleted. Each of them must be found. */
enum PlantedPurgeFlaw implements Flaw {
    /** The log goes up to the newest snapshot: if that one is bad, the room is lost (LOG-1). */
    ONE_SNAPSHOT_COVERS {
        @Override
        Future<Integer> purgeLog(PurgeStore right, RoomKey key, PurgeStore.Proof proof, long keptMs, int limit) {
            return right.purgeLog(key, new PurgeStore.Proof(List.of(proof.newest(), proof.newest())), keptMs, limit);
        }
    },
    /** Rows go while their commands may still be sent again (LOG-2). */
    LOG_NOT_KEPT {
        @Override
        Future<Integer> purgeLog(PurgeStore right, RoomKey key, PurgeStore.Proof proof, long keptMs, int limit) {
            return right.purgeLog(key, proof, TOO_SHORT_MS, limit);
        }

        @Override
        Future<PurgeStore.Page> overdue(PurgeStore right, Optional<RoomKey> after, int most, long keptMs) {
            return right.overdue(after, most, TOO_SHORT_MS);
        }
    },
    /** Intents go while their gifts may still be sent again (LOG-3). */
    GIFTS_NOT_KEPT {
        @Override
        Future<Integer> purgeGifts(PurgeStore right, long keptMs, int limit) {
            return right.purgeGifts(TOO_SHORT_MS, limit);
        }
    };

    private static final long TOO_SHORT_MS = 1_000;

    @Override
    public PurgeStore in(PurgeStore right) {
        PlantedPurgeFlaw flaw = this;
        return new PurgeStore() {
            @Override
            public Future<PurgeStore.Page> overdue(Optional<RoomKey> after, int most, long keptMs) {
                return flaw.overdue(right, after, most, keptMs);
            }

            @Override
            public Future<List<Snapshot>> snapshots(RoomKey key) {
                return right.snapshots(key);
            }

            @Override
            public Future<Integer> purgeLog(RoomKey key, PurgeStore.Proof proof, long keptMs, int limit) {
                return flaw.purgeLog(right, key, proof, keptMs, limit);
            }

            @Override
            public Future<Integer> purgeSnapshots(RoomKey key, PurgeStore.Proof proof) {
                return right.purgeSnapshots(key, proof);
            }

            @Override
            public Future<Integer> purgeGifts(long keptMs, int limit) {
                return flaw.purgeGifts(right, keptMs, limit);
            }
        };
    }

    Future<PurgeStore.Page> overdue(PurgeStore right, Optional<RoomKey> after, int most, long keptMs) {
        return right.overdue(after, most, keptMs);
    }

    Future<Integer> purgeLog(PurgeStore right, RoomKey key, PurgeStore.Proof proof, long keptMs, int limit) {
        return right.purgeLog(key, proof, keptMs, limit);
    }

    Future<Integer> purgeGifts(PurgeStore right, long keptMs, int limit) {
        return right.purgeGifts(keptMs, limit);
    }
}
