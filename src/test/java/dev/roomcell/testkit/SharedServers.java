package dev.roomcell.testkit;

import dev.roomcell.dev.EmbeddedServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.testcontainers.mysql.MySQLContainer;

/**
 * The one MariaDB and Redis of a test JVM, started when first asked for and closed when the JVM ends. Tests keep
 * out of each other's way by schemas and key prefixes of their own. A test that kills or stops a server takes its
 * own {@link EmbeddedServers} instead.
 */
public final class SharedServers {
    private static final AtomicInteger TAKEN = new AtomicInteger();

    /** Names a Docker image of MySQL: the port contracts then run on it, and not on the embedded MariaDB. */
    private static final String IMAGE_PROPERTY = "test.mysql.image";

    private static @Nullable EmbeddedServers servers;
    private static @Nullable MysqlServer container;

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

    /**
     * Where the SQL database of the port contracts is.
     *
     * @param port on loopback
     * @param user who connects
     * @param password with what
     */
    public record MysqlServer(int port, String user, String password) {
        /** For JDBC. */
        public String jdbcUrl(String schema) {
            return "jdbc:mysql://127.0.0.1:" + port + "/" + schema + "?allowPublicKeyRetrieval=true&useSSL=false";
        }
    }

    /** The database of the port contracts: the embedded MariaDB, or a MySQL of the image that the build names. */
    public static synchronized MysqlServer mysql() {
        String image = System.getProperty(IMAGE_PROPERTY, "");
        if (image.isEmpty()) {
            EmbeddedServers running = get();
            return new MysqlServer(running.mysqlPort(), running.mysqlUser(), running.mysqlPassword());
        }
        MysqlServer running = container;
        if (running == null) {
            // Ryuk removes it when the JVM ends, also when that is sudden.
            MySQLContainer started =
                    new MySQLContainer(image).withUsername("root").withPassword("contract");
            started.start();
            running = new MysqlServer(started.getFirstMappedPort(), "root", "contract");
            container = running;
        }
        return running;
    }

    /** Creates an empty schema that nobody else gets; returns its name. */
    public static String newSchema() {
        MysqlServer running = mysql();
        String schema = "t_" + TAKEN.incrementAndGet();
        try (Connection connection =
                        DriverManager.getConnection(running.jdbcUrl(""), running.user(), running.password());
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
