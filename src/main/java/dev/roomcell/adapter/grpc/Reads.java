package dev.roomcell.adapter.grpc;

import dev.roomcell.cell.Answer;
import dev.roomcell.cell.ReadAnswer;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.StoreException;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a read found, or the error that the caller gets instead. */
final class Reads {
    private static final Logger log = LoggerFactory.getLogger(Reads.class);

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

    /** A read of the database; that it can't be asked, or holds what only a newer node can read, or answers too late, passes. */
    static <T> Future<T> stored(Future<T> read, long timeoutMs) {
        return read.timeout(timeoutMs, TimeUnit.MILLISECONDS).recover(failure -> {
            boolean passes = failure instanceof StoreException
                    || failure instanceof RoomCodec.UnreadableException
                    || failure instanceof TimeoutException;
            return Future.failedFuture(passes ? notNow(failure) : failure);
        });
    }

    private static ApiException notNow(Throwable failure) {
        log.warn("not read: {}", failure.toString());
        return new ApiException(ErrorTable.of(
                Answer.Refused.of(Answer.Refusal.STORE_UNAVAILABLE, "what is stored could not be read; try again")));
    }
}
