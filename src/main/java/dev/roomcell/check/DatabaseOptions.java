package dev.roomcell.check;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which database a command reads, and as whom. */
final class DatabaseOptions {
    private static final String PASSWORD_ENV = "ROOM_MYSQL_PASSWORD";
    private static final String CONNECT_TIMEOUT_MS = "5000";
    /** For one page of rows. */
    private static final String READ_TIMEOUT_MS = "60000";

    /** Nothing that the driver would take for further settings. */
    private static final Pattern DATABASE =
            Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]):[0-9]{1,5}/[A-Za-z0-9_$-]+");

    private static final Pattern SCHEMA = Pattern.compile("[A-Za-z0-9_]{1,64}");

    @Option(
            names = "--mysql",
            required = true,
            paramLabel = "HOST:PORT/SCHEMA",
            description = "The database; reading is enough.")
    private String mysql = "";

    @Option(names = "--user", defaultValue = "room", description = "Database user (default: ${DEFAULT-VALUE}).")
    private String user = "";

    @Option(
            names = "--password-env",
            paramLabel = "NAME",
            description =
                    "The environment variable that holds the password (default: " + PASSWORD_ENV + ", if it is set).")
    private @Nullable String passwordEnv;

    /** Something that keeps a command from reading; the message names the option. */
    static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message);
        }
    }

    /** Whether it is the name of a schema, and nothing but that. */
    static boolean isSchema(String name) {
        return SCHEMA.matcher(name).matches();
    }

    /** Where it is, for people. */
    @Override
    public String toString() {
        return mysql;
    }

    /** Checks the options without connecting. */
    void check(Map<String, String> environment) throws UnusableException {
        if (!DATABASE.matcher(mysql).matches()) {
            throw new UnusableException("--mysql: '" + mysql + "' is not HOST:PORT/SCHEMA");
        }
        if (passwordEnv != null && !environment.containsKey(passwordEnv)) {
            throw new UnusableException("--password-env: there is no " + passwordEnv + " in the environment");
        }
    }

    /** A connection; whoever asked for it closes it. */
    Connection connect(Map<String, String> environment) throws SQLException {
        String password = environment.get(passwordEnv == null ? PASSWORD_ENV : passwordEnv);
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password == null ? "" : password);
        properties.setProperty("connectTimeout", CONNECT_TIMEOUT_MS);
        properties.setProperty("socketTimeout", READ_TIMEOUT_MS);
        return DriverManager.getConnection("jdbc:mysql://" + mysql, properties);
    }

    /** The driver's first line, and what is behind it: "Communications link failure" alone says little. */
    static String why(SQLException failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String first = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        return root == failure ? first : first + " (" + root.getMessage() + ")";
    }
}
