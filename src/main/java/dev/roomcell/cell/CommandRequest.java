package dev.roomcell.cell;

import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomCodec;

/**
 * A validated command on its way to its room.
 *
 * @param key which room
 * @param commandId the client's id, or one of ours beginning with "~" (CMD-5)
 * @param command what is wished
 * @param encoded its stored form and payload hash
 * @param deadlineMs when the caller stops waiting, on the monotonic clock, ms
 */
public record CommandRequest(
        RoomKey key, String commandId, RoomCommand command, RoomCodec.EncodedCommand encoded, long deadlineMs) {

    /** The same for a caller who waits until {@code otherMs}, on the monotonic clock, ms. */
    public CommandRequest withDeadline(long otherMs) {
        return new CommandRequest(key, commandId, command, encoded, otherMs);
    }

    /** What it weighs in a batch, bytes. */
    int bytes() {
        return encoded.bytes().length;
    }
}
