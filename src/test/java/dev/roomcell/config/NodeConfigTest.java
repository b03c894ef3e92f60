package dev.roomcell.config;

import static dev.roomcell.config.ConfigKeys.valuesOf;
import static dev.roomcell.config.ConfigKeys.variable;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeConfigTest {
    private static final Path EXAMPLE = Path.of("conf", "room-service.yaml");

    /** For every key a value that is allowed and is not its default. */
    private static final Map<String, Object> OTHER_VALUES = Map.ofEntries(
            entry("node.id", "node-7.eu"),
            entry("node.advertise_addr", "[fd00::7]:7400"),
            entry("node.event_loops", 63),
            entry("grpc.host", "::1"),
            entry("grpc.port", 0),
            entry("grpc.max_message_bytes", 16_384),
            entry("grpc.max_streams_per_connection", 7),
            entry("ops.host", "localhost"),
            entry("ops.port", 1),
            entry("mysql.host", "db.example.org"),
            entry("mysql.port", 3307),
            entry("mysql.user", "another"),
            entry("mysql.password", new Secret("s3cret \"quoted\"")),
            entry("mysql.schema", "rooms_2"),
            entry("mysql.read_connections", 64),
            entry("mysql.connect_timeout_ms", 100L),
            entry("mysql.statement_timeout_ms", 60_000L),
            entry("mysql.migrate_at_start", false),
            entry("redis.host", "10.0.0.7"),
            entry("redis.port", 6380),
            entry("redis.password", new Secret("0123")),
            entry("redis.database", 3),
            entry("redis.key_prefix", "räume:"),
            entry("redis.call_timeout_ms", 2000L),
            entry("lease.ttl_ms", 3000L),
            entry("room.mailbox_commands", 16),
            entry("room.batch_commands", 4096),
            entry("room.shared_batch_commands", 4096),
            entry("room.batch_bytes", 4_194_304),
            entry("room.loaded_rooms", 1),
            entry("room.passivate_after_ms", 1000L),
            entry("commit.group_rooms", 1),
            entry("commit.group_bytes", 1_048_576),
            entry("commit.second_group_rooms", 1),
            entry("request.default_deadline_ms", 15_000L),
            entry("request.max_deadline_ms", 5000L),
            entry("snapshot.min_log_bytes", 1024),
            entry("snapshot.min_age_ms", 0L),
            entry("snapshot.max_log_rows", 1),
            entry("log.keep_days", 3650),
            entry("create.limit_ms", 1000L),
            entry("presence.heartbeat_every_ms", 30_000L),
            entry("presence.stale_after_ms", 30_000L),
            entry("mic.publish_within_ms", 500L),
            entry("cluster.members", "127.0.0.1:7450,127.0.0.1:7451"),
            entry("cluster.host", "::1"),
            entry("cluster.port", 7451),
            entry("cluster.bus_port", 7461),
            entry("cluster.name", "rooms-eu"),
            entry("cluster.file", "cluster.xml"),
            entry("im.sink_url", "http://[::1]:7490/messages"),
            entry("im.displays_per_second", 100),
            entry("rtc.host", "0.0.0.0"),
            entry("rtc.port", 0),
            entry("rtc.sdk_app_id", 1_400_000_000),
            entry("rtc.callback_key", new Secret("Key0123")),
            entry("rtc.endpoint", "http://127.0.0.1:7496"),
            entry("rtc.region", "ap-beijing"),
            entry("rtc.secret_id", new Secret("AKID0123")),
            entry("rtc.secret_key", new Secret("0123abc")),
            entry("rtc.call_timeout_ms", 100L),
            entry("rtc.calls_per_second", 1),
            entry("tencent.base_url", "http://127.0.0.1:7490"),
            entry("tencent.sdk_app_id", 1_400_000_000),
            entry("tencent.identifier", "robot"),
            entry("tencent.secret_key", new Secret("0123abc")),
            entry("tencent.sig_ttl_ms", 5000L),
            entry("tencent.room_messages_per_second", 1),
            entry("tencent.messages_per_second", 100_000),
            entry("webhook.host", "10.0.0.9"),
            entry("webhook.port", 7495),
            entry("webhook.token", new Secret("xxxxyyyy")),
            entry("webhook.skew_ms", 1_000L),
            entry("webhook.deadline_ms", 1_500L),
            entry("webhook.deliver_undecided", false),
            entry("outbox.workers", 0),
            entry("outbox.batch", 1),
            entry("outbox.claim_ms", 1000L),
            entry("outbox.lease_ms", 5000L),
            entry("outbox.max_tries", 1),
            entry("outbox.retry_first_ms", 1L),
            entry("outbox.retry_max_ms", 1L),
            entry("outbox.poll_ms", 10L),
            entry("outbox.keep_delivered_ms", 0L),
            entry("outbox.stream_max_length", 1000L),
            entry("drain.deadline_ms", 1001L),
            entry("drain.linger_ms", 0L),
            entry("outbox.redis_host", "streams.example.org"),
            entry("outbox.redis_port", 6380),
            entry("outbox.publish_timeout_ms", 100L),
            entry("wallet.host", "wallet.example.org"),
            entry("wallet.port", 7461),
            entry("wallet.call_timeout_ms", 100L),
            entry("wallet.max_in_flight", 1),
            entry("gifts.void_after_ms", 1_000L),
            entry("gifts.reconcile_every_ms", 50L),
            entry("gifts.news_every_ms", 100L),
            entry("gifts.catalog_cache_ms", 0L),
            entry("gifts.max_refusals", 1),
            entry("gifts.keep_days", 2),
            entry("lucky_gift.host", "10.0.0.8"),
            entry("lucky_gift.port", 7471),
            entry("lucky_gift.call_timeout_ms", 30_000L),
            entry("lucky_gift.max_in_flight", 10_000));

    /** What a key cannot be without. */
    private static final Map<String, Map<String, Object>> NEEDED = Map.of(
            "rtc.sdk_app_id", Map.of("rtc.callback_key", new Secret("k")),
            "rtc.secret_id", Map.of("rtc.secret_key", new Secret("k")),
            "rtc.secret_key", Map.of("rtc.secret_id", new Secret("i")),
            "tencent.sdk_app_id", Map.of("tencent.secret_key", new Secret("k")),
            "webhook.port",
                    Map.of(
                            "webhook.token", new Secret("t"),
                            "tencent.sdk_app_id", 1,
                            "tencent.secret_key", new Secret("k")));

    @TempDir
    Path folder;

    static Set<String> keys() {
        return valuesOf(load(null, Map.of())).keySet();
    }

    static Stream<String> numericKeys() {
        return valuesOf(load(null, Map.of())).entrySet().stream()
                .filter(key -> key.getValue() instanceof Number)
                .map(Map.Entry::getKey);
    }

    @Test
    void theExampleFileHoldsEveryKeyAtItsDefault() throws IOException {
        List<String> inFile = new ArrayList<>();
        for (Map.Entry<String, JsonNode> section :
                new YAMLMapper().readTree(EXAMPLE.toFile()).properties()) {
            section.getValue().fieldNames().forEachRemaining(key -> inFile.add(section.getKey() + "." + key));
        }

        assertThat(inFile).containsExactlyElementsOf(keys());
        assertThat(load(EXAMPLE, Map.of())).isEqualTo(load(null, Map.of()));
    }

    @Test
    void theRangesInTheExampleFileAreTheOnesInForce() throws IOException {
        Pattern range = Pattern.compile("Range (\\d+)\\.\\.(\\d+)\n +(\\w+):");
        List<String> withRange = new ArrayList<>();
        for (String block : Files.readString(EXAMPLE).split("\n(?=[a-z])", -1)) {
            String section = block.substring(0, Math.max(0, block.indexOf(':')));
            for (Matcher found = range.matcher(block); found.find(); ) {
                String path = section + "." + found.group(3);
                long min = Long.parseLong(found.group(1));
                long max = Long.parseLong(found.group(2));
                String words = " must be a whole number from " + min + " to " + max + " (";

                assertThat(problemsOf(path, min - 1)).anyMatch(problem -> problem.contains(words));
                assertThat(problemsOf(path, max + 1)).anyMatch(problem -> problem.contains(words));
                assertThat(problemsOf(path, min)).noneMatch(problem -> problem.contains(words));
                assertThat(problemsOf(path, max)).noneMatch(problem -> problem.contains(words));
                withRange.add(path);
            }
        }
        assertThat(withRange).containsExactlyElementsOf(numericKeys().toList());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void aKeyIsSetFromTheFile(String path) throws IOException {
        Object other = otherValue(path);
        NodeConfig config = load(yaml(path, inYaml(other)), needed(path));

        assertThat(valuesOf(config)).isEqualTo(expected(path, other));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void aKeyIsSetFromTheEnvironment(String path) {
        Object other = otherValue(path);
        Map<String, String> environment = new HashMap<>(needed(path));
        environment.put(variable(path), plain(other));
        NodeConfig config = load(null, environment);

        assertThat(valuesOf(config)).isEqualTo(expected(path, other));
    }

    @Test
    void theEnvironmentGoesBeforeTheFileAndOtherVariablesAreLeftAlone() throws IOException {
        NodeConfig config = load(
                yaml("lease.ttl_ms", "3000"),
                Map.of("ROOM_LEASE_TTL_MS", "4000", "PATH", "/bin", "MYSQL_HOST", "elsewhere", "LOG_LEVEL", "DEBUG"));

        assertThat(config.lease().ttlMs()).isEqualTo(4000);
        assertThat(config.mysql().host()).isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "# nothing\n", "---\n", "{}", "lease:\n", "lease: {}\n", "lease: ~\n"})
    void aFileWithoutValuesMeansTheDefaults(String text) throws IOException {
        assertThat(load(file(text), Map.of())).isEqualTo(load(null, Map.of()));
    }

    @Test
    void whatIsLeftToTheMachineIsFilledIn() {
        NodeConfig config = NodeConfig.load(null, Map.of("ROOM_NODE_EVENT_LOOPS", "0"), "host-1");

        assertThat(config.node().id()).isEqualTo("host-1");
        assertThat(config.node().eventLoops())
                .isEqualTo(Math.max(1, Math.min(64, Runtime.getRuntime().availableProcessors() / 2)));
    }

    @Test
    void secretsAreNeverPrinted() throws IOException {
        Map<String, String> environment =
                Map.of("ROOM_MYSQL_PASSWORD", "hunter2", "ROOM_REDIS_PASSWORD", "hunter2".repeat(100));
        NodeConfig config = load(null, Map.of("ROOM_MYSQL_PASSWORD", "hunter2"));

        assertThat(config.mysql().password().reveal()).isEqualTo("hunter2");
        assertThat(config.toString()).doesNotContain("hunter2").contains("***");
        assertThat(config.describe())
                .doesNotContain("hunter2")
                .contains("mysql.password=*** ", "redis.password=(empty) ", "lease.ttl_ms=6000 ");
        assertThat(problems(null, environment)).singleElement().asString().doesNotContain("hunter2");
        assertThat(problems(file("mysql: {password: 1726354}"), Map.of()))
                .singleElement()
                .asString()
                .doesNotContain("1726354");
        assertThat(problems(file("mysql:\n  password: 'hunter2\n"), Map.of()))
                .singleElement()
                .asString()
                .doesNotContain("hunter2");
    }

    @Test
    void theDescriptionHasEveryKey() {
        NodeConfig config = load(null, Map.of());
        String expected = String.join(
                " ", valuesOf(config).entrySet().stream().map(Object::toString).toList());

        assertThat(config.describe()).isEqualTo(expected);
    }

    private static Object otherValue(String path) {
        assertThat(OTHER_VALUES)
                .as("a new key needs a value to test it with")
                .containsOnlyKeys(keys())
                .containsKey(path);
        return OTHER_VALUES.getOrDefault(path, "");
    }

    private static Map<String, Object> expected(String path, Object other) {
        Map<String, Object> values = valuesOf(load(null, Map.of()));
        assertThat(other).isNotEqualTo(values.get(path));
        values.putAll(NEEDED.getOrDefault(path, Map.of()));
        values.put(path, other);
        return values;
    }

    private static Map<String, String> needed(String path) {
        Map<String, String> environment = new HashMap<>();
        NEEDED.getOrDefault(path, Map.of()).forEach((key, value) -> environment.put(variable(key), plain(value)));
        return environment;
    }

    private static String plain(Object value) {
        return value instanceof Secret secret ? secret.reveal() : value.toString();
    }

    private static String inYaml(Object value) {
        return value instanceof String || value instanceof Secret ? "'" + plain(value) + "'" : plain(value);
    }

    private static NodeConfig load(@Nullable Path file, Map<String, String> environment) {
        return NodeConfig.load(file, environment, "host-1");
    }

    private static List<String> problemsOf(String path, long value) {
        return problems(null, Map.of(variable(path), Long.toString(value)));
    }

    private static List<String> problems(@Nullable Path file, Map<String, String> environment) {
        try {
            load(file, environment);
            return List.of();
        } catch (ConfigException e) {
            return e.problems();
        }
    }

    private Path yaml(String path, String value) throws IOException {
        int dot = path.indexOf('.');
        return file(path.substring(0, dot) + ":\n  " + path.substring(dot + 1) + ": " + value + "\n");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("node.yaml"), text);
    }
}
