package dev.roomcell.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.dev.EmbeddedServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SharedServersIT {
    @Test
    void everybodyGetsTheSameServers() {
        assertThat(SharedServers.get()).isSameAs(SharedServers.get());
    }

    @Test
    void schemasAreThereAndApart() throws SQLException {
        String mine = SharedServers.newSchema();
        String yours = SharedServers.newSchema();
        execute(mine, "CREATE TABLE guests (name VARCHAR(20))");
        // Fails if both are one schema.
        execute(yours, "CREATE TABLE guests (name VARCHAR(20))");
    }

    @Test
    void prefixesAreApart() {
        Set<String> prefixes = new HashSet<>();
        IntStream.range(0, 100).forEach(i -> prefixes.add(SharedServers.newRedisPrefix()));
        assertThat(prefixes).hasSize(100).allMatch(prefix -> prefix.matches("t_\\d+:"));
    }

    private static void execute(String schema, String sql) throws SQLException {
        EmbeddedServers servers = SharedServers.get();
        // Not servers.jdbcUrl(schema), which would create an absent schema.
        String url = "jdbc:mysql://127.0.0.1:" + servers.mysqlPort() + "/" + schema;
        try (Connection connection = DriverManager.getConnection(url, servers.mysqlUser(), servers.mysqlPassword());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
