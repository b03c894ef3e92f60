package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.ListEntry;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.check.RoomHistory.OutboxRow;
import dev.roomcell.check.RoomHistory.RoomRow;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.SnapshotStore.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What is stored of a room, open to editing. */
final class StoredRoom {
    final RoomKey key;
    final List<LogRow> log = new ArrayList<>();
    final List<OutboxRow> outbox = new ArrayList<>();
    final List<Snapshot> snapshots = new ArrayList<>();
    Optional<RoomRow> row = Optional.empty();
    Optional<ListEntry> listEntry = Optional.empty();

    StoredRoom(RoomKey key) {
        this.key = key;
    }

    RoomHistory history() {
        return new RoomHistory(key, row, log, outbox, snapshots, listEntry);
    }

    LogRow version(long version) {
        return log.stream().filter(row -> row.version() == version).findFirst().orElseThrow();
    }

    /** Changes the log row of {@code version}. */
    void editLog(long version, Consumer<LogFields> edit) {
        LogRow row = version(version);
        LogFields fields = new LogFields(row);
        edit.accept(fields);
        log.set(log.indexOf(row), fields.row());
    }

    /** Adds a changed copy of the log row of {@code version} at the end. */
    void copyLog(long version, Consumer<LogFields> edit) {
        LogFields fields = new LogFields(version(version));
        edit.accept(fields);
        log.add(fields.row());
    }

    void editOutbox(long version, UnaryOperator<OutboxRow> edit) {
        outbox.replaceAll(row -> row.version() == version ? edit.apply(row) : row);
    }

    void editRow(Consumer<RoomFields> edit) {
        RoomFields fields = new RoomFields(row.orElseThrow());
        edit.accept(fields);
        row = Optional.of(new RoomRow(fields.status, fields.version, fields.epoch, fields.ownerNodeId, fields.live));
    }

    static final class RoomFields {
        String status;
        long version;
        long epoch;
        String ownerNodeId;
        boolean live;

        private RoomFields(RoomRow row) {
            status = row.status();
            version = row.version();
            epoch = row.epoch();
            ownerNodeId = row.ownerNodeId();
            live = row.live();
        }
    }

    static final class LogFields {
        long version;
        String commandId;
        byte[] payloadHash;
        String kind;
        String actorUserId;
        long atMs;
        byte[] command;
        byte[] events;
        byte[] result;
        String ownerNodeId;
        String leaseToken;
        long epoch;

        private LogFields(LogRow row) {
            version = row.version();
            commandId = row.commandId();
            payloadHash = row.payloadHash().clone();
            kind = row.kind();
            actorUserId = row.actorUserId();
            atMs = row.atMs();
            command = row.command().clone();
            events = row.events().clone();
            result = row.result().clone();
            ownerNodeId = row.ownerNodeId();
            leaseToken = row.leaseToken();
            epoch = row.epoch();
        }

        private LogRow row() {
            return new LogRow(
                    version,
                    commandId,
                    payloadHash,
                    kind,
                    actorUserId,
                    atMs,
                    command,
                    events,
                    result,
                    ownerNodeId,
                    leaseToken,
                    epoch);
        }
    }
}
