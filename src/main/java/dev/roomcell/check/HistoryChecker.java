package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomCodec;
import java.util.Collection;
import java.util.List;

/**
 * Checks what is stored of a room, and that what its callers were told is in it. Takes one pass and needs no search,
 * because each accepted command is a version and the versions have no gaps: the order is written down.
 *
 * <p>The log is held against itself too. Each command is decided again, in the state that the log had led to, and must
 * have made the events and the answer that are logged with it.
 */
public final class HistoryChecker {
    private final RoomCodec codec;
    private final long purgedBeforeMs;

    /** A checker of what {@code codec} has encoded, where every outbox row is kept. */
    public HistoryChecker(RoomCodec codec) {
        this(codec, Long.MIN_VALUE);
    }

    /**
     * A checker of what {@code codec} has encoded.
     *
     * @param purgedBeforeMs outbox rows of events from before then may be gone, epoch ms
     */
    public HistoryChecker(RoomCodec codec, long purgedBeforeMs) {
        this.codec = codec;
        this.purgedBeforeMs = purgedBeforeMs;
    }

    /**
     * What is wrong with a room; at most the first 100 violations.
     *
     * @param acks what was acknowledged in this room; may be a part of it
     */
    public List<Violation> check(RoomHistory history, Collection<Ack> acks) {
        Findings findings = new Findings(history.key());
        LogOrder order = new LogOrder(findings);
        Replay replay = new Replay(codec, history, findings);
        OutboxMatch outbox = new OutboxMatch(codec, history, findings, purgedBeforeMs);
        AckMatch acked = new AckMatch(acks, findings);
        for (LogRow row : history.log()) {
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
        new AckMatch(acks, findings).end();
        return findings.violations();
    }
}
