package dev.roomcell.check;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.SnapshotStore.Snapshot;
import java.util.List;
import java.util.Optional;

/**
 * What is stored of one room, at one moment, as it is stored: nothing of it need make sense. A check goes through the
 * log and the outbox once, side by side, so that both may be read from a database on the way.
 *
 * @param key which room
 * @param row its row, if it has one
 * @param log by version
 * @param outbox by version and index
 * @param snapshots by version
 * @param listEntry its line in the room list, if it has one
 */
public record RoomHistory(
        RoomKey key,
        Optional<RoomRow> row,
        Iterable<LogRow> log,
        Iterable<OutboxRow> outbox,
        List<Snapshot> snapshots,
        Optional<ListEntry> listEntry) {

    /**
     * A row of {@code rooms}.
     *
     * @param status a name of {@link dev.roomcell.domain.Lifecycle.Status}
     * @param version the committed version
     * @param epoch the lease epoch
     * @param ownerNodeId who minted or committed last; empty before the first mint
     * @param live whether the room must stay loaded (LEASE-14)
     */
    public record RoomRow(String status, long version, long epoch, String ownerNodeId, boolean live) {}

    /**
     * A row of {@code room_command_log}.
     *
     * @param version the room version
     * @param commandId the command's id
     * @param payloadHash see CMD-1
     * @param kind a name of {@link dev.roomcell.domain.RoomCommand.Kind}
     * @param actorUserId who asked; empty for the room's own commands
     * @param atMs the stamp, epoch ms
     * @param command encoded
     * @param events encoded
     * @param result encoded
     * @param ownerNodeId who committed it
     * @param leaseToken under which lease token
     * @param epoch under which lease epoch
     */
    public record LogRow(
            long version,
            String commandId,
            byte[] payloadHash,
            String kind,
            String actorUserId,
            long atMs,
            byte[] command,
            byte[] events,
            byte[] result,
            String ownerNodeId,
            String leaseToken,
            long epoch) {}

    /**
     * A row of {@code room_outbox}.
     *
     * @param version the room version that made the event
     * @param index the event's place in its version, from 0
     * @param type the event's type
     * @param envelope what consumers get
     */
    public record OutboxRow(long version, int index, String type, byte[] envelope) {}

    /**
     * A row of {@code room_list_entries}.
     *
     * @param version the room version that it shows
     * @param status a name of {@link dev.roomcell.domain.Lifecycle.Status}
     * @param title the room's title
     * @param region the room's region
     * @param onlineCount users present
     */
    public record ListEntry(long version, String status, String title, String region, int onlineCount) {}
}
