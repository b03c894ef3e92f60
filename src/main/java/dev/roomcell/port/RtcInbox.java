package dev.roomcell.port;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.domain.RtcReports.ReportRtc;
import io.vertx.core.Future;

/** Brings what RTC says of a room to the room, wherever that is. */
@FunctionalInterface
public interface RtcInbox {
    /**
     * Reports to the room, within {@code timeoutMs}; never fails. Callable from any thread.
     *
     * @param commandId one of ours, the same for the same event (CMD-5)
     */
    Future<Heard> report(RoomKey key, String commandId, ReportRtc report, long timeoutMs);

    /** What a report came to. */
    sealed interface Heard {
        /**
         * The room has heard it.
         *
         * @param outcome what it made of it, now or the first time
         * @param replayed whether it had heard it before
         */
        record Taken(RtcReports.Outcome outcome, boolean replayed) implements Heard {}

        /**
         * The room says no, and would again.
         *
         * @param reason why, as errors are named in the API
         */
        record Rejected(String reason) implements Heard {}

        /**
         * The room has not answered, so that nobody knows; the same report may be made again.
         *
         * @param reason why, as errors are named in the API
         */
        record NotTaken(String reason) implements Heard {}
    }
}
