package dev.roomcell.adapter.redis;

import dev.roomcell.port.LeaseDirectory.LeaseStoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls to Redis with a deadline, over one connection that keeps their order: a VerifyOwner that leaves before a renewal
 * is answered before it, so the tokens it names can't have rotated away. Belongs to one event loop.
 */
public final class RedisCalls {
    private static final Logger log = LoggerFactory.getLogger(RedisCalls.class);
    /** Calls in flight; one more fails at once. */
    private static final int CALLS_IN_FLIGHT = 16_384;

    private final Vertx vertx;
    private final RedisOptions options;
    private final long timeoutMs;
    private @Nullable Link link;

    /** A client for one connection: closing the client is the one way to end a connection that has fallen silent. */
    private static final class Link {
        private final Redis client;
        private final Future<RedisConnection> connection;

        Link(Redis client) {
            this.client = client;
            this.connection = client.connect();
        }
    }

    /** Calls of the calling event loop; nothing connects before it is needed. */
    public RedisCalls(Vertx vertx, RedisSettings settings) {
        this.vertx = vertx;
        this.options = new RedisOptions()
                .setConnectionString("redis://" + settings.host() + ":" + settings.port() + "/" + settings.database())
                .setMaxPoolSize(1)
                .setMaxWaitingHandlers(CALLS_IN_FLIGHT)
                .setNetClientOptions(new NetClientOptions()
                        .setConnectTimeout((int) settings.callTimeoutMs())
                        .setTcpNoDelay(true));
        if (!settings.password().isEmpty()) {
            options.setPassword(settings.password());
        }
        this.timeoutMs = settings.callTimeoutMs();
    }

    private Link link() {
        Link current = link;
        if (current != null) {
            return current;
        }
        Link made = new Link(Redis.createClient(vertx, options));
        link = made;
        made.connection
                .onFailure(failure -> end(made))
                .onSuccess(connected ->
                        connected.exceptionHandler(failure -> end(made)).endHandler(ended -> end(made)));
        return made;
    }

    /** Ends a link; what is in flight on it fails, and the next call makes a new one. */
    private void end(Link ended) {
        if (link == ended) {
            link = null;
            ended.client.close().onFailure(failure -> log.debug("Redis connection not closed: {}", failure.toString()));
        }
    }

    Future<@Nullable Response> send(Request request) {
        Link used = link();
        return used.connection
                .compose(connected -> connected.send(request))
                .timeout(timeoutMs, TimeUnit.MILLISECONDS)
                .recover(failure -> {
                    if (failure instanceof TimeoutException) {
                        // Whatever stopped it stops all that is behind it.
                        end(used);
                    }
                    return Future.failedFuture(
                            new LeaseStoreException(request.command() + ": " + failure.getMessage(), failure));
                });
    }

    /** Runs a script by its name, and by its text where Redis does not know it yet. */
    Future<@Nullable Response> run(LeaseScripts.Script script, List<String> keys, List<String> arguments) {
        return run(script, (command, name) -> {
            Request request = call(command, name, keys);
            arguments.forEach(request::arg);
            return request;
        });
    }

    /** The same, with arguments that are bytes. */
    Future<@Nullable Response> runOnBytes(LeaseScripts.Script script, List<String> keys, List<Buffer> arguments) {
        return run(script, (command, name) -> {
            Request request = call(command, name, keys);
            arguments.forEach(request::arg);
            return request;
        });
    }

    private Future<@Nullable Response> run(LeaseScripts.Script script, BiFunction<Command, String, Request> request) {
        return send(request.apply(Command.EVALSHA, script.sha1())).recover(failure -> {
            String message = String.valueOf(failure.getMessage());
            return message.contains("NOSCRIPT")
                    ? send(request.apply(Command.EVAL, script.text()))
                    : Future.failedFuture(failure);
        });
    }

    private static Request call(Command command, String script, List<String> keys) {
        Request request = Request.cmd(command).arg(script).arg(keys.size());
        keys.forEach(request::arg);
        return request;
    }

    /** Asks whether Redis answers. */
    public Future<Void> ping() {
        return send(Request.cmd(Command.PING)).mapEmpty();
    }

    /** Closes the connection. */
    public Future<Void> close() {
        Link open = link;
        link = null;
        return open == null ? Future.succeededFuture() : open.client.close();
    }
}
