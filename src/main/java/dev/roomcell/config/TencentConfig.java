package dev.roomcell.config;

/**
 * Tencent IM, where the groups of rooms are.
 *
 * @param baseUrl https://HOST of the app's region, or http://LOOPBACK:PORT of a simulator
 * @param sdkAppId the app at Tencent, 1..2,147,483,647; 0: there is none
 * @param identifier an administrator of the app
 * @param secretKey the app's key; not empty where there is an app
 * @param sigTtlMs for how long a signature of ours is good, 1,000..2,000,000,000
 * @param roomMessagesPerSecond of one room in any second, 1..1,000; what robots show comes on top
 * @param messagesPerSecond of all rooms of all nodes in any second, 1..100,000
 */
public record TencentConfig(
        String baseUrl,
        int sdkAppId,
        String identifier,
        Secret secretKey,
        long sigTtlMs,
        int roomMessagesPerSecond,
        int messagesPerSecond) {
    static TencentConfig read(ConfigReader reader) {
        return new TencentConfig(
                reader.text("tencent.base_url", "https://console.tim.qq.com", TextRule.ENDPOINT),
                reader.count("tencent.sdk_app_id", 0, 0, Integer.MAX_VALUE),
                reader.text("tencent.identifier", "administrator", TextRule.ACCOUNT),
                reader.secret("tencent.secret_key", TextRule.PASSWORD),
                reader.number("tencent.sig_ttl_ms", 86_400_000, 1_000, 2_000_000_000),
                reader.count("tencent.room_messages_per_second", 35, 1, 1_000),
                reader.count("tencent.messages_per_second", 200, 1, 100_000));
    }

    /** Whether there is an app. */
    public boolean isOn() {
        return sdkAppId != 0;
    }

    void checkTogether(ConfigReader reader, ImConfig im) {
        if (isOn() && secretKey.reveal().isEmpty()) {
            reader.refuse("tencent.secret_key", "must be set where tencent.sdk_app_id is");
        }
        if (isOn() && !im.sinkUrl().isEmpty()) {
            reader.refuse("im.sink_url", "must be empty where tencent.sdk_app_id is set: messages go one way only");
        }
    }
}
