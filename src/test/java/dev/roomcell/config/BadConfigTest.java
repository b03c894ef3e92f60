package dev.roomcell.config;

import static dev.roomcell.config.ConfigKeys.valuesOf;
import static dev.roomcell.config.ConfigKeys.variable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stops the start, and what the message says. FILE stands for the path of the file. */
class BadConfigTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // unknown keys
                "lease: {ttl: 6000}             | lease.ttl: no such key (FILE line 1)",
                "leases: {ttl_ms: 6000}         | leases: no such key (FILE line 1)",
                "leases:                        | leases: no such key (FILE line 1)",
                "lease: {TTL_MS: 6000}          | lease.TTL_MS: no such key (FILE line 1)",
                "lease: {ttl_ms: 6000, 7: 8}    | lease.7: no such key (FILE line 1)",
                // wrong types
                "lease: {ttl_ms: soon}          | lease.ttl_ms: \"soon\" must be a whole number from 1000 to 60000 (FILE line 1)",
                "lease: {ttl_ms: '6000'}        | lease.ttl_ms: \"6000\" must be a whole number from 1000 to 60000 (FILE line 1)",
                "lease: {ttl_ms: 6000.0}        | lease.ttl_ms: 6000.0 must be a whole number from 1000 to 60000 (FILE line 1)",
                "lease: {ttl_ms: 0x1770}        | lease.ttl_ms: 0x1770 must be a whole number from 1000 to 60000 (FILE line 1)",
                "lease: {ttl_ms: 06000}         | lease.ttl_ms: 06000 must be a whole number from 1000 to 60000 (FILE line 1)",
                "lease: {ttl_ms: true}          | lease.ttl_ms: true must be a whole number from 1000 to 60000 (FILE line 1)",
                "lease: {ttl_ms: }              | lease.ttl_ms: nothing must be a whole number from 1000 to 60000 (FILE line 1)",
                "lease: {ttl_ms: [6000]}        | lease.ttl_ms: a list must be a whole number from 1000 to 60000 (FILE line 1)",
                "lease: {ttl_ms: {a: {b: 1}}}   | lease.ttl_ms: a section must be a whole number from 1000 to 60000 (FILE line 1)",
                "lease: 6000                    | lease: 6000 must be a section of keys (FILE line 1)",
                "lease: []                      | lease: a list must be a section of keys (FILE line 1)",
                "mysql: {user: 17}              | mysql.user: 17 must be text, in quotes (FILE line 1)",
                "mysql: {user: }                | mysql.user: nothing must be text, in quotes (FILE line 1)",
                "mysql: {user: &u a, host: *u}  | mysql.host: a YAML alias must be text, in quotes (FILE line 1)",
                "mysql: {migrate_at_start: yes} | mysql.migrate_at_start: yes must be true or false (FILE line 1)",
                "mysql: {migrate_at_start: 1}   | mysql.migrate_at_start: 1 must be true or false (FILE line 1)",
                "mysql: {password: 17}          | mysql.password: must be text of 0..256 characters, in quotes; the value is not shown (FILE line 1)",
                // out of range
                "lease: {ttl_ms: 999}           | lease.ttl_ms: 999 must be a whole number from 1000 to 60000 (FILE line 1)",
                "lease: {ttl_ms: -6000}         | lease.ttl_ms: -6000 must be a whole number from 1000 to 60000 (FILE line 1)",
                "lease: {ttl_ms: 99999999999999999999} | lease.ttl_ms: 99999999999999999999 must be a whole number from 1000 to 60000 (FILE line 1)",
                "node: {id: Node_1}             | node.id: \"Node_1\" must be empty or 1..40 of the characters a-z 0-9 . - (FILE line 1)",
                "mysql: {schema: a-b}           | mysql.schema: \"a-b\" must be 1..48 of the characters a-z 0-9 _ (FILE line 1)",
                "mysql: {user: ''}              | mysql.user: \"\" must be 1..80 printable ASCII characters (FILE line 1)",
                "mysql: {host: a b}             | mysql.host: \"a b\" must be a host name or IP address of 1..255 characters (FILE line 1)",
                "redis: {key_prefix: \"a\\0b\"} | redis.key_prefix: \"a?b\" must be 0..32 bytes of text without NUL (FILE line 1)",
                "redis: {key_prefix: ääääääääääääääää1} | redis.key_prefix: \"ääääääääääääääää1\" must be 0..32 bytes of text without NUL (FILE line 1)",
                "node: {advertise_addr: host}   | node.advertise_addr: \"host\" must be empty or HOST:PORT with a port 1..65535 (FILE line 1)",
                "node: {advertise_addr: 'h:0'}  | node.advertise_addr: \"h:0\" must be empty or HOST:PORT with a port 1..65535 (FILE line 1)",
                "node: {advertise_addr: 'h:65536'} | node.advertise_addr: \"h:65536\" must be empty or HOST:PORT with a port 1..65535 (FILE line 1)",
                // equal keys, and what is no YAML
                "lease: {ttl_ms: 6000, ttl_ms: 6001} | lease.ttl_ms: given twice (FILE line 1 and FILE line 1)",
                "- lease                        | FILE: must hold sections of keys, is a list",
                "lease.ttl_ms                   | FILE: must hold sections of keys, is text",
                "lease: {ttl_ms: 6000           | FILE: not valid YAML at line 1",
                "lease: {ttl_ms: }]           | FILE: not valid YAML at line 1",
            })
    void aBadFileIsNamedWithPathValueRangeAndLine(String text, String problem) throws IOException {
        Path file = file(text + "\n");

        assertThat(problems(file, Map.of())).containsExactly(problem.replace("FILE", file.toString()));
    }

    @Test
    void equalSectionsAndSecondDocumentsAreRefused() throws IOException {
        Path file = file("lease:\n  ttl_ms: 6000\nroom: {}\nlease:\n  ttl_ms: 7000\n");
        String lines = " (" + file + " line 1 and " + file + " line 4)";
        String keyLines = " (" + file + " line 2 and " + file + " line 5)";

        assertThat(problems(file, Map.of()))
                .containsExactly("lease: given twice" + lines, "lease.ttl_ms: given twice" + keyLines);
        assertThat(problems(file("room: {}\n---\nlease: {}\n"), Map.of()))
                .containsExactly(file + ": holds a second document");
    }

    @Test
    void aFileThatIsAbsentOrUnreadableIsNamed() throws IOException {
        Path absent = folder.resolve("absent.yaml");
        Path latin1 = Files.write(folder.resolve("latin1.yaml"), "node: {id: ü}".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(problems(absent, Map.of())).containsExactly(absent + ": no such file");
        assertThat(problems(latin1, Map.of())).containsExactly(latin1 + ": not UTF-8 text");
        assertThat(problems(folder, Map.of())).singleElement().asString().startsWith(folder + ": can't be read");
        assertThat(problems(file("node:\n  id: 'a\0b'\n"), Map.of()))
                .singleElement()
                .asString()
                .startsWith(folder.resolve("node.yaml") + ": not valid YAML");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ROOM_LEASE_TTL_MS           | 500    | lease.ttl_ms: \"500\" must be a whole number from 1000 to 60000 (environment ROOM_LEASE_TTL_MS)",
                "ROOM_LEASE_TTL_MS           | ``     | lease.ttl_ms: \"\" must be a whole number from 1000 to 60000 (environment ROOM_LEASE_TTL_MS)",
                "ROOM_LEASE_TTL_MS           | ` 6000`| lease.ttl_ms: \" 6000\" must be a whole number from 1000 to 60000 (environment ROOM_LEASE_TTL_MS)",
                "ROOM_MYSQL_MIGRATE_AT_START | 1      | mysql.migrate_at_start: \"1\" must be true or false (environment ROOM_MYSQL_MIGRATE_AT_START)",
                "ROOM_MYSQL_SCHEMA           | ``     | mysql.schema: \"\" must be 1..48 of the characters a-z 0-9 _ (environment ROOM_MYSQL_SCHEMA)",
                "ROOM_LEASE_TTL              | 6000   | ROOM_LEASE_TTL: no key has this variable, and the ROOM_ names are reserved for keys (environment)",
                "ROOM_                       | x      | ROOM_: no key has this variable, and the ROOM_ names are reserved for keys (environment)",
                "LOG_LEVEL                   | loud   | LOG_LEVEL: \"loud\" must be one of debug, error, info, off, trace, warn (environment LOG_LEVEL)",
                "LOG_FORMAT                  | xml    | LOG_FORMAT: \"xml\" must be one of json, text (environment LOG_FORMAT)",
            })
    void aBadVariableIsNamedWithPathValueAndRange(String name, String value, String problem) {
        assertThat(problems(null, Map.of(name, value))).containsExactly(problem);
    }

    @Test
    void everyProblemIsReportedAtOnce() throws IOException {
        Path file = file("lease:\n  ttl_ms: 1\n  ttl: 2\nmysql: {port: 0}\n");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(file, Map.of("ROOM_REDIS_PORT", "x", "ROOM_X", "")))
                .withMessageStartingWith("bad configuration, 5 problems:\n  ")
                .withMessageContainingAll("lease.ttl_ms", "lease.ttl:", "mysql.port", "redis.port", "ROOM_X");
    }

    @Test
    void noNumberIsTakenWithoutARange() {
        valuesOf(load(null, Map.of())).forEach((path, value) -> {
            if (value instanceof Number) {
                assertThat(problems(null, Map.of(variable(path), "-1")))
                        .as(path)
                        .isNotEmpty();
                assertThat(problems(null, Map.of(variable(path), "2147483648")))
                        .as(path)
                        .isNotEmpty();
            }
        });
    }

    @Test
    void valuesThatContradictEachOtherAreRefusedWithBothOrigins() {
        assertThat(problems(null, Map.of("ROOM_ROOM_BATCH_BYTES", "4194305")))
                .containsExactly("room.batch_bytes: 4194305 must be at most commit.group_bytes = 4194304,"
                        + " with commit.group_bytes from default (environment ROOM_ROOM_BATCH_BYTES)");
        assertThat(problems(null, Map.of("ROOM_REQUEST_MAX_DEADLINE_MS", "4999")))
                .containsExactly("request.default_deadline_ms: 5000 must be at most request.max_deadline_ms = 4999,"
                        + " with request.max_deadline_ms from environment ROOM_REQUEST_MAX_DEADLINE_MS (default)");
        assertThat(problems(null, Map.of("ROOM_DRAIN_DEADLINE_MS", "5000", "ROOM_DRAIN_LINGER_MS", "5001")))
                .containsExactly(
                        "drain.linger_ms: 5001 must be at most drain.deadline_ms = 5000, with drain.deadline_ms"
                                + " from environment ROOM_DRAIN_DEADLINE_MS (environment ROOM_DRAIN_LINGER_MS)");
        assertThat(problems(null, Map.of("ROOM_LEASE_TTL_MS", "2999")))
                .containsExactly("redis.call_timeout_ms: 1000 must be at most lease.ttl_ms / 3 = 999,"
                        + " with lease.ttl_ms from environment ROOM_LEASE_TTL_MS (default)");
    }

    @Test
    void aRefusedValueIsNotReportedAgainByWhatDependsOnIt() {
        assertThat(problems(null, Map.of("ROOM_LEASE_TTL_MS", "1", "ROOM_REDIS_CALL_TIMEOUT_MS", "3000")))
                .hasSize(1);
    }

    @ParameterizedTest(name = "SEC-1: {0} is refused")
    @ValueSource(
            strings = {
                "0.0.0.0",
                "::",
                "192.168.1.7",
                "example.org",
                "127.0.0.1.example.org",
                "",
                "128.0.0.1",
                "127.0.0.999",
                "localhost.example.org",
                "fd00::7",
                "::ffff:10.0.0.1",
                "127.1",
                "1:2"
            })
    void withoutAuthenticationOnlyLoopbackIsBound(String host) {
        String words =
                " must be a loopback address (127.0.0.0/8, ::1 or localhost), as callers are not authenticated yet";

        assertThat(problems(null, Map.of("ROOM_GRPC_HOST", host, "ROOM_OPS_HOST", host)))
                .satisfiesExactly(
                        problem -> assertThat(problem).startsWith("grpc.host: \"" + host + '"' + words),
                        problem -> assertThat(problem).startsWith("ops.host: \"" + host + '"' + words));
    }

    @ParameterizedTest(name = "SEC-1: {0} is refused")
    @ValueSource(
            strings = {
                "http://example.org:80/",
                "http://127.0.0.1.example.org:80/",
                "http://127.0.0.1/no-port",
                "http://127.0.0.1:0/",
                "http://127.0.0.1:65536/",
                "https://127.0.0.1:443/",
                "http://user@127.0.0.1:80/",
                "http://127.0.0.1:80/#there",
                "127.0.0.1:80",
                "http://127.0.0.1:80/a b",
                " "
            })
    void messagesAreSentToLoopbackOnly(String url) {
        assertThat(problems(null, Map.of("ROOM_IM_SINK_URL", url)))
                .containsExactly("im.sink_url: \"" + url + "\" must be empty or http://HOST:PORT/PATH with a loopback"
                        + " address (environment ROOM_IM_SINK_URL)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "cloud.example.com",
                "http://cloud.example.com",
                "http://cloud.example.com:80",
                "https://cloud.example.com/v4",
                "https://user@cloud.example.com",
                "http://127.0.0.1",
                "http://127.0.0.1:80/path"
            })
    void signedCallsGoOverTlsOrToLoopback(String url) {
        for (String path : List.of("tencent.base_url", "rtc.endpoint")) {
            assertThat(problems(null, Map.of(variable(path), url)))
                    .containsExactly(
                            path + ": \"" + url + "\" must be https://HOST, or http://HOST:PORT with a loopback"
                                    + " address (environment " + variable(path) + ")");
        }
    }

    @Test
    void anAppAtTrtcNeedsItsKeys() {
        assertThat(problems(null, Map.of("ROOM_RTC_SDK_APP_ID", "1", "ROOM_RTC_SECRET_ID", "AKID")))
                .containsExactly(
                        "rtc.callback_key: must be set where rtc.sdk_app_id is (default)",
                        "rtc.secret_key: must be set where rtc.secret_id is, and only there (default)");
        assertThat(problems(null, Map.of("ROOM_RTC_CALLBACK_KEY", "not-only-letters")))
                .containsExactly("rtc.callback_key: must be 0..32 letters and digits, in quotes; the value is not shown"
                        + " (environment ROOM_RTC_CALLBACK_KEY)");
    }

    @Test
    void anAppAtTencentNeedsItsKeyAndExcludesTheSink() {
        Map<String, String> app = Map.of("ROOM_TENCENT_SDK_APP_ID", "1", "ROOM_IM_SINK_URL", "http://127.0.0.1:1/");

        assertThat(problems(null, app))
                .containsExactly(
                        "tencent.secret_key: must be set where tencent.sdk_app_id is (default)",
                        "im.sink_url: must be empty where tencent.sdk_app_id is set: messages go one way only"
                                + " (environment ROOM_IM_SINK_URL)");
    }

    @Test
    void aPortForTencentsCallsNeedsATokenAndAnApp() {
        assertThat(problems(null, Map.of("ROOM_WEBHOOK_PORT", "7495")))
                .containsExactly(
                        "webhook.token: must be set where webhook.port is: anybody could call (default)",
                        "webhook.port: must be 0 without tencent.sdk_app_id: nobody would call"
                                + " (environment ROOM_WEBHOOK_PORT)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.1:0", "127.0.0.1:7450,", "127.0.0.1:7450, 127.0.0.1:7451", ",", " "})
    void membersAreHostsWithPorts(String members) {
        assertThat(problems(null, Map.of("ROOM_CLUSTER_MEMBERS", members)))
                .containsExactly(
                        "cluster.members: \"" + members + "\" must be empty or HOST:PORT,… without spaces, each"
                                + " with a port 1..65535 (environment ROOM_CLUSTER_MEMBERS)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "http://127.0.0.1:7490", "http://localhost:1/messages?x=y", "http://[::1]:65535/"})
    void messagesAreSentToLoopback(String url) {
        assertThat(load(null, Map.of("ROOM_IM_SINK_URL", url)).im().sinkUrl()).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1", "localhost", "::ffff:127.0.0.1"})
    void loopbackIsBound(String host) {
        assertThat(load(null, Map.of("ROOM_GRPC_HOST", host)).grpc().host()).isEqualTo(host);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "under_score", "a-name-that-is-longer-than-forty-characters"})
    void aHostNameThatIsNoNodeIdHasToBeReplaced(String hostName) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> NodeConfig.load(null, Map.of(), hostName))
                .withMessage("bad configuration: node.id: is not set, and the host name \"" + hostName
                        + "\" is not 1..40 of the characters a-z 0-9 . - (default)");
        assertThat(NodeConfig.load(null, Map.of("ROOM_NODE_ID", "n1"), hostName)
                        .node()
                        .id())
                .isEqualTo("n1");
    }

    @Test
    void aLongOrMultiLineValueIsShownOnOneBoundedLine() {
        assertThat(problems(null, Map.of("ROOM_MYSQL_HOST", "a\nb\u2028" + "c".repeat(1000))))
                .singleElement()
                .asString()
                .startsWith("mysql.host: \"a?b?ccc")
                .doesNotContain("c".repeat(100));
    }

    private static NodeConfig load(@Nullable Path file, Map<String, String> environment) {
        return NodeConfig.load(file, environment, "host-1");
    }

    private static List<String> problems(@Nullable Path file, Map<String, String> environment) {
        try {
            load(file, environment);
            return List.of();
        } catch (ConfigException e) {
            return e.problems();
        }
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("node.yaml"), text);
    }
}
