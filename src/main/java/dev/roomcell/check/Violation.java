package dev.roomcell.check;

import dev.roomcell.domain.RoomKey;

/**
 * Something that can't be, and is.
 *
 * @param invariant what it breaks
 * @param room where
 * @param message what is stored or was told, and what should be
 */
public record Violation(Invariant invariant, RoomKey room, String message) {
    @Override
    public String toString() {
        return invariant.id() + ' ' + room + ": " + message;
    }
}
