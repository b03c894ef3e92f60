package dev.roomcell.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roomcell.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real servers: what they keep, and that nothing of them outlives whoever started them. */
final class EmbeddedServersIT {
    @TempDir
    Path temp;

    @Test
    void dataSurvivesCloseAndStartOnTheSameHome() {
        Path home = temp.resolve("a home");
        try (EmbeddedServers servers = EmbeddedServers.start(home)) {
            assertThat(Talk.redis(servers, "PING")).isEqualTo("+PONG");
            Talk.mysql(servers, "CREATE TABLE guests (name VARCHAR(20))");
            Talk.mysql(servers, "INSERT INTO guests VALUES ('Ann')");
        }
        assertThat(processesBelow(home)).isZero();

        try (EmbeddedServers servers = EmbeddedServers.start(home)) {
            assertThat(Talk.mysql(servers, "SELECT name FROM guests")).isEqualTo("Ann");
        }
    }

    @Test
    void killedServersRestartOnTheSamePortAndData() {
        try (EmbeddedServers servers = EmbeddedServers.start(temp.resolve("home"))) {
            Talk.mysql(servers, "CREATE TABLE guests (name VARCHAR(20))");
            Talk.mysql(servers, "INSERT INTO guests VALUES ('Bob')");
            int mysqlPort = servers.mysqlPort();
            long mysqlPid = servers.mysqlPid();
            servers.killMysql();
            assertThatThrownBy(() -> Talk.mysql(servers, "SELECT 1")).isInstanceOf(IllegalStateException.class);
            servers.restartMysql();
            assertThat(servers.mysqlPort()).isEqualTo(mysqlPort);
            assertThat(servers.mysqlPid()).isNotEqualTo(mysqlPid);
            assertThat(Talk.mysql(servers, "SELECT name FROM guests")).isEqualTo("Bob");

            int redisPort = servers.redisPort();
            assertThat(Talk.redis(servers, "SET k v")).isEqualTo("+OK");
            servers.killRedis();
            assertThatThrownBy(() -> Talk.redis(servers, "PING")).isInstanceOf(UncheckedIOException.class);
            servers.restartRedis();
            assertThat(servers.redisPort()).isEqualTo(redisPort);
            assertThat(Talk.redis(servers, "EXISTS k")).isEqualTo(":0");
            assertThat(Talk.redis(servers, "DEBUG SLEEP 0")).isEqualTo("+OK");
        }
    }

    @Test
    void mariadbCommitsDurablyAndComparesBytes() {
        try (EmbeddedServers servers = EmbeddedServers.startTemporary()) {
            assertThat(Talk.mysql(servers, "SELECT @@innodb_flush_log_at_trx_commit"))
                    .isEqualTo("1");
            assertThat(Talk.mysql(servers, "SELECT @@collation_database")).isEqualTo("utf8mb4_bin");
            assertThat(Talk.mysql(servers, "SELECT @@log_bin")).isEqualTo("0");
            assertThat(Talk.mysql(servers, "SELECT @@bind_address")).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void killedJvmLeavesNoServerAndItsHomeStartsAgain() throws Exception {
        Path home = temp.resolve("home");
        for (int kill = 0; kill < 2; kill++) {
            ServersMain.Child child = spawn(home);
            child.lineOf("ready ");
            assertThat(OrphanedServers.below(home)).hasSize(2);
            kill(child);
            // The next round starts at once, while these servers may still be ending.
        }
        try (EmbeddedServers servers = EmbeddedServers.start(home)) {
            assertThat(Talk.redis(servers, "PING")).isEqualTo("+PONG");
            assertThat(Talk.mysql(servers, "SELECT 1")).isEqualTo("1");
        }
        Await.until("nothing runs below the home", () -> processesBelow(home) == 0);
    }

    @Test
    void killedJvmAloneIsEnoughToEndTheServers() throws Exception {
        Path home = temp.resolve("home");
        ServersMain.Child child = spawn(home);
        child.lineOf("ready ");
        kill(child);
        Await.until("nothing runs below the home", () -> processesBelow(home) == 0);
    }

    @Test
    void killedJvmWithKilledShellsIsCleanedUpAtTheNextStart() throws Exception {
        Path home = temp.resolve("home");
        ServersMain.Child child = spawn(home);
        child.lineOf("ready ");
        child.process().descendants().filter(process -> !isServer(process)).forEach(ProcessHandle::destroyForcibly);
        kill(child);
        assertThat(OrphanedServers.below(home)).hasSize(2);

        try (EmbeddedServers servers = EmbeddedServers.start(home)) {
            assertThat(Talk.mysql(servers, "SELECT 1")).isEqualTo("1");
            assertThat(OrphanedServers.below(home))
                    .extracting(ProcessHandle::pid)
                    .containsExactlyInAnyOrder(servers.mysqlPid(), servers.redisPid());
        }
    }

    /** As a terminal's Ctrl-C does: the signal goes to everyone in the group. */
    @Test
    void signalToTheGroupLeavesTheServersToTheDrain() throws Exception {
        Path home = temp.resolve("home");
        ServersMain.Child child = spawn(home);
        child.lineOf("ready ");
        new ProcessBuilder("kill", "-TERM", "--", "-" + child.process().pid())
                .inheritIO()
                .start()
                .waitFor();

        assertThat(child.lineOf("draining")).isEqualTo("draining, redis says +PONG, mysql says 42");
        child.lineOf("drained");
        assertThat(child.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(processesBelow(home)).isZero();
    }

    @Test
    void stoppedServerIsEndedToo() throws Exception {
        Path home = temp.resolve("home");
        try (EmbeddedServers servers = EmbeddedServers.start(home)) {
            new ProcessBuilder("kill", "-STOP", Long.toString(servers.mysqlPid()), Long.toString(servers.redisPid()))
                    .inheritIO()
                    .start()
                    .waitFor();
        }
        assertThat(Files.readString(home.resolve("mariadb/mariadb.log"))).contains("Shutdown complete");
        assertThat(processesBelow(home)).isZero();
    }

    @Test
    void failedStartTellsTheEndOfTheLogAndLeavesNothingRunning() throws IOException {
        Path home = temp.resolve("home");
        EmbeddedServers.start(home).close();
        Files.writeString(home.resolve("mariadb/data/ibdata1"), "not a tablespace");

        assertThatThrownBy(() -> EmbeddedServers.start(home))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("MariaDB did not start")
                .hasMessageContaining("ibdata1");
        assertThat(processesBelow(home)).isZero();
    }

    @Test
    void homeInUseIsRefusedHereAndInAnotherJvm() throws IOException {
        Path home = temp.resolve("home");
        try (EmbeddedServers servers = EmbeddedServers.start(home)) {
            assertThatThrownBy(() -> EmbeddedServers.start(home)).hasMessageContaining("in use");
            ServersMain.Child other = spawn(home);
            assertThatThrownBy(() -> other.lineOf("ready ")).hasMessageContaining("in use");
            assertThat(Talk.mysql(servers, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void temporaryHomeIsDeletedAtClose() throws IOException {
        String prefix = "room-servers-" + ProcessHandle.current().pid() + "-*";
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        var before = ServerHome.matching(parent, prefix);
        try (EmbeddedServers servers = EmbeddedServers.startTemporary()) {
            assertThat(Talk.redis(servers, "PING")).isEqualTo("+PONG");
            assertThat(ServerHome.matching(parent, prefix)).hasSize(before.size() + 1);
        }
        assertThat(ServerHome.matching(parent, prefix)).isEqualTo(before);
    }

    @Test
    void temporaryHomeOfAKilledJvmIsDeletedByTheNext() throws Exception {
        String tmpdir = "-Djava.io.tmpdir=" + temp;
        ServersMain.Child first = ServersMain.spawn(null, temp.resolve("first.err"), Map.of(), tmpdir);
        first.lineOf("ready ");
        kill(first);
        assertThat(ServerHome.matching(temp, "room-servers-*")).hasSize(1);

        ServersMain.Child second = ServersMain.spawn(null, temp.resolve("second.err"), Map.of(), tmpdir);
        second.lineOf("ready ");
        assertThat(ServerHome.matching(temp, "room-servers-" + second.process().pid() + "-*"))
                .isEqualTo(ServerHome.matching(temp, "room-servers-*"));
        kill(second);
        Await.until("nothing runs below the folder", () -> processesBelow(temp) == 0);
    }

    @Test
    void twoJvmsMayUnpackAtOnce() throws Exception {
        Map<String, String> emptyCache =
                Map.of("XDG_CACHE_HOME", temp.resolve("cache").toString());
        ServersMain.Child one = ServersMain.spawn(temp.resolve("one"), temp.resolve("one.err"), emptyCache);
        ServersMain.Child two = ServersMain.spawn(temp.resolve("two"), temp.resolve("two.err"), emptyCache);
        one.lineOf("ready ");
        two.lineOf("ready ");
        assertThat(temp.resolve("cache/room-service")).isDirectoryNotContaining("glob:**.partial");
        kill(one);
        kill(two);
        Await.until("nothing runs below the folder", () -> processesBelow(temp) == 0);
    }

    private ServersMain.Child spawn(Path home) throws IOException {
        return ServersMain.spawn(home, temp.resolve("errors"), Map.of());
    }

    private static void kill(ServersMain.Child child) throws InterruptedException {
        child.process().destroyForcibly().waitFor();
    }

    private static boolean isServer(ProcessHandle process) {
        String program = process.info().command().orElse("");
        return program.endsWith("/mariadbd") || program.endsWith("/redis-server");
    }

    /** Counts the servers of a home and their shells. */
    private static long processesBelow(Path home) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(home + "/"))
                .count();
    }
}
