package dev.roomcell;

import dev.roomcell.adapter.mysql.MysqlSettings;
import dev.roomcell.adapter.rtc.ClockOffset;
import dev.roomcell.adapter.rtc.RtcControlSettings;
import dev.roomcell.adapter.rtc.RtcMeter;
import dev.roomcell.adapter.rtc.TencentRtcControl;
import dev.roomcell.config.RtcConfig;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RtcControl;
import dev.roomcell.port.RtcInbox;
import dev.roomcell.verticle.RtcVerticle;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node's part in RTC: nothing, unless the configuration names an app at TRTC. */
final class NodeRtc {
    private final RtcConfig config;
    private final Vertx vertx;
    private final MysqlSettings mysql;
    private final RoomClock clock;
    private final ClockOffset offset;
    private final Optional<RtcMeter> meter;
    private final Optional<TencentRtcControl> control;
    private @Nullable RtcVerticle callbacks;

    /** Nothing listens, and nothing connects, yet. */
    NodeRtc(RtcConfig config, Vertx vertx, MysqlSettings mysql, RoomClock clock, MeterRegistry metrics) {
        this.config = config;
        this.vertx = vertx;
        this.mysql = mysql;
        this.clock = clock;
        this.offset = new ClockOffset(clock);
        this.meter = config.isOn() ? Optional.of(new RtcMeter(metrics, offset)) : Optional.empty();
        this.control = meter.filter(on -> config.hasControl())
                .map(on -> new TencentRtcControl(vertx, settings(config), clock, on, System::nanoTime));
    }

    private static RtcControlSettings settings(RtcConfig config) {
        return new RtcControlSettings(
                URI.create(config.endpoint()),
                config.region(),
                config.sdkAppId(),
                config.secretId().reveal(),
                config.secretKey().reveal(),
                config.callTimeoutMs(),
                config.callsPerSecond());
    }

    /** Who takes users out of RTC rooms; empty: nobody. */
    Optional<RtcControl> control() {
        return control.map(known -> known);
    }

    /** From now on callbacks are taken, and brought to {@code inbox}. */
    Future<Void> listen(RtcInbox inbox) {
        if (meter.isEmpty()) {
            return Future.succeededFuture();
        }
        RtcVerticle.Settings listen = new RtcVerticle.Settings(
                config.host(),
                config.port(),
                config.sdkAppId(),
                config.callbackKey().reveal());
        RtcVerticle port = new RtcVerticle(listen, mysql, inbox, clock, offset, meter.get());
        callbacks = port;
        return vertx.deployVerticle(port).mapEmpty();
    }

    /** Takes no new callback, and waits until those that are here are answered, at the latest {@code ms} from now. */
    Future<Void> finish(long ms) {
        RtcVerticle port = callbacks;
        return port == null ? Future.succeededFuture() : port.finish(ms);
    }

    /** The port for callbacks; empty if there is none. */
    Optional<Integer> port() {
        return Optional.ofNullable(callbacks).map(RtcVerticle::port);
    }
}
