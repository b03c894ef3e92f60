package dev.roomcell.adapter.redis;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;

/** One app's stream of facts as a consumer reads it, from its oldest entry on; see {@link RedisFactPublisher}. */
public final class RedisFactReader {
    private static final int ENTRIES_A_READ = 1_000;

    private RedisFactReader() {}

    /**
     * The ids of a room's facts, in the order in which they arrived; repetitions are left in.
     *
     * @param target {@code HOST:PORT} of a Redis without password
     */
    public static Future<List<String>> eventIds(Vertx vertx, String target, String appCode, String roomId) {
        Redis redis = Redis.createClient(vertx, "redis://" + target);
        List<String> ids = new ArrayList<>();
        return read(redis, "room:facts:" + appCode, "-", roomId, ids).map(ids).onComplete(read -> redis.close());
    }

    private static Future<Void> read(Redis redis, String stream, String from, String roomId, List<String> ids) {
        Request range = Request.cmd(Command.XRANGE)
                .arg(stream)
                .arg(from)
                .arg("+")
                .arg("COUNT")
                .arg(ENTRIES_A_READ);
        return redis.send(range).compose(entries -> {
            String last = from;
            for (Response entry : entries) {
                last = "(" + entry.get(0).toString();
                if (field(entry.get(1), "room_id").equals(roomId)) {
                    ids.add(field(entry.get(1), "event_id"));
                }
            }
            return entries.size() < ENTRIES_A_READ ? Future.succeededFuture() : read(redis, stream, last, roomId, ids);
        });
    }

    private static String field(Response pairs, String name) {
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i).toString().equals(name)) {
                return pairs.get(i + 1).toString();
            }
        }
        return "";
    }
}
