package dev.roomcell.verticle;

import dev.roomcell.adapter.mysql.Connections;
import dev.roomcell.adapter.mysql.MysqlExternalRooms;
import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.tencent.ChatGate;
import dev.roomcell.adapter.tencent.ChatWebhook;
import dev.roomcell.adapter.tencent.WebhookMeter;
import dev.roomcell.port.ChatGuard;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The port that Tencent IM calls, on one event loop, with a database connection for rooms that it does not know yet. */
public final class WebhookVerticle extends VerticleBase {
    private final Settings settings;
    private final MysqlSettings mysql;
    private final ChatGuard guard;
    private final RoomClock clock;
    private final WebhookMeter meter;
    private @Nullable Connections connections;

    /**
     * Where to listen, and what to answer.
     *
     * @param host the interface
     * @param port the port
     * @param administrator who sends our own messages
     * @param deadlineMs how long a decision may take, ms
     * @param answers whose callbacks are answered, and how
     */
    public record Settings(
            String host, int port, String administrator, long deadlineMs, ChatWebhook.Settings answers) {}

    /** Asks {@code guard} whether somebody may speak. */
    public WebhookVerticle(
            Settings settings, MysqlSettings mysql, ChatGuard guard, RoomClock clock, WebhookMeter meter) {
        this.settings = settings;
        this.mysql = mysql;
        this.guard = guard;
        this.clock = clock;
        this.meter = meter;
    }

    @Override
    public Future<?> start() {
        Connections opened = new Connections(vertx, mysql);
        connections = opened;
        ChatGate gate = new ChatGate(
                context, new MysqlExternalRooms(opened), guard, settings.administrator(), settings.deadlineMs());
        ChatWebhook webhook = new ChatWebhook(gate, settings.answers(), clock::nowMs, meter);
        return vertx.createHttpServer()
                .requestHandler(webhook::handle)
                .listen(settings.port(), settings.host())
                .recover(failure -> Future.failedFuture(new IllegalStateException(
                        "webhook.port " + settings.port() + ": " + failure.getMessage(), failure)));
    }

    @Override
    public Future<?> stop() {
        return Objects.requireNonNull(connections).close();
    }
}
