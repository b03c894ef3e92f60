package dev.roomcell.config;

/**
 * Tencent RTC: its callbacks, which say who speaks, and its API, which takes users out of its rooms.
 *
 * @param host where to listen for callbacks; any address, as each callback is signed
 * @param port 0..65,535; 0 takes a free one
 * @param sdkAppId the app at TRTC, 1..2,147,483,647; 0: there is none, and nothing of all this
 * @param callbackKey what TRTC signs its callbacks with, up to 32 letters and digits; not empty where there is an app
 * @param endpoint https://HOST of the API, or http://LOOPBACK:PORT of a simulator
 * @param region where the API is asked
 * @param secretId who calls the API; empty: nobody, and who is kicked is not taken out of the RTC room
 * @param secretKey what such calls are signed with; not empty where there is an id
 * @param callTimeoutMs after which a call of the API has failed, 100..30,000
 * @param callsPerSecond the most calls of this node in a second, 1..1,000
 */
public record RtcConfig(
        String host,
        int port,
        int sdkAppId,
        Secret callbackKey,
        String endpoint,
        String region,
        Secret secretId,
        Secret secretKey,
        long callTimeoutMs,
        int callsPerSecond) {
    static RtcConfig read(ConfigReader reader) {
        return new RtcConfig(
                reader.text("rtc.host", "127.0.0.1", TextRule.HOST),
                reader.count("rtc.port", 7495, 0, 65_535),
                reader.count("rtc.sdk_app_id", 0, 0, Integer.MAX_VALUE),
                reader.secret("rtc.callback_key", TextRule.CALLBACK_KEY),
                reader.text("rtc.endpoint", "https://trtc.tencentcloudapi.com", TextRule.ENDPOINT),
                reader.text("rtc.region", "ap-singapore", TextRule.REGION),
                reader.secret("rtc.secret_id", TextRule.PASSWORD),
                reader.secret("rtc.secret_key", TextRule.PASSWORD),
                reader.number("rtc.call_timeout_ms", 5000, 100, 30_000),
                reader.count("rtc.calls_per_second", 20, 1, 1000));
    }

    /** Whether there is an app. */
    public boolean isOn() {
        return sdkAppId != 0;
    }

    /** Whether users can be taken out of RTC rooms. */
    public boolean hasControl() {
        return isOn() && !secretId.reveal().isEmpty();
    }

    void checkTogether(ConfigReader reader) {
        if (isOn() && callbackKey.reveal().isEmpty()) {
            reader.refuse("rtc.callback_key", "must be set where rtc.sdk_app_id is");
        }
        if (secretId.reveal().isEmpty() != secretKey.reveal().isEmpty()) {
            reader.refuse("rtc.secret_key", "must be set where rtc.secret_id is, and only there");
        }
    }
}
