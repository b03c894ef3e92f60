package dev.roomcell.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A MariaDB and a Redis of our own on loopback, from Maven artifacts, for the dev mode and the integration tests.
 * They end with this JVM, also when it is killed, and they do not see the terminal's Ctrl-C: whoever started them
 * drains first and closes them last. Thread-safe.
 *
 * <p>MariaDB checks no passwords and flushes its log at every commit. Redis keeps nothing on disk: it is empty
 * after a restart, as a lost Redis is, and allows DEBUG. The logs are in the home, at {@code mariadb/mariadb.log}
 * and {@code redis/redis.log}.
 */
public final class EmbeddedServers implements AutoCloseable {
    /** The schema that {@link #jdbcUrl()} names. */
    public static final String SCHEMA = "rooms";

    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration STOP_GRACE = Duration.ofSeconds(10);

    private final ServerHome home;
    private final int mysqlPort;
    private final int redisPort;
    private final ServerProcess mysql;
    private final ServerProcess redis;

    private EmbeddedServers(ServerHome home) throws IOException {
        this.home = home;
        ServerBinaries binaries = ServerBinaries.ofUser();
        mysqlPort = FreePorts.pick();
        mysql = new ServerProcess(mariadb(binaries, home.mariadb(), mysqlPort));
        redisPort = FreePorts.pick();
        redis = new ServerProcess(redis(binaries, home.redis(), redisPort));
    }

    /**
     * Starts both servers on free ports, and waits until they take connections. What an earlier, killed JVM left
     * running on the same home is stopped first.
     *
     * @param home folder for the data, made if absent; what MariaDB kept there is found again
     * @throws IllegalStateException if the home is in use, or a server does not start (with the end of its log)
     * @throws UncheckedIOException if the home or the cache of the programs can't be written
     */
    public static EmbeddedServers start(Path home) {
        try {
            return start(ServerHome.open(home.toAbsolutePath().normalize()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts both servers on a new home in the temporary folder, which is deleted at close.
     *
     * @throws IllegalStateException if a server does not start (with the end of its log)
     * @throws UncheckedIOException if the home or the cache of the programs can't be written
     */
    public static EmbeddedServers startTemporary() {
        try {
            return start(ServerHome.openTemporary());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EmbeddedServers start(ServerHome home) throws IOException {
        try {
            EmbeddedServers servers = new EmbeddedServers(home);
            servers.startBoth();
            return servers;
        } catch (IOException | RuntimeException e) {
            home.close();
            throw e;
        }
    }

    private void startBoth() {
        mysql.start();
        try {
            redis.start();
        } catch (RuntimeException e) {
            mysql.stop();
            throw e;
        }
    }

    /** MariaDB's port on 127.0.0.1; it stays the same over restarts. */
    public int mysqlPort() {
        return mysqlPort;
    }

    /** Redis's port on 127.0.0.1; it stays the same over restarts. */
    public int redisPort() {
        return redisPort;
    }

    /** The database user, who may do everything. */
    public String mysqlUser() {
        return "root";
    }

    /** The database user's password: empty. */
    public String mysqlPassword() {
        return "";
    }

    /** JDBC address of the schema {@link #SCHEMA}, which the first connection creates. */
    public String jdbcUrl() {
        return jdbcUrl(SCHEMA);
    }

    /** JDBC address of a schema, which the first connection creates. */
    public String jdbcUrl(String schema) {
        return "jdbc:mysql://" + LOOPBACK + ":" + mysqlPort + "/" + schema + "?createDatabaseIfNotExist=true";
    }

    /**
     * Process id of MariaDB, another one after each restart.
     *
     * @throws IllegalStateException if it does not run
     */
    public long mysqlPid() {
        return mysql.pid();
    }

    /**
     * Process id of Redis, another one after each restart.
     *
     * @throws IllegalStateException if it does not run
     */
    public long redisPid() {
        return redis.pid();
    }

    /** Stops MariaDB in good order. Does nothing if it does not run. */
    public void stopMysql() {
        mysql.stop();
    }

    /** Kills MariaDB (SIGKILL). Does nothing if it does not run. */
    public void killMysql() {
        mysql.kill();
    }

    /** Starts MariaDB again on the same port and data, after a stop in good order if it runs. */
    public void restartMysql() {
        mysql.restart();
    }

    /** Stops Redis in good order. Does nothing if it does not run. */
    public void stopRedis() {
        redis.stop();
    }

    /** Kills Redis (SIGKILL). Does nothing if it does not run. */
    public void killRedis() {
        redis.kill();
    }

    /** Starts Redis again on the same port, empty, after a stop in good order if it runs. */
    public void restartRedis() {
        redis.restart();
    }

    /** Stops both servers in good order and waits until they are gone. A second close does nothing. */
    @Override
    public void close() {
        try {
            redis.stop();
        } finally {
            try {
                mysql.stop();
            } finally {
                home.close();
            }
        }
    }

    private static ServerProcess.Launch mariadb(ServerBinaries binaries, Path folder, int port) throws IOException {
        Path base = binaries.mariadbBase();
        Path data = binaries.mariadbData(folder);
        Path tmp = Files.createDirectories(folder.resolve("tmp"));
        List<String> command = new ArrayList<>(List.of(
                base.resolve("bin/mariadbd").toString(),
                "--no-defaults", // must be the first
                "--basedir=" + base,
                "--datadir=" + data,
                "--tmpdir=" + tmp,
                "--bind-address=" + LOOPBACK,
                "--port=" + port,
                // Relative to the data folder: an absolute path may be too long for a socket.
                "--socket=mariadbd.sock",
                "--pid-file=mariadbd.pid",
                "--skip-grant-tables",
                "--skip-name-resolve",
                "--skip-log-bin",
                "--max-connections=200",
                "--max-allowed-packet=64M",
                "--character-set-server=utf8mb4",
                "--collation-server=utf8mb4_bin",
                "--innodb-flush-log-at-trx-commit=1",
                "--innodb-buffer-pool-size=256M",
                "--innodb-log-file-size=256M"));
        if ("root".equals(System.getProperty("user.name"))) {
            // Without it MariaDB refuses to run as root.
            command.add("--user=root");
        }
        return new ServerProcess.Launch(
                "MariaDB",
                command,
                Map.of("LD_LIBRARY_PATH", base.resolve("libs").toString()),
                folder,
                folder.resolve("mariadb.log"),
                "ready for connections",
                STOP_GRACE);
    }

    private static ServerProcess.Launch redis(ServerBinaries binaries, Path folder, int port) throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        List<String> command = List.of(
                binaries.redisServer().toString(),
                "--bind",
                LOOPBACK,
                "--port",
                Integer.toString(port),
                "--dir",
                data.toString(),
                "--save",
                "",
                "--appendonly",
                "no",
                // Its usual title hides the arguments, by which an orphan is found.
                "--set-proc-title",
                "no");
        return new ServerProcess.Launch(
                "Redis",
                command,
                Map.of(),
                folder,
                folder.resolve("redis.log"),
                "Ready to accept connections",
                STOP_GRACE);
    }
}
