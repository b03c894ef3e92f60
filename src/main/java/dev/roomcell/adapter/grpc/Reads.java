package dev.roomcell.adapter.grpc;

import dev.roomcell.cell.ReadAnswer;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomState;

/** The room of a read, or the error that the caller gets instead. */
final class Reads {
    private Reads() {}

    static RoomState found(ReadAnswer answer) {
        if (answer instanceof ReadAnswer.Rejected no) {
            throw new ApiException(ErrorTable.of(no.rejection()));
        }
        if (answer instanceof ReadAnswer.Refused refused) {
            throw new ApiException(ErrorTable.of(refused.refused()));
        }
        return ((ReadAnswer.Found) answer).state();
    }

    /** The same, of a room that is neither closing nor closed (ROOM-3). */
    static RoomState active(ReadAnswer answer) {
        RoomState room = found(answer);
        if (room.status() != Lifecycle.Status.ACTIVE) {
            throw new ApiException(ErrorTable.of(Lifecycle.roomClosed()));
        }
        return room;
    }
}
