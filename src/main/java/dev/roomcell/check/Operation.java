package dev.roomcell.check;

import dev.roomcell.domain.RoomKey;
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

        /**
         * Everything was as wished already.
         *
         * @param version the room version of which the answer says so
         */
        record Unchanged(long version) implements Outcome {}

        /** It was refused, with the promise that nothing happened (CMD-8). */
        record Refused() implements Outcome {}

        /** Nobody knows: no answer, or OUTCOME_UNKNOWN. */
        record Unknown() implements Outcome {}
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
