package dev.roomcell.check;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.check.StoredRooms.Totals;
import dev.roomcell.check.TableCursor.Scope;
import dev.roomcell.domain.RoomKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code check}: an fsck for rooms, on a database that may be in use. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Checks all rooms of a database: replays every log, decides every command again, and compares rows,",
            "snapshots, outbox and list with it, as all of them stood at one moment. A running service is not disturbed."
        },
        footer = {
            "",
            "Exit code: 0 if all is as it must be, 1 on a violation,",
            "2 on a bad option or if the database or a file can't be read.",
            "Of one room, the first 100 violations count."
        })
public final class CheckCommand implements Callable<Integer> {
    private static final int OK = 0;
    private static final int VIOLATED = 1;
    private static final int NOT_CHECKED = 2;

    private static final String PASSWORD_ENV = "ROOM_MYSQL_PASSWORD";
    private static final String CONNECT_TIMEOUT_MS = "5000";
    /** For one page of rows. */
    private static final String READ_TIMEOUT_MS = "60000";

    /** Nothing that the driver would take for further settings. */
    private static final Pattern DATABASE =
            Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]):[0-9]{1,5}/[A-Za-z0-9_$-]+");

    private final Map<String, String> environment;

    @Spec
    private @Nullable CommandSpec spec;

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

    @Option(
            names = "--acks",
            arity = "1..*",
            paramLabel = "FILE",
            description = "What bench --acks has written: each command in it must be in a log, as it was acknowledged.")
    private List<Path> ackFiles = List.of();

    @Option(names = "--app", description = "Only the rooms and acknowledgements of this app_code.")
    private @Nullable String app;

    @Option(names = "--room", description = "Only this room of the app.")
    private @Nullable String room;

    @Option(
            names = "--outbox-kept-ms",
            paramLabel = "MS",
            defaultValue = "86400000",
            description = {
                "outbox.keep_delivered_ms of the nodes: events that are older may have left the outbox",
                "(default: ${DEFAULT-VALUE})."
            })
    private long outboxKeptMs;

    @Option(names = "--json", description = "Print the result as JSON too, as the last line.")
    private boolean json;

    /** The command in the environment of this process. */
    public CheckCommand() {
        this(System.getenv());
    }

    CheckCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Something that keeps the check from being made. */
    private static final class NotCheckedException extends Exception {
        private static final long serialVersionUID = 1L;

        NotCheckedException(String message) {
            super(message);
        }
    }

    @Override
    public Integer call() {
        long beganNs = System.nanoTime();
        PrintWriter out = commandSpec().commandLine().getOut();
        try {
            if (!DATABASE.matcher(mysql).matches()) {
                throw new NotCheckedException("--mysql: '" + mysql + "' is not HOST:PORT/SCHEMA");
            }
            if (room != null && app == null) {
                throw new NotCheckedException("--room: name its app with --app too");
            }
            String password = password();
            // Before the rooms: what is acknowledged after they were read would be missing in them.
            Acks acks = acks(out);
            CheckReport report = new CheckReport(out);
            Totals totals = read(password, acks, report);
            acks.untaken().forEach(key -> report.add(HistoryChecker.checkAbsent(key, acks.take(key))));
            report.end(totals, acks.count(), System.nanoTime() - beganNs, json);
            return report.violations() == 0 ? OK : VIOLATED;
        } catch (NotCheckedException e) {
            commandSpec().commandLine().getErr().println("check: " + CheckReport.line(String.valueOf(e.getMessage())));
            return NOT_CHECKED;
        } finally {
            out.flush();
        }
    }

    private String password() throws NotCheckedException {
        String value = environment.get(passwordEnv == null ? PASSWORD_ENV : passwordEnv);
        if (value == null && passwordEnv != null) {
            throw new NotCheckedException("--password-env: there is no " + passwordEnv + " in the environment");
        }
        return value == null ? "" : value;
    }

    private Acks acks(PrintWriter out) throws NotCheckedException {
        Acks acks = new Acks();
        for (Path file : ackFiles) {
            try {
                AckFile.read(file, ack -> {
                            if (inScope(ack.room())) {
                                acks.add(ack);
                            }
                        })
                        .ifPresent(torn ->
                                out.println(CheckReport.line(file + ": the last line is torn, and left out: " + torn)));
            } catch (AckFile.MalformedException e) {
                throw new NotCheckedException("--acks: " + e.getMessage());
            } catch (NoSuchFileException e) {
                throw new NotCheckedException("--acks: there is no " + file);
            } catch (IOException e) {
                throw new NotCheckedException("--acks: " + file + " can't be read: " + e.getMessage());
            }
        }
        return acks;
    }

    private boolean inScope(RoomKey key) {
        return (app == null || app.equals(key.appCode())) && (room == null || room.equals(key.roomId()));
    }

    private Totals read(String password, Acks acks, CheckReport report) throws NotCheckedException {
        String url = "jdbc:mysql://" + mysql;
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", CONNECT_TIMEOUT_MS);
        properties.setProperty("socketTimeout", READ_TIMEOUT_MS);
        Scope scope = new Scope(bytes(app), bytes(room));
        try (Connection connection = DriverManager.getConnection(url, properties)) {
            HistoryChecker checker =
                    new HistoryChecker(new StoredForm(), StoredRooms.databaseMs(connection) - outboxKeptMs);
            return StoredRooms.read(
                    connection,
                    scope,
                    StoredRooms.PAGE_ROWS,
                    history -> report.add(checker.check(history, acks.take(history.key()))));
        } catch (SQLException e) {
            throw new NotCheckedException("rooms of " + mysql + " can't be read: " + why(e));
        }
    }

    private static Optional<byte[]> bytes(@Nullable String text) {
        return Optional.ofNullable(text).map(given -> given.getBytes(StandardCharsets.UTF_8));
    }

    /** The driver's first line, and what is behind it: "Communications link failure" alone says little. */
    private static String why(SQLException failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String first = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        return root == failure ? first : first + " (" + root.getMessage() + ")";
    }

    private CommandSpec commandSpec() {
        if (spec == null) {
            throw new IllegalStateException("a command is run by picocli");
        }
        return spec;
    }
}
