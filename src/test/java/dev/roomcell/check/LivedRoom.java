package dev.roomcell.check;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Decision;
import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomPolicy;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomCodec.EncodedCommand;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.SnapshotStore.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A room that its owners run as they should, through the real decisions and codec, with all that they store of it. */
final class LivedRoom {
    static final StoredForm CODEC = new StoredForm();
    static final Profile PROFILE = new Profile("olga", "Tea", "eu", "c.png", "b.png");

    private final RoomKey key;
    private final List<RoomBatch> batches = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final List<RoomBatch.LogRow> pending = new ArrayList<>();
    private RoomState state;
    private Optional<ListEntry> listEntry = Optional.empty();
    private String node = "node-a";
    private long epoch = 2;
    private int token;
    private long nowMs = 1_700_000_000_000L;
    private int commands;

    LivedRoom(RoomKey key) {
        this.key = key;
        this.state = RoomState.creating(key);
    }

    RoomKey key() {
        return key;
    }

    RoomState state() {
        return state;
    }

    /** Time passes for the owner. */
    LivedRoom after(long ms) {
        nowMs += ms;
        return this;
    }

    /** {@code by} loads the room. */
    LivedRoom loaded(String by) {
        node = by;
        epoch++;
        return rotated();
    }

    /** The lease was renewed. */
    LivedRoom rotated() {
        token++;
        return this;
    }

    /** Somebody asks; whether it happens is for the room to say. */
    Decision asks(RoomCommand command) {
        String commandId = "c-" + commands++;
        Stamp stamp = new Stamp(state.version() + 1, nowMs);
        Decision decision = RoomDecider.decide(state, command, stamp, RoomPolicy.STANDARD);
        if (decision instanceof Decision.Accepted accepted) {
            pending.add(row(commandId, command, stamp, accepted));
            state = RoomDecider.evolve(state, accepted.events(), stamp).checked();
        }
        return decision;
    }

    private RoomBatch.LogRow row(String commandId, RoomCommand command, Stamp stamp, Decision.Accepted accepted) {
        EncodedCommand encoded = CODEC.encodeCommand(key, command);
        List<RoomBatch.Fact> facts = new ArrayList<>();
        for (RoomEvent event : accepted.events()) {
            facts.add(CODEC.encodeFact(key, stamp, facts.size(), commandId, command.actorUserId(), event));
        }
        return new RoomBatch.LogRow(
                stamp.version(),
                commandId,
                encoded.payloadHash(),
                command.kind().name(),
                command.actorUserId(),
                stamp.atMs(),
                encoded.bytes(),
                CODEC.encodeEvents(accepted.events()),
                CODEC.encodeResult(key, accepted.result()),
                facts);
    }

    /** What was asked is stored; at the room's begin and end, its line in the list too. */
    LivedRoom commits() {
        if (pending.isEmpty()) {
            return this;
        }
        long before = state.version() - pending.size();
        boolean bornOrEnds = before == 0 || state.status() == Status.CLOSED;
        Optional<ListEntry> entry = bornOrEnds ? Optional.of(entry()) : Optional.empty();
        batches.add(new RoomBatch(
                key,
                before,
                epoch,
                node,
                "token-" + token,
                List.copyOf(pending),
                state.status(),
                state.live(),
                bornOrEnds,
                List.of(),
                List.of(),
                entry));
        listEntry = entry.or(() -> listEntry);
        pending.clear();
        return this;
    }

    /** The list catches up. It never learns of a closing that has begun. */
    LivedRoom listed() {
        if (state.version() > 0 && state.status() != Status.CLOSING) {
            listEntry = Optional.of(entry());
        }
        return this;
    }

    private ListEntry entry() {
        return new ListEntry(
                key,
                state.version(),
                state.status(),
                state.profile().title(),
                state.profile().region(),
                state.onlineCount(),
                0);
    }

    /** A sign of life, which leaves no trace but in snapshots. */
    LivedRoom seen(String userId) {
        state = Presence.seen(state, userId, nowMs);
        return this;
    }

    LivedRoom snapshot() {
        snapshots.removeIf(taken -> taken.version() == state.version());
        snapshots.add(CODEC.encodeState(state, nowMs));
        return this;
    }

    /** The room is found with a row that says CLOSING. */
    LivedRoom closingBegun() {
        state = state.closingBegun();
        return this;
    }

    List<RoomBatch> batches() {
        return batches;
    }

    List<Snapshot> snapshots() {
        return snapshots;
    }

    Optional<ListEntry> listEntry() {
        return listEntry;
    }

    List<Ack> acks() {
        return batches.stream()
                .flatMap(batch -> batch.rows().stream())
                .map(row -> new Ack(key, row.commandId(), row.version(), row.kind()))
                .toList();
    }

    /** All that is stored; to be edited. */
    StoredRoom stored() {
        StoredRoom stored = new StoredRoom(key);
        stored.row =
                Optional.of(new RoomHistory.RoomRow(state.status().name(), state.version(), epoch, node, state.live()));
        for (RoomBatch batch : batches) {
            for (RoomBatch.LogRow row : batch.rows()) {
                stored.log.add(logRow(batch, row));
                row.facts()
                        .forEach(fact -> stored.outbox.add(
                                new RoomHistory.OutboxRow(row.version(), fact.index(), fact.type(), fact.envelope())));
            }
        }
        stored.snapshots.addAll(snapshots);
        stored.listEntry = listEntry.map(entry -> new RoomHistory.ListEntry(
                entry.version(), entry.status().name(), entry.title(), entry.region(), entry.onlineCount()));
        return stored;
    }

    private static LogRow logRow(RoomBatch batch, RoomBatch.LogRow row) {
        return new LogRow(
                row.version(),
                row.commandId(),
                row.payloadHash(),
                row.kind(),
                row.actorUserId(),
                row.atMs(),
                row.command(),
                row.events(),
                row.result(),
                batch.nodeId(),
                batch.leaseToken(),
                batch.epoch());
    }
}
