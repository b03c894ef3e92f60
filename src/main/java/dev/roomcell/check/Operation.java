package dev.roomcell.check;

import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomCodec;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One call of one client, as the client saw it. A command that is sent again is an operation for each time.
 *
 * @param operationId the call's own id
 * @param room which room
 * @param commandId the command's id
 * @param invokeNs when it was sent; one monotonic clock for all operations, ns
 * @param returnNs when it was answered or given up, same clock, ns
 * @param outcome how it ended
 */
public record Operation(
        String operationId, RoomKey room, String commandId, long invokeNs, long returnNs, Outcome outcome) {

    /** What the client knows of a call. */
    public sealed interface Outcome {
        /**
         * The command made a version.
         *
         * @param version the one that the answer named
         * @param resultHash {@link Operation#resultHash} of the answer's {@code result}
         */
        record Acknowledged(long version, String resultHash) implements Outcome {}

        /** What was seen of the room; it changed nothing. */
        sealed interface Look extends Outcome {
            /** The room version that was seen. */
            long version();
        }

        /**
         * Everything was as wished already.
         *
         * @param version the room version of which the answer says so
         */
        record Unchanged(long version) implements Look {}

        /**
         * The room was read.
         *
         * @param version the room version that was seen
         * @param stateHash {@link Operation#stateHash} of the room that was seen, or of the part that was shown
         */
        record Read(long version, String stateHash) implements Look {}

        /** The room was read and was not there: it had no version yet (ROOM-1). */
        record Absent() implements Look {
            @Override
            public long version() {
                return 0;
            }
        }

        /** It could not be dealt with, and nothing happened (CMD-8). */
        record Refused() implements Outcome {}

        /**
         * A business no: nothing happened, and nothing had happened by this command id (CMD-2), but that a closed room
         * tells whoever joins only that (CMD-7).
         *
         * @param command what was wished
         * @param reason why not
         */
        record Rejected(RoomCommand command, Rejection.Reason reason) implements Outcome {}

        /** Nobody knows: no answer, or OUTCOME_UNKNOWN. */
        record Unknown() implements Outcome {}
    }

    /** Tells rooms apart, whatever the last signs of life: those leave no trace in the log (PRES-7). */
    public static String stateHash(RoomCodec codec, RoomState state) {
        return resultHash(codec.encodeState(state, 0).state());
    }

    /** Tells results apart. */
    public static String resultHash(byte[] result) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(result));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
