package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.CommandStore.LogEntry;
import dev.roomcell.port.CommandStore.LogPage;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomCodec;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of a room's events, whole versions only, for those who missed some.
 *
 * @param facts as the outbox has, or had, them; in (version, index) order
 * @param lastVersion everything up to this version that is kept has been told
 * @param truncated whether the room has later versions
 * @param firstKeptVersion the first version whose events are still kept (LOG-1)
 */
public record EventsPage(List<Fact> facts, long lastVersion, boolean truncated, long firstKeptVersion) {

    /** The events after {@code sinceVersion}: at most {@code most} of them, or one version that has more. */
    static EventsPage of(RoomKey key, long sinceVersion, int most, LogPage log, RoomCodec codec) {
        List<Fact> facts = new ArrayList<>();
        long last = beforeFirst(sinceVersion, log);
        for (LogEntry entry : log.entries()) {
            List<Fact> ofVersion = codec.encodeFacts(
                    key,
                    new Stamp(entry.version(), entry.atMs()),
                    entry.commandId(),
                    entry.actorUserId(),
                    codec.decodeEvents(entry.events()));
            if (!facts.isEmpty() && facts.size() + ofVersion.size() > most) {
                break;
            }
            facts.addAll(ofVersion);
            last = entry.version();
        }
        return new EventsPage(facts, last, last < log.row().version(), log.firstKeptVersion());
    }

    /**
     * What a page without events reaches. Versions that are in the log, and not on the page, came while it was read:
     * the next page has them.
     */
    private static long beforeFirst(long sinceVersion, LogPage log) {
        long version = log.row().version();
        return log.firstKeptVersion() > version ? version : Math.min(sinceVersion, version);
    }
}
