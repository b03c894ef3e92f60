package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.zip.CRC32C;

/**
 * Snapshots of rooms: they shorten recovery, and are needed for it once the beginning of the log was purged (LOG-1). Fails
 * with {@link StoreException}.
 */
public interface SnapshotStore {
    /**
     * Stores a snapshot of a committed version and drops all but the two newest of the room (LOG-4). Of a room whose log
     * was purged the first one behind which the log is whole is kept too: it was read and found right, and the two newest
     * have yet to be.
     */
    Future<Void> save(RoomKey key, Snapshot snapshot);

    /**
     * A room at one version.
     *
     * @param version the version
     * @param atMs when it was taken, epoch ms
     * @param state as {@link RoomCodec#encodeState} made it
     * @param checksum of {@code state}
     * @param lastSeen the users' last signs of life: a hint, outside the checksum (PRES-7)
     */
    record Snapshot(long version, long atMs, byte[] state, long checksum, byte[] lastSeen) {
        /** A snapshot with the checksum (CRC-32C) of its state. */
        public static Snapshot of(long version, long atMs, byte[] state, byte[] lastSeen) {
            return new Snapshot(version, atMs, state, checksumOf(state), lastSeen);
        }

        /** The same without its hint: the room for whoever has heard of no sign of life (PRES-7). */
        public Snapshot withoutHint() {
            return new Snapshot(version, atMs, state, checksum, new byte[0]);
        }

        /** Whether the state is still what the checksum was made of. */
        public boolean intact() {
            return checksum == checksumOf(state);
        }

        private static long checksumOf(byte[] state) {
            CRC32C crc = new CRC32C();
            crc.update(state, 0, state.length);
            return crc.getValue();
        }

        /** What the snapshot weighs, bytes. */
        public int bytes() {
            return state.length + lastSeen.length;
        }
    }
}
