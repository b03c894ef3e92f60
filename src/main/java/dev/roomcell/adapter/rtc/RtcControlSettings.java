package dev.roomcell.adapter.rtc;

import java.net.URI;

/**
 * How TRTC's API is called.
 *
 * @param endpoint {@code https://HOST}, or {@code http://LOOPBACK:PORT} of a simulator
 * @param region where the API is asked, as {@code ap-singapore}
 * @param sdkAppId the app at TRTC
 * @param secretId who calls
 * @param secretKey what its calls are signed with
 * @param callTimeoutMs what is not answered by then has failed, ms
 * @param callsPerSecond the most calls in a second of this node, at least 1
 */
public record RtcControlSettings(
        URI endpoint,
        String region,
        int sdkAppId,
        String secretId,
        String secretKey,
        long callTimeoutMs,
        int callsPerSecond) {
    /** Without what nobody may read. */
    @Override
    public String toString() {
        return "TRTC at " + endpoint + ", app " + sdkAppId;
    }
}
