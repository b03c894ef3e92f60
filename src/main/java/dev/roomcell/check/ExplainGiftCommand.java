package dev.roomcell.check;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.check.DatabaseOptions.UnusableException;
import dev.roomcell.domain.Gifts;
import dev.roomcell.proto.room.v1.SendGiftResult;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code explain-gift}: one gift's money, from the request to the fact. */
@Command(
        name = "explain-gift",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Shows what became of one SendGift: its intent, its place in the room's log, its fact, and its money.",
        footer = {
            "",
            "Exit code: 0 if the gift was found, 1 if not, 2 on a bad option or if the database can't be read."
        })
public final class ExplainGiftCommand implements Callable<Integer> {
    private static final int FOUND = 0;
    private static final int NOT_FOUND = 1;
    private static final int NOT_READ = 2;

    private final Map<String, String> environment;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "COMMAND_ID", description = "The SendGift's command_id.")
    private String commandId = "";

    @Option(names = "--app", required = true, description = "Its app_code.")
    private String app = "";

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--ledger",
            paramLabel = "SCHEMA",
            description =
                    "Where the embedded wallet keeps its ledger, on the same server (of dev: wallet). None: it is not shown.")
    private @Nullable String ledger;

    /** The command in the environment of this process. */
    public ExplainGiftCommand() {
        this(System.getenv());
    }

    ExplainGiftCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        if (spec == null) {
            throw new IllegalStateException("a command is run by picocli");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            database.check(environment);
            if (ledger != null && !DatabaseOptions.isSchema(ledger)) {
                throw new UnusableException("--ledger: '" + ledger + "' is no schema's name");
            }
            try (Connection connection = database.connect(environment)) {
                String roomId = intent(connection, out);
                if (roomId == null) {
                    out.println(CheckReport.line("no gift was ever begun under " + app + "/" + commandId));
                    return NOT_FOUND;
                }
                logged(connection, roomId, out);
                if (ledger != null) {
                    money(connection, ledger, out);
                }
                return FOUND;
            }
        } catch (UnusableException e) {
            err.println("explain-gift: " + CheckReport.line(String.valueOf(e.getMessage())));
            return NOT_READ;
        } catch (SQLException e) {
            err.println("explain-gift: " + CheckReport.line(database + " can't be read: " + DatabaseOptions.why(e)));
            return NOT_READ;
        } finally {
            out.flush();
        }
    }

    /** The room that the gift is for; null if there is no such gift. */
    private @Nullable String intent(Connection connection, PrintWriter out) throws SQLException {
        String sql =
                "SELECT room_id, actor_user_id, gift_id, pieces, unit_price, total_price, lucky, state, reward_state,"
                        + " reward, begun_at_ms, due_ms, tries, refusals, refused_why FROM gift_intents WHERE app_code = ? AND command_id = ?";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setBytes(1, bytes(app));
            query.setBytes(2, bytes(commandId));
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                String roomId = text(row, 1);
                line(out, "begun", at(row.getLong(11)) + ", by " + text(row, 2) + " in room " + roomId);
                line(
                        out,
                        "price",
                        row.getLong(4) + " x " + text(row, 3) + " at " + row.getLong(5) + " = " + row.getLong(6)
                                + " coins");
                line(out, "intent", row.getString(8) + (row.getBoolean(7) ? ", lucky" : ""));
                line(out, "reward", row.getString(9) + ", " + row.getLong(10) + " coins");
                line(out, "left to do", leftToDo(row));
                return roomId;
            }
        }
    }

    private static String leftToDo(ResultSet row) throws SQLException {
        long dueMs = row.getLong(12);
        if (row.wasNull()) {
            return "nothing";
        }
        String refused = row.getInt(14) == 0
                ? ""
                : "; the wallet has refused it " + row.getInt(14) + " times: " + row.getString(15);
        return dueMs == ParkedGift.NEVER
                ? "something, and it is parked until an operator puts it back" + refused
                : "something, from " + at(dueMs) + " on; tried " + row.getInt(13) + " times" + refused;
    }

    private void logged(Connection connection, String roomId, PrintWriter out) throws SQLException {
        String sql = "SELECT version, committed_at_ms, command, result, owner_node_id FROM room_command_log"
                + " WHERE app_code = ? AND room_id = ? AND command_id = ?";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setBytes(1, bytes(app));
            query.setBytes(2, bytes(roomId));
            query.setBytes(3, bytes(commandId));
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    line(out, "log", "it is not in the room's log");
                    return;
                }
                long version = row.getLong(1);
                line(out, "log", "version " + version + ", " + at(row.getLong(2)) + ", by " + row.getString(5));
                if (new StoredForm().decodeCommand(row.getBytes(3)) instanceof Gifts.SendGift gift) {
                    line(out, "given", gift.count() + " x " + gift.giftId() + " to each of " + gift.receiverUserIds());
                    line(
                            out,
                            "paid",
                            gift.payment().totalPriceCoins() + " coins; "
                                    + gift.payment().balanceAfterDebit() + " were left");
                }
                line(out, "answered", answered(row.getBytes(4)));
                fact(connection, roomId, version, out);
            }
        }
    }

    private static String answered(byte[] result) {
        try {
            SendGiftResult sent = SendGiftResult.parseFrom(result);
            return "balance " + sent.getCoinBalanceAfter() + ", reward " + sent.getRewardCoins()
                    + (sent.getRewardPending() ? ", and perhaps more later" : "");
        } catch (InvalidProtocolBufferException e) {
            return "what was answered is damaged: " + e.getMessage();
        }
    }

    private void fact(Connection connection, String roomId, long version, PrintWriter out) throws SQLException {
        String sql = "SELECT event_index, type, status FROM room_outbox WHERE app_code = ? AND room_id = ?"
                + " AND room_version = ? ORDER BY event_index";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setBytes(1, bytes(app));
            query.setBytes(2, bytes(roomId));
            query.setLong(3, version);
            boolean any = false;
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    any = true;
                    line(
                            out,
                            "fact",
                            roomId + ":" + version + ":" + row.getInt(1) + " " + row.getString(2) + ", "
                                    + row.getString(3));
                }
            }
            if (!any) {
                line(out, "fact", "delivered long ago, and no longer in the outbox");
            }
        }
    }

    private void money(Connection connection, String schema, PrintWriter out) throws SQLException {
        String sql = "SELECT movement_key, kind, user_id, coins, balance_after FROM " + schema
                + ".wallet_ledger WHERE movement_key IN (?, ?, ?) ORDER BY seq";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            String name = "/" + app + "/" + commandId;
            query.setBytes(1, bytes("debit" + name));
            query.setBytes(2, bytes("credit" + name));
            query.setBytes(3, bytes("refund" + name));
            boolean any = false;
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    any = true;
                    line(
                            out,
                            "ledger",
                            row.getString(2) + " of " + row.getLong(4) + " coins, " + text(row, 3) + ", after it "
                                    + row.getLong(5) + " (" + text(row, 1) + ")");
                }
            }
            if (!any) {
                line(out, "ledger", "no coin has moved");
            }
        }
    }

    private static void line(PrintWriter out, String what, String text) {
        out.println(CheckReport.line(String.format("%-11s %s", what, text)));
    }

    private static String at(long ms) {
        return Instant.ofEpochMilli(ms).toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ResultSet row, int column) throws SQLException {
        return new String(row.getBytes(column), StandardCharsets.UTF_8);
    }
}
