package dev.roomcell.adapter.tencent;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What Tencent IM and this node both know, so that nobody else's calls are taken for its callbacks. The body is not signed
 * and a signature can be used again for as long as the clocks may differ; both are Tencent's design.
 *
 * @param text the token itself
 * @param skewMs so far may the time of a call be from ours, ms
 */
public record WebhookToken(String text, long skewMs) {
    private static final int LONGEST_TIME = 12;

    /** Without the token. */
    @Override
    public String toString() {
        return "WebhookToken[" + skewMs + " ms]";
    }

    /**
     * Whether a call is Tencent's.
     *
     * @param sign its query parameter {@code Sign}
     * @param requestTime its query parameter {@code RequestTime}, epoch s
     */
    boolean admits(String sign, String requestTime, long nowMs) {
        if (requestTime.length() > LONGEST_TIME || !requestTime.matches("[0-9]+")) {
            return false;
        }
        // In a time that does not depend on how much of it is right.
        boolean known = MessageDigest.isEqual(
                sign.getBytes(StandardCharsets.UTF_8), sign(requestTime).getBytes(StandardCharsets.UTF_8));
        return known && Math.abs(nowMs - Long.parseLong(requestTime) * 1_000) <= skewMs;
    }

    /** What {@code Sign} is at a time. */
    String sign(String requestTime) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest((text + requestTime).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException broken) {
            throw new IllegalStateException("this Java has no SHA-256", broken);
        }
    }
}
