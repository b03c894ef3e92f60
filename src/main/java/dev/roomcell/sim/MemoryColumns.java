package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomListStore.ListEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the columns of the schema take: a longer value is refused, as MySQL in strict mode refuses it. */
final class MemoryColumns {
    private static final int APP_CODE_BYTES = 32;
    private static final int ROOM_ID_BYTES = 64;
    private static final int COMMAND_ID_BYTES = 64;
    private static final int PAYLOAD_HASH_BYTES = 16;
    private static final int KIND_BYTES = 32;
    private static final int USER_ID_BYTES = 32;
    private static final int NODE_ID_BYTES = 64;
    private static final int LEASE_TOKEN_BYTES = 64;
    private static final int FACT_TYPE_BYTES = 64;
    private static final int TITLE_BYTES = 128;
    private static final int REGION_BYTES = 32;
    /** A MEDIUMBLOB. */
    private static final int BLOB_BYTES = (1 << 24) - 1;

    private final List<String> tooLong = new ArrayList<>();

    private MemoryColumns() {}

    /** Which value of a batch is too long, if any. */
    static Optional<String> refusal(RoomBatch batch) {
        MemoryColumns columns = new MemoryColumns();
        columns.owner(batch.nodeId(), batch.leaseToken());
        batch.rows().forEach(columns::row);
        batch.listEntry().ifPresent(columns::listEntry);
        return columns.first();
    }

    /** Which id of a room is too long, if any. */
    static Optional<String> refusal(RoomKey key) {
        MemoryColumns columns = new MemoryColumns();
        columns.key(key);
        return columns.first();
    }

    /** Which value of an owner is too long, if any. */
    static Optional<String> refusal(String nodeId, String leaseToken) {
        MemoryColumns columns = new MemoryColumns();
        columns.owner(nodeId, leaseToken);
        return columns.first();
    }

    /** Which value of a line is too long, if any. */
    static Optional<String> refusal(ListEntry entry) {
        MemoryColumns columns = new MemoryColumns();
        columns.listEntry(entry);
        return columns.first();
    }

    private Optional<String> first() {
        return tooLong.stream().findFirst();
    }

    private void key(RoomKey key) {
        text("app_code", key.appCode(), APP_CODE_BYTES);
        text("room_id", key.roomId(), ROOM_ID_BYTES);
    }

    private void owner(String nodeId, String leaseToken) {
        text("owner_node_id", nodeId, NODE_ID_BYTES);
        text("lease_token", leaseToken, LEASE_TOKEN_BYTES);
    }

    private void row(LogRow row) {
        text("command_id", row.commandId(), COMMAND_ID_BYTES);
        limit("payload_hash", row.payloadHash().length, PAYLOAD_HASH_BYTES);
        text("kind", row.kind(), KIND_BYTES);
        text("actor_user_id", row.actorUserId(), USER_ID_BYTES);
        limit("command", row.command().length, BLOB_BYTES);
        limit("events", row.events().length, BLOB_BYTES);
        limit("result", row.result().length, BLOB_BYTES);
        for (Fact fact : row.facts()) {
            text("type", fact.type(), FACT_TYPE_BYTES);
            limit("envelope", fact.envelope().length, BLOB_BYTES);
        }
    }

    private void listEntry(ListEntry entry) {
        key(entry.key());
        text("title", entry.title(), TITLE_BYTES);
        text("region", entry.region(), REGION_BYTES);
    }

    private void text(String column, String value, int maxBytes) {
        limit(column, value.getBytes(StandardCharsets.UTF_8).length, maxBytes);
    }

    private void limit(String column, int bytes, int maxBytes) {
        if (bytes > maxBytes) {
            tooLong.add("Data too long for column '" + column + "': " + bytes + " bytes");
        }
    }
}
