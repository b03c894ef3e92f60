package dev.roomcell.check;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.check.DatabaseOptions.UnusableException;
import dev.roomcell.check.StoredRooms.Totals;
import dev.roomcell.check.TableCursor.Scope;
import dev.roomcell.domain.RoomKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "snapshots, outbox and list with it, as all of them stood at one moment. A running service is not disturbed.",
            "Gifts that are parked are named too; they are open, and nothing is wrong with them."
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

    private final Map<String, String> environment;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

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

    @Option(
            names = "--log-kept-days",
            paramLabel = "DAYS",
            defaultValue = "7",
            description = {
                "log.keep_days of the nodes: log rows that are older may be gone, if two snapshots cover them",
                "(default: ${DEFAULT-VALUE})."
            })
    private int logKeptDays;

    @Option(
            names = "--ledger",
            paramLabel = "SCHEMA",
            description = {
                "Holds all gifts against the embedded wallet's ledger too, which is in this schema of the same server (of",
                "dev: wallet). Only when no gift is under way, and none is older than gifts.keep_days; all of them are in memory",
                "meanwhile."
            })
    private @Nullable String ledger;

    @Option(names = "--json", description = "Print the result as JSON too, as the last line.")
    private boolean json;

    /** The command in the environment of this process. */
    public CheckCommand() {
        this(System.getenv());
    }

    CheckCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        long beganNs = System.nanoTime();
        PrintWriter out = commandSpec().commandLine().getOut();
        try {
            database.check(environment);
            if (room != null && app == null) {
                throw new UnusableException("--room: name its app with --app too");
            }
            if (ledger != null && (app != null || !DatabaseOptions.isSchema(ledger))) {
                throw new UnusableException("--ledger: takes a schema's name, and the gifts of all apps: no --app");
            }
            // Before the rooms: what is acknowledged after they were read would be missing in them.
            Acks acks = acks(out);
            CheckReport report = new CheckReport(out);
            Totals totals = read(acks, report);
            acks.untaken().forEach(key -> report.add(HistoryChecker.checkAbsent(key, acks.take(key))));
            report.end(totals, acks.count(), System.nanoTime() - beganNs, json);
            return report.violations() == 0 ? OK : VIOLATED;
        } catch (UnusableException e) {
            commandSpec().commandLine().getErr().println("check: " + CheckReport.line(String.valueOf(e.getMessage())));
            return NOT_CHECKED;
        } finally {
            out.flush();
        }
    }

    private Acks acks(PrintWriter out) throws UnusableException {
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
                throw new UnusableException("--acks: " + e.getMessage());
            } catch (NoSuchFileException e) {
                throw new UnusableException("--acks: there is no " + file);
            } catch (IOException e) {
                throw new UnusableException("--acks: " + file + " can't be read: " + e.getMessage());
            }
        }
        return acks;
    }

    private boolean inScope(RoomKey key) {
        return (app == null || app.equals(key.appCode())) && (room == null || room.equals(key.roomId()));
    }

    private Totals read(Acks acks, CheckReport report) throws UnusableException {
        Scope scope = new Scope(bytes(app), bytes(room));
        try (Connection connection = database.connect(environment)) {
            long nowMs = StoredRooms.databaseMs(connection);
            long logBeforeMs = nowMs - TimeUnit.DAYS.toMillis(logKeptDays);
            HistoryChecker checker =
                    new HistoryChecker(new StoredForm(), new Purged(nowMs - outboxKeptMs, logBeforeMs));
            Totals totals = StoredRooms.read(
                    connection,
                    scope,
                    StoredRooms.PAGE_ROWS,
                    history -> report.add(checker.check(history, acks.take(history.key()))));
            report.addParked(ParkedGift.read(connection, scope));
            if (ledger != null) {
                report.add(StoredMoney.check(connection, ledger, logBeforeMs));
            }
            return totals;
        } catch (SQLException e) {
            throw new UnusableException("rooms of " + database + " can't be read: " + DatabaseOptions.why(e));
        }
    }

    private static Optional<byte[]> bytes(@Nullable String text) {
        return Optional.ofNullable(text).map(given -> given.getBytes(StandardCharsets.UTF_8));
    }

    private CommandSpec commandSpec() {
        if (spec == null) {
            throw new IllegalStateException("a command is run by picocli");
        }
        return spec;
    }
}
