package dev.roomcell.check;

import dev.roomcell.domain.RoomKey;

/**
 * A command that made a version, and whose caller was told so.
 *
 * @param room which room
 * @param commandId the command's id
 * @param version the version that the answer named
 * @param kind a name of {@link dev.roomcell.domain.RoomCommand.Kind}
 */
public record Ack(RoomKey room, String commandId, long version, String kind) {}
