package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;

/**
 * What a robot wants to show.
 *
 * @param key in which room
 * @param robotUserId who shows it
 * @param type what it is, in the clients' own vocabulary
 * @param payloadJson its parameters: a JSON object, or empty
 */
public record DisplayRequest(RoomKey key, String robotUserId, String type, String payloadJson) {}
