package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;

/** Asks a room's owner, whichever node that is, whether somebody may write in the room's chat now. */
public interface ChatGuard {
    /** The owner's answer, from its memory; UNDECIDED if it has none within {@code timeoutMs}. Never fails. */
    Future<Verdict> maySpeak(RoomKey key, String userId, long timeoutMs);

    /** Whether somebody may, and if not, why; the first that applies. */
    enum Verdict {
        ALLOWED,
        ROOM_CLOSED,
        BANNED,
        NOT_PRESENT,
        MUTED,
        CHAT_DISABLED,
        /** Nobody who knows could be asked in time. */
        UNDECIDED
    }
}
