package dev.roomcell.testkit;

import dev.roomcell.dev.EmbeddedServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The one MariaDB and Redis of a test JVM, started when first asked for and closed when the JVM ends. Tests keep
 * out of each other's way by schemas and key prefixes of their own. A test that kills or stops a server takes its
 * own {@link EmbeddedServers} instead.
 */
public final class SharedServers {
    private static final AtomicInteger TAKEN = new AtomicInteger();

    private static @Nullable EmbeddedServers servers;

    private SharedServers() {}

    /**
     * The running servers.
     *
     * @throws IllegalStateException if they do not start; the next call tries again
     */
    public static synchronized EmbeddedServers get() {
        EmbeddedServers running = servers;
        if (running == null) {
            running = EmbeddedServers.startTemporary();
            Runtime.getRuntime().addShutdownHook(new Thread(running::close, "shared-servers-close"));
            servers = running;
        }
        return running;
    }

    /** Creates an empty schema that nobody else gets; returns its name. */
    public static String newSchema() {
        EmbeddedServers running = get();
        String schema = "t_" + TAKEN.incrementAndGet();
        try (Connection connection =
                        DriverManager.getConnection(running.jdbcUrl(), running.mysqlUser(), running.mysqlPassword());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + schema);
        } catch (SQLException e) {
            throw new IllegalStateException("no schema " + schema, e);
        }
        return schema;
    }

    /** A prefix for Redis keys that nobody else gets. */
    public static String newRedisPrefix() {
        return "t_" + TAKEN.incrementAndGet() + ":";
    }
}
