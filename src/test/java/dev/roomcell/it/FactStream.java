package dev.roomcell.it;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One app's stream of facts, as a consumer sees it. */
final class FactStream implements AutoCloseable {
    private static final int ENTRIES_A_READ = 1_000;

    private final Redis redis;
    private final String key;

    FactStream(Vertx vertx, Backends backends, String appCode) {
        this.redis = Redis.createClient(
                vertx, "redis://127.0.0.1:" + backends.servers().redisPort());
        this.key = backends.redisPrefix() + "room:facts:" + appCode;
    }

    /** An entry. */
    record Entry(String eventId, RoomKey room, long version, String type, String envelope) {}

    /** All entries, in order. */
    List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        String from = "-";
        while (true) {
            Response read = Objects.requireNonNull(send(Request.cmd(Command.XRANGE)
                    .arg(key)
                    .arg(from)
                    .arg("+")
                    .arg("COUNT")
                    .arg(ENTRIES_A_READ)));
            for (Response entry : read) {
                from = "(" + entry.get(0).toString();
                entries.add(entry(entry.get(1)));
            }
            if (read.size() < ENTRIES_A_READ) {
                return entries;
            }
        }
    }

    private static Entry entry(Response pairs) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            fields.put(pairs.get(i).toString(), pairs.get(i + 1).toString());
        }
        return new Entry(
                field(fields, "event_id"),
                new RoomKey(field(fields, "app_code"), field(fields, "room_id")),
                Long.parseLong(field(fields, "room_version")),
                field(fields, "type"),
                field(fields, "envelope"));
    }

    private static String field(Map<String, String> fields, String name) {
        return Objects.requireNonNull(fields.get(name), name);
    }

    /** How many entries there are. */
    long length() {
        return Objects.requireNonNull(send(Request.cmd(Command.XLEN).arg(key))).toLong();
    }

    /** Makes the key something that no fact can be added to. */
    void occupy() {
        send(Request.cmd(Command.SET).arg(key).arg("no stream"));
    }

    private @Nullable Response send(Request request) {
        return Await.result(redis.send(request));
    }

    @Override
    public void close() {
        Await.result(redis.close());
    }
}
