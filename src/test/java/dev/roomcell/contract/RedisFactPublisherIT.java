package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.fault.FaultProxy.Direction;
import dev.roomcell.port.FactPublisher;
import dev.roomcell.port.FactPublisher.Delivery;
import dev.roomcell.port.FactPublisher.Outcome;
import dev.roomcell.port.OutboxStore.Claimed;
import dev.roomcell.port.OutboxStore.FactId;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class RedisFactPublisherIT extends FactPublisherContract {
    @RegisterExtension
    static final RedisBackend REDIS = new RedisBackend();

    private static final int MAX_LENGTH = 1_000;
    private static final long CALL_TIMEOUT_MS = 500;
    private static final RoomKey ROOM = new RoomKey("app", "room");

    private FaultProxy proxy;
    private FactPublisher publisher;

    @BeforeEach
    void start() {
        proxy = Await.result(FaultProxy.start(REDIS.vertx(), SharedServers.get().redisPort()));
        publisher = REDIS.publisherThrough(proxy.port(), CALL_TIMEOUT_MS, MAX_LENGTH);
    }

    @AfterEach
    void stop() {
        Await.result(proxy.close());
    }

    @Override
    FactPublisher publisher() {
        return publisher;
    }

    private static String stream(String appCode) {
        return REDIS.prefix() + "room:facts:" + appCode;
    }

    @Override
    List<Claimed> entries(String appCode) {
        List<Claimed> entries = new ArrayList<>();
        Objects.requireNonNull(REDIS.ask(Command.XRANGE, stream(appCode), "-", "+"))
                .forEach(entry -> entries.add(entry(appCode, entry.get(1))));
        return entries;
    }

    private static Claimed entry(String appCode, Response pairs) {
        Map<String, Response> fields = new HashMap<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            fields.put(pairs.get(i).toString(), pairs.get(i + 1));
        }
        FactId id = new FactId(
                new RoomKey(text(fields, "app_code"), text(fields, "room_id")),
                Long.parseLong(text(fields, "room_version")),
                Integer.parseInt(text(fields, "event_index")));
        assertThat(id.key().appCode()).isEqualTo(appCode);
        assertThat(text(fields, "event_id")).isEqualTo(id.eventId());
        byte[] envelope = Objects.requireNonNull(fields.get("envelope")).toBytes();
        return new Claimed(id, text(fields, "type"), envelope, 0);
    }

    private static String text(Map<String, Response> fields, String name) {
        return Objects.requireNonNull(fields.get(name), name).toString();
    }

    @Override
    void breakApp(String appCode) {
        REDIS.ask(Command.SET, stream(appCode), "no stream");
    }

    @Test
    void aStreamIsBounded() {
        for (int from = 0; from < 3_000; from += 250) {
            Await.result(publisher.publish(IntStream.range(from, from + 250)
                    .mapToObj(i -> fact(ROOM, i))
                    .toList()));
        }
        long length =
                Objects.requireNonNull(REDIS.ask(Command.XLEN, stream("app"))).toLong();
        assertThat(length).isBetween((long) MAX_LENGTH, MAX_LENGTH + 200L);
    }

    /** B75: not a word about the facts. */
    @Test
    void aRedisThatIsGoneIsNoFactsFault() {
        Await.result(publisher.publish(List.of(fact(ROOM, 1))));
        proxy.refuse();
        proxy.reset();
        Await.failure(publisher.publish(List.of(fact(ROOM, 2))));
        proxy.pass();
        Await.until(
                "it is found again",
                () -> !Await.result(publisher.publish(List.of(fact(ROOM, 2))).otherwise(List.of()))
                        .isEmpty());
    }

    /** B79: it has arrived, and nobody knows. */
    @Test
    void anAnswerThatIsLostIsAFailureInTime() {
        Await.result(publisher.publish(List.of(fact(ROOM, 1))));
        proxy.blackHole(Direction.TO_CLIENT);
        Await.failure(publisher.publish(List.of(fact(ROOM, 2))));
        assertThat(entries("app"))
                .extracting(Claimed::id)
                .containsExactly(fact(ROOM, 1).id(), fact(ROOM, 2).id());
    }

    /** B75. */
    @Test
    void aRedisThatIsFullIsNoFactsFault() {
        Await.result(publisher.publish(List.of(fact(ROOM, 1))));
        REDIS.ask(Command.CONFIG, "SET", "maxmemory", "1");
        try {
            List<Delivery> told =
                    Await.result(publisher.publish(List.of(fact(ROOM, 2))).otherwise(List.of()));
            assertThat(told).extracting(Delivery::outcome).doesNotContain(Outcome.DELIVERED, Outcome.REFUSED);
        } finally {
            REDIS.ask(Command.CONFIG, "SET", "maxmemory", "0");
        }
        assertThat(Await.result(publisher.publish(List.of(fact(ROOM, 2))))).containsExactly(Delivery.DELIVERED);
    }
}
