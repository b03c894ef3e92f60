package dev.roomcell.adapter.rtc;

import dev.roomcell.adapter.rtc.RtcCallback.Report;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** The ids of what TRTC tells us. */
public final class RtcIds {
    private static final int HASH_BYTES = 16;
    private static final int USER_ID_BYTES = 32;

    private RtcIds() {}

    /**
     * The id of the command that a callback makes: the same for each delivery of one event, on every node (CMD-5). Nothing
     * that differs from delivery to delivery is in it.
     */
    public static String commandId(int sdkAppId, long eventType, Report report) {
        String event = String.join(
                "\0",
                Integer.toString(sdkAppId),
                report.roomId(),
                report.userId(),
                Long.toString(eventType),
                Long.toString(report.eventAtMs()));
        byte[] hash = sha256().digest(event.getBytes(StandardCharsets.UTF_8));
        return "~rtc:" + HexFormat.of().formatHex(Arrays.copyOf(hash, HASH_BYTES));
    }

    /** Whether a user of ours could have such an id (SEC-2); empty is nobody's, and fits what is about a room. */
    public static boolean canBeOurs(String userId) {
        return userId.length() <= USER_ID_BYTES && userId.chars().allMatch(c -> c >= 0x20 && c <= 0x7e);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
