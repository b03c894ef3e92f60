package dev.roomcell.adapter.redis;

import dev.roomcell.adapter.redis.LeaseScripts.Script;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.FactPublisher;
import dev.roomcell.port.OutboxStore.Claimed;
import dev.roomcell.port.OutboxStore.FactId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Facts as entries of Redis Streams, one stream an app, {@code prefix + room:facts:{app_code}}. An app's consumers read
 * their own facts and nobody else's, no app can push another's out of a stream that is bounded, and a stream that takes
 * nothing stops its own app only; one stream a partition would spread the load of one big app over readers, and give all of
 * this up. A consumer drops what it has seen: an entry's {@code (app_code, event_id)} names it (OUT-5, OUT-8).
 *
 * <p>A batch is one script: so each fact of a room is added after the one in front of it or not at all, in one round trip.
 */
public final class RedisFactPublisher implements FactPublisher {
    private static final String OK = "+";
    private static final String HELD = "=";

    /**
     * KEYS: streams. ARGV: the most entries of a stream, then for each fact: the numbers of its stream and of its room, app
     * code, event id, room id, version, index, type, envelope. Answers for each: + added, = held, or the error.
     */
    private static final Script ADD = new Script("""
            local answers = {}
            local blocked = {}
            for i = 1, (#ARGV - 1) / 9 do
              local at = 9 * i - 7
              local room = ARGV[at + 1]
              if blocked[room] then
                answers[i] = '='
              else
                local added = redis.pcall('XADD', KEYS[tonumber(ARGV[at])], 'MAXLEN', '~', ARGV[1], '*',
                  'app_code', ARGV[at + 2], 'event_id', ARGV[at + 3], 'room_id', ARGV[at + 4],
                  'room_version', ARGV[at + 5], 'event_index', ARGV[at + 6], 'type', ARGV[at + 7],
                  'envelope', ARGV[at + 8])
                if type(added) == 'table' and added.err then
                  blocked[room] = true
                  answers[i] = added.err
                else
                  answers[i] = '+'
                end
              end
            end
            return answers
            """);

    private final RedisCalls redis;
    private final RedisSettings settings;
    private final long streamMaxLength;

    /**
     * The streams in {@code redis}.
     *
     * @param streamMaxLength about so many entries are kept in a stream; a consumer that is further behind misses some
     */
    public RedisFactPublisher(RedisCalls redis, RedisSettings settings, long streamMaxLength) {
        this.redis = redis;
        this.settings = settings;
        this.streamMaxLength = streamMaxLength;
    }

    @Override
    public Future<List<Delivery>> publish(List<Claimed> facts) {
        Map<String, Integer> streams = new LinkedHashMap<>();
        Map<RoomKey, Integer> rooms = new LinkedHashMap<>();
        List<Buffer> arguments = new ArrayList<>(1 + 9 * facts.size());
        arguments.add(text(streamMaxLength));
        for (Claimed fact : facts) {
            FactId id = fact.id();
            arguments.add(text(number(
                    streams, settings.keyPrefix() + "room:facts:" + id.key().appCode())));
            arguments.add(text(number(rooms, id.key())));
            arguments.add(text(id.key().appCode()));
            arguments.add(text(id.eventId()));
            arguments.add(text(id.key().roomId()));
            arguments.add(text(id.version()));
            arguments.add(text(id.index()));
            arguments.add(text(fact.type()));
            arguments.add(Buffer.buffer(fact.envelope()));
        }
        return redis.runOnBytes(ADD, List.copyOf(streams.keySet()), arguments).map(response -> {
            List<Delivery> deliveries = new ArrayList<>(facts.size());
            Objects.requireNonNull(response).forEach(answer -> deliveries.add(delivery(answer)));
            return deliveries;
        });
    }

    private static <K> int number(Map<K, Integer> numbers, K key) {
        return numbers.computeIfAbsent(key, first -> numbers.size() + 1);
    }

    private static Buffer text(Object value) {
        return Buffer.buffer(value.toString());
    }

    private static Delivery delivery(Response answer) {
        String said = answer.toString();
        return switch (said) {
            case OK -> Delivery.DELIVERED;
            case HELD -> new Delivery(Outcome.HELD, "");
            default -> new Delivery(isThisStreamsFault(said) ? Outcome.REFUSED : Outcome.OUTAGE, said);
        };
    }

    /** Whether other streams are taken all the same: the key is no stream, or its ids have come to their end. */
    private static boolean isThisStreamsFault(String error) {
        return error.contains("WRONGTYPE") || error.contains("exhausted the last possible ID");
    }
}
