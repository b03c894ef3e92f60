package dev.roomcell.cell;

import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomState;

/** What a reader of a room is told. */
public sealed interface ReadAnswer {
    /**
     * The room at its newest committed version.
     *
     * @param state the room
     */
    record Found(RoomState state) implements ReadAnswer {}

    /**
     * A business no.
     *
     * @param rejection why
     */
    record Rejected(Rejection rejection) implements ReadAnswer {}

    /**
     * It cannot be read here, or not now.
     *
     * @param refused why
     */
    record Refused(Answer.Refused refused) implements ReadAnswer {}
}
