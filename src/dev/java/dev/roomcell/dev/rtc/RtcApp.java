package dev.roomcell.dev.rtc;

/**
 * An app at the simulated TRTC.
 *
 * @param sdkAppId its number
 * @param callbackKey what its callbacks are signed with
 * @param secretId who may call the API for it
 * @param secretKey what such calls are signed with
 */
public record RtcApp(int sdkAppId, String callbackKey, String secretId, String secretKey) {
    /** One for development: nothing about it is a secret. */
    public static RtcApp sample() {
        return new RtcApp(1400000001, "devcallbackkey", "AKIDdevelopment", "development-key");
    }
}
