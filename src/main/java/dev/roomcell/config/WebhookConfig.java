package dev.roomcell.config;

/**
 * Where Tencent IM asks whether a message may be sent in a room's group.
 *
 * @param host where to listen
 * @param port 0..65,535; 0: nowhere
 * @param token what Tencent signs with; not empty where there is a port
 * @param skewMs so far may the time of a call be from ours, 1,000..3,600,000
 * @param deadlineMs how long a decision may take, 10..1,500
 * @param deliverUndecided whether a message is delivered that could not be judged in time
 */
public record WebhookConfig(
        String host, int port, Secret token, long skewMs, long deadlineMs, boolean deliverUndecided) {
    static WebhookConfig read(ConfigReader reader) {
        return new WebhookConfig(
                reader.text("webhook.host", "127.0.0.1", TextRule.HOST),
                reader.count("webhook.port", 0, 0, 65_535),
                reader.secret("webhook.token", TextRule.PASSWORD),
                reader.number("webhook.skew_ms", 300_000, 1_000, 3_600_000),
                reader.number("webhook.deadline_ms", 80, 10, 1_500),
                reader.flag("webhook.deliver_undecided", true));
    }

    /** Whether there is a port. */
    public boolean isOn() {
        return port != 0;
    }

    void checkTogether(ConfigReader reader, TencentConfig tencent) {
        if (isOn() && token.reveal().isEmpty()) {
            reader.refuse("webhook.token", "must be set where webhook.port is: anybody could call");
        }
        if (isOn() && !tencent.isOn()) {
            reader.refuse("webhook.port", "must be 0 without tencent.sdk_app_id: nobody would call");
        }
    }
}
