package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomCodec;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/**
 * Checks what is stored of a room, and that what its callers were told is in it. Takes one pass and needs no search,
 * because each accepted command is a version and the versions have no gaps: the order is written down.
 *
 * <p>The log is held against itself too. Each command is decided again, in the state that the log had led to, and must
 * have made the events and the answer that are logged with it. Where the log's beginning was purged, that begins with the
 * oldest snapshot behind which the log is whole (LOG-1).
 */
public final class HistoryChecker {
    private final RoomCodec codec;
    private final Purged purged;

    /** A checker of what {@code codec} has encoded, where every row is kept. */
    public HistoryChecker(RoomCodec codec) {
        this(codec, Purged.NOTHING);
    }

    /**
     * A checker of what {@code codec} has encoded.
     *
     * @param purged what may be gone
     */
    public HistoryChecker(RoomCodec codec, Purged purged) {
        this.codec = codec;
        this.purged = purged;
    }

    /**
     * What is wrong with a room; at most the first 100 violations.
     *
     * @param acks what was acknowledged in this room; may be a part of it
     */
    public List<Violation> check(RoomHistory history, Collection<Ack> acks) {
        Findings findings = new Findings(history.key());
        Iterator<LogRow> rows = history.log().iterator();
        LogRow first = rows.hasNext() ? rows.next() : null;
        FirstKept kept = FirstKept.of(history, first, codec, purged);
        LogOrder order = new LogOrder(findings, kept.version());
        Replay replay = new Replay(codec, history, findings, kept);
        OutboxMatch outbox = new OutboxMatch(codec, history, findings, purged.outboxBeforeMs(), kept.version());
        AckMatch acked = new AckMatch(acks, findings, kept.version());
        for (LogRow row = first; row != null; row = rows.hasNext() ? rows.next() : null) {
            DecodedRow decoded = DecodedRow.of(history.key(), row, codec, findings);
            LogOrder.Place place = order.next(row);
            if (place != LogOrder.Place.REPEATED) {
                replay.next(decoded, place);
                outbox.next(decoded);
            }
            acked.next(row);
        }
        order.end(history.row());
        replay.end();
        outbox.end();
        acked.end();
        return findings.violations();
    }

    /** The violations of acknowledgements in a room of which nothing is stored. */
    public static List<Violation> checkAbsent(RoomKey room, Collection<Ack> acks) {
        Findings findings = new Findings(room);
        new AckMatch(acks, findings, 1).end();
        return findings.violations();
    }
}
