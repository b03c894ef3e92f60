package dev.roomcell.verticle;

import dev.roomcell.wire.SharedConnection;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.health.HealthService;
import io.vertx.grpc.reflection.ReflectionService;
import io.vertx.grpc.server.GrpcProtocol;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import io.vertx.grpc.server.Service;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The gRPC port on one event loop; instances share the port. */
public final class GrpcVerticle extends VerticleBase {
    /** A gateway cancels calls in bulk when its own clients go: no attack at these rates. */
    private static final int RESETS_PER_WINDOW = 100_000;

    private final Settings settings;
    private final List<Service> services;
    private final BooleanSupplier ready;
    private @Nullable HttpServer server;

    /**
     * Where and how to listen.
     *
     * @param host the interface
     * @param port the port; 0 is any free one
     * @param maxMessageBytes the largest message taken, bytes
     * @param maxStreamsPerConnection calls in flight on a connection
     */
    public record Settings(String host, int port, int maxMessageBytes, int maxStreamsPerConnection) {}

    /** A port that serves {@code services}, health and reflection; {@code ready} is what health says. */
    public GrpcVerticle(Settings settings, List<Service> services, BooleanSupplier ready) {
        this.settings = settings;
        this.services = services;
        this.ready = ready;
    }

    @Override
    public Future<?> start() {
        GrpcServer grpc = GrpcServer.server(
                vertx,
                new GrpcServerOptions()
                        .setMaxMessageSize(settings.maxMessageBytes())
                        .removeEnabledProtocol(GrpcProtocol.TRANSCODING)
                        .removeEnabledProtocol(GrpcProtocol.WEB)
                        .removeEnabledProtocol(GrpcProtocol.WEB_TEXT));
        HealthService health = HealthService.create(vertx);
        for (Service service : services) {
            grpc.addService(service);
            health.register(service.name(), () -> Future.succeededFuture(ready.getAsBoolean()));
        }
        grpc.addService(health);
        grpc.addService(ReflectionService.v1());
        HttpServerOptions options = new HttpServerOptions()
                .setHost(settings.host())
                // Instances that ask for "any" port share one only when it is asked for as -1.
                .setPort(settings.port() == 0 ? -1 : settings.port())
                .setTcpNoDelay(true)
                .setHttp2RstFloodMaxRstFramePerWindow(RESETS_PER_WINDOW)
                .setHttp2RstFloodWindowDuration(30)
                .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
                .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(settings.maxStreamsPerConnection()));
        return vertx.createHttpServer(options)
                .connectionHandler(SharedConnection::prepare)
                .requestHandler(grpc)
                .listen()
                .onSuccess(listening -> server = listening)
                .recover(failure -> Future.failedFuture(new IllegalStateException(
                        "grpc.port " + settings.port() + ": " + failure.getMessage(), failure)));
    }

    /** Takes no new call, and waits until those that are running are answered, at the latest {@code ms} from now. */
    public Future<Void> finish(long ms) {
        HttpServer listening = server;
        return listening == null ? Future.succeededFuture() : listening.shutdown(ms, TimeUnit.MILLISECONDS);
    }

    /** The port it listens on, once it is deployed. */
    public int port() {
        return Objects.requireNonNull(server, "not deployed").actualPort();
    }
}
