package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.OutboxRow;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomCodec;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks the outbox beside the log: each durable event is there once, as its log row says it, and nothing else (I8). An
 * event that is old enough may have been delivered and purged (OUT-7).
 */
final class OutboxMatch {
    private final RoomCodec codec;
    private final RoomHistory history;
    private final Findings findings;
    private final long purgedBeforeMs;
    private final Iterator<OutboxRow> rows;
    private @Nullable OutboxRow head;

    /** The log begins with {@code firstVersion}; of what was before nothing can be said. */
    OutboxMatch(RoomCodec codec, RoomHistory history, Findings findings, long purgedBeforeMs, long firstVersion) {
        this.codec = codec;
        this.history = history;
        this.findings = findings;
        this.purgedBeforeMs = purgedBeforeMs;
        this.rows = history.outbox().iterator();
        advance();
        while (firstVersion > 1 && head != null && head.version() < firstVersion) {
            advance();
        }
    }

    private void advance() {
        head = rows.hasNext() ? rows.next() : null;
    }

    void next(DecodedRow row) {
        ghostsBefore(row.version(), 0);
        if (row.events().isEmpty()) {
            skip(row.version());
            return;
        }
        List<RoomEvent> events = row.events().get();
        for (int index = 0; index < events.size(); index++) {
            if (events.get(index).durable()) {
                match(row, index, events.get(index));
            }
        }
        ghostsBefore(row.version() + 1, 0);
    }

    private void match(DecodedRow row, int index, RoomEvent event) {
        ghostsBefore(row.version(), index);
        OutboxRow found = head;
        if (found == null || found.version() != row.version() || found.index() != index) {
            findings.require(
                    row.stamp().atMs() < purgedBeforeMs,
                    Invariant.I8,
                    () -> name(row.version(), index) + event.type() + " is not in the outbox");
            return;
        }
        advance();
        Fact fact = codec.encodeFact(
                history.key(),
                row.stamp(),
                index,
                row.row().commandId(),
                row.row().actorUserId(),
                event);
        findings.require(
                found.type().equals(fact.type()),
                Invariant.I8,
                () -> name(row.version(), index) + "the outbox has " + found.type() + ", the log " + fact.type());
        findings.require(
                Arrays.equals(found.envelope(), fact.envelope()),
                Invariant.I8,
                () -> name(row.version(), index) + "the envelope of " + fact.type() + " is not the logged event");
    }

    private void ghostsBefore(long version, int index) {
        for (OutboxRow row = head; row != null; row = head) {
            if (row.version() > version || (row.version() == version && row.index() >= index)) {
                return;
            }
            ghost(row);
        }
    }

    private void ghost(OutboxRow row) {
        findings.add(
                Invariant.I8,
                name(row.version(), row.index()) + row.type() + " is in the outbox, and no such event in the log");
        advance();
    }

    /** Passes over rows that can't be judged. */
    private void skip(long version) {
        while (head != null && head.version() == version) {
            advance();
        }
    }

    private static String name(long version, int index) {
        return "version " + version + " event " + index + ": ";
    }

    void end() {
        for (OutboxRow row = head; row != null; row = head) {
            ghost(row);
        }
    }
}
