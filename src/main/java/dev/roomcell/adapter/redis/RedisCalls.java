package dev.roomcell.adapter.redis;

import dev.roomcell.port.LeaseDirectory.LeaseStoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Calls to Redis with a deadline. Belongs to one event loop. */
public final class RedisCalls {
    /** Connections of an event loop; its calls are few and batched. */
    private static final int CONNECTIONS = 4;
    /** Callers that may wait for a connection; one more fails at once. */
    private static final int WAITING_CALLERS = 4_096;

    private final Redis redis;
    private final long timeoutMs;

    /** Calls of the calling event loop; nothing connects before it is needed. */
    public RedisCalls(Vertx vertx, RedisSettings settings) {
        RedisOptions options = new RedisOptions()
                .setConnectionString("redis://" + settings.host() + ":" + settings.port() + "/" + settings.database())
                .setMaxPoolSize(CONNECTIONS)
                .setMaxPoolWaiting(WAITING_CALLERS)
                .setNetClientOptions(new NetClientOptions()
                        .setConnectTimeout((int) settings.callTimeoutMs())
                        .setTcpNoDelay(true));
        if (!settings.password().isEmpty()) {
            options.setPassword(settings.password());
        }
        this.redis = Redis.createClient(vertx, options);
        this.timeoutMs = settings.callTimeoutMs();
    }

    Future<@Nullable Response> send(Request request) {
        return redis.send(request)
                .timeout(timeoutMs, TimeUnit.MILLISECONDS)
                .recover(failure -> Future.failedFuture(
                        failure instanceof LeaseStoreException known
                                ? known
                                : new LeaseStoreException(request.command() + ": " + failure.getMessage(), failure)));
    }

    /** Runs a script by its name, and by its text where Redis does not know it yet. */
    Future<@Nullable Response> run(LeaseScripts.Script script, List<String> keys, List<String> arguments) {
        return send(call(Command.EVALSHA, script.sha1(), keys, arguments)).recover(failure -> {
            String message = String.valueOf(failure.getMessage());
            return message.contains("NOSCRIPT")
                    ? send(call(Command.EVAL, script.text(), keys, arguments))
                    : Future.failedFuture(failure);
        });
    }

    private static Request call(Command command, String script, List<String> keys, List<String> arguments) {
        Request request = Request.cmd(command).arg(script).arg(keys.size());
        keys.forEach(request::arg);
        arguments.forEach(request::arg);
        return request;
    }

    /** Asks whether Redis answers. */
    public Future<Void> ping() {
        return send(Request.cmd(Command.PING)).mapEmpty();
    }

    /** Closes the connections. */
    public Future<Void> close() {
        return redis.close();
    }
}
