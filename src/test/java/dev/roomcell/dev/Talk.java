package dev.roomcell.dev;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The shortest way to say one thing to a server and hear one thing back. */
final class Talk {
    private Talk() {}

    /** Runs a statement; returns the first column of its first row, or "" if there is none. */
    static String mysql(EmbeddedServers servers, String statement) {
        try (Connection connection =
                        DriverManager.getConnection(servers.jdbcUrl(), servers.mysqlUser(), servers.mysqlPassword());
                Statement sql = connection.createStatement()) {
            if (!sql.execute(statement)) {
                return "";
            }
            try (ResultSet rows = sql.getResultSet()) {
                return rows.next() ? rows.getString(1) : "";
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs an inline command; returns the first line of the answer. */
    static String redis(EmbeddedServers servers, String command) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), servers.redisPort());
                BufferedReader answer =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
            String line = answer.readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
