package dev.roomcell;

import dev.roomcell.adapter.eventbus.ClusterSettings;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.redis.RedisSettings;
import dev.roomcell.adapter.tencent.AppBudget;
import dev.roomcell.adapter.tencent.ChatWebhook;
import dev.roomcell.adapter.tencent.TencentSettings;
import dev.roomcell.adapter.tencent.TencentShare;
import dev.roomcell.adapter.tencent.WebhookToken;
import dev.roomcell.adapter.wallet.ServiceCallMeter;
import dev.roomcell.adapter.wallet.WalletSettings;
import dev.roomcell.cell.CellSettings;
import dev.roomcell.cell.GiftSettings;
import dev.roomcell.cell.OutboxSettings;
import dev.roomcell.cell.PurgeSettings;
import dev.roomcell.config.CalledServiceConfig;
import dev.roomcell.config.ClusterConfig;
import dev.roomcell.config.NodeConfig;
import dev.roomcell.config.OutboxConfig;
import dev.roomcell.config.TencentConfig;
import dev.roomcell.config.WebhookConfig;
import dev.roomcell.domain.RoomPolicy;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.verticle.GiftServices;
import dev.roomcell.verticle.ImServices;
import dev.roomcell.verticle.WebhookVerticle;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** What the configuration means for each part of a node. */
final class NodeSettings {
    /** The pause between two passes over old rows, ms. */
    private static final long PURGE_EVERY_MS = 300_000;
    /** The pause between two looks or deletions of a pass, ms: leaves the database time for others. */
    private static final long PURGE_PAUSE_MS = 200;

    private static final int ROOMS_A_LOOK = 200;
    private static final int ROWS_A_PURGE = 1_000;
    /** A command may be a day old when it comes (LOG-2), and then wait; by then the log must still know it, ms. */
    private static final long LAST_RETRY_MS = 3_600_000;

    private NodeSettings() {}

    /** Where the configuration says that the database is. */
    static MysqlSettings mysql(NodeConfig config) {
        return new MysqlSettings(
                config.mysql().host(),
                config.mysql().port(),
                config.mysql().user(),
                config.mysql().password().reveal(),
                config.mysql().schema(),
                config.mysql().readConnections(),
                config.mysql().connectTimeoutMs(),
                config.mysql().statementTimeoutMs(),
                config.lease().ttlMs() / 2);
    }

    /** Where Redis is, and who the node is there. */
    static RedisSettings redis(NodeConfig config, String nodeId) {
        return new RedisSettings(
                config.redis().host(),
                config.redis().port(),
                config.redis().password().reveal(),
                config.redis().database(),
                config.redis().keyPrefix(),
                config.redis().callTimeoutMs(),
                config.lease().ttlMs(),
                nodeId);
    }

    /** Where facts are delivered: to the same Redis, unless another one is named. */
    static RedisSettings streams(OutboxConfig wanted, RedisSettings redis) {
        boolean elsewhere = !wanted.redisHost().isEmpty();
        return new RedisSettings(
                elsewhere ? wanted.redisHost() : redis.host(),
                elsewhere ? wanted.redisPort() : redis.port(),
                redis.password(),
                redis.database(),
                redis.keyPrefix(),
                wanted.publishTimeoutMs(),
                redis.leaseTtlMs(),
                redis.nodeId());
    }

    /** How facts are delivered. */
    static OutboxSettings outbox(OutboxConfig wanted) {
        return new OutboxSettings(
                wanted.batch(),
                wanted.claimMs(),
                wanted.leaseMs(),
                wanted.maxTries(),
                wanted.retryFirstMs(),
                wanted.retryMaxMs(),
                wanted.pollMs(),
                wanted.keepDeliveredMs());
    }

    /** How long rows are kept. */
    static PurgeSettings purge(NodeConfig config) {
        return new PurgeSettings(
                TimeUnit.DAYS.toMillis(config.log().keepDays()) + LAST_RETRY_MS,
                TimeUnit.DAYS.toMillis(config.gifts().keepDays()),
                PURGE_EVERY_MS,
                PURGE_PAUSE_MS,
                ROOMS_A_LOOK,
                ROWS_A_PURGE);
    }

    /** Who is in the cluster, and where. */
    static ClusterSettings cluster(ClusterConfig config, String nodeId) {
        return new ClusterSettings(
                config.members(), config.host(), config.port(), config.busPort(), config.name(), config.file(), nodeId);
    }

    /** A heartbeat may be so late, ms. */
    private static final long HEARTBEAT_LATE_MS = 5_000;

    /** What the core is limited to. */
    static CellSettings cells(NodeConfig config) {
        return new CellSettings(
                config.lease().ttlMs(),
                config.room().mailboxCommands(),
                config.room().batchCommands(),
                config.room().sharedBatchCommands(),
                config.room().batchBytes(),
                config.commit().groupRooms(),
                config.commit().groupBytes(),
                config.commit().secondGroupRooms(),
                Math.max(1, config.room().loadedRooms() / config.node().eventLoops()),
                config.room().passivateAfterMs(),
                config.create().limitMs(),
                config.presence().staleAfterMs(),
                config.presence().heartbeatEveryMs(),
                policy(config),
                new CellSettings.SnapshotPolicy(
                        config.snapshot().minLogBytes(),
                        config.snapshot().minAgeMs(),
                        config.snapshot().maxLogRows()),
                gifts(config),
                config.im().displaysPerSecond());
    }

    /** Two heartbeats, of which one may be lost, are waited for before a doubted seat is taken away. */
    private static RoomPolicy policy(NodeConfig config) {
        long publishWithinMs = config.mic().publishWithinMs();
        return new RoomPolicy(
                publishWithinMs,
                Math.max(publishWithinMs, 2 * config.presence().heartbeatEveryMs() + HEARTBEAT_LATE_MS));
    }

    /** How long the steps of a gift may take. */
    static GiftSettings gifts(NodeConfig config) {
        return new GiftSettings(
                config.wallet().callTimeoutMs(),
                config.luckyGift().callTimeoutMs(),
                config.gifts().voidAfterMs(),
                config.gifts().reconcileEveryMs(),
                config.gifts().maxRefusals(),
                config.gifts().newsEveryMs());
    }

    /** How to the wallet and the lottery; {@code metrics} hears of the calls. */
    static GiftServices.Settings giftServices(NodeConfig config, MeterRegistry metrics) {
        return new GiftServices.Settings(
                called(config.wallet()),
                called(config.luckyGift()),
                config.gifts().catalogCacheMs(),
                new ServiceCallMeter(metrics));
    }

    private static WalletSettings called(CalledServiceConfig called) {
        return new WalletSettings(called.host(), called.port(), called.callTimeoutMs(), called.maxInFlight());
    }

    /** Where Tencent IM calls, and what it is answered. */
    static WebhookVerticle.Settings webhook(NodeConfig config) {
        WebhookConfig webhook = config.webhook();
        return new WebhookVerticle.Settings(
                webhook.host(),
                webhook.port(),
                config.tencent().identifier(),
                webhook.deadlineMs(),
                new ChatWebhook.Settings(
                        config.tencent().sdkAppId(),
                        new WebhookToken(webhook.token().reveal(), webhook.skewMs()),
                        webhook.deliverUndecided()));
    }

    /** Where messages to rooms go, and what robots show; {@code nodes} are all that live now. */
    static ImServices.Settings im(NodeConfig config, MeterRegistry metrics, IntSupplier nodes) {
        TencentConfig tencent = config.tencent();
        Optional<TencentSettings> settings = tencent.isOn()
                ? Optional.of(new TencentSettings(
                        URI.create(tencent.baseUrl()),
                        tencent.sdkAppId(),
                        tencent.identifier(),
                        tencent.secretKey().reveal(),
                        tencent.sigTtlMs()))
                : Optional.empty();
        return new ImServices.Settings(
                Optional.of(config.im().sinkUrl()).filter(url -> !url.isEmpty()).map(URI::create),
                settings,
                TencentShare.of(
                        metrics,
                        new RoomMessenger.Limits(
                                tencent.roomMessagesPerSecond(), new AppBudget(tencent.messagesPerSecond(), nodes))));
    }
}
