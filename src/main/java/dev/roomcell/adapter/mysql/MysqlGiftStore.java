package dev.roomcell.adapter.mysql;

import dev.roomcell.port.GiftCatalog.Gift;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.StoreException;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The table {@code gift_intents}. */
public final class MysqlGiftStore implements GiftStore {
    private static final Sql.MultiRow INSERT = new Sql.MultiRow(
            "INSERT INTO gift_intents (app_code, command_id, room_id, payload_hash, actor_user_id, gift_id, pieces,"
                    + " unit_price, total_price, lucky, fuel_per_piece, state, reward_state, reward, begun_at_ms, due_ms, tries)"
                    + " VALUES",
            "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'INTENT', 'NONE', 0, " + OutboxSql.NOW_MS + ", " + OutboxSql.NOW_MS
                    + " + ?, 0",
            12,
            "");

    private static final String COLUMNS = "app_code, command_id, room_id, payload_hash, actor_user_id, gift_id, pieces,"
            + " unit_price, total_price, lucky, state, reward_state, reward, fuel_per_piece, reward_late";

    static final String FIND = "SELECT " + COLUMNS + " FROM gift_intents FORCE INDEX (PRIMARY) WHERE";

    private static final String GIVE_UP = "UPDATE gift_intents SET state = 'VOIDING', due_ms = " + OutboxSql.NOW_MS
            + " + ? WHERE " + GiftSql.ONE_INTENT + " AND state = 'INTENT'";

    private static final String VOIDED = "UPDATE gift_intents SET state = 'VOIDED', due_ms = NULL WHERE "
            + GiftSql.ONE_INTENT + " AND state = 'VOIDING'";

    private static final String DRAWN =
            "UPDATE gift_intents SET reward_state = ?, reward = ?, reward_late = TRUE, due_ms = " + OutboxSql.NOW_MS
                    + " + ? WHERE " + GiftSql.ONE_INTENT + " AND reward_state = 'DRAWING'";

    private static final String DRAWN_NOTHING = "UPDATE gift_intents SET reward_state = 'NONE', due_ms = NULL WHERE "
            + GiftSql.ONE_INTENT + " AND reward_state = 'DRAWING'";

    private static final String PAID = "UPDATE gift_intents SET reward_state = 'PAID', due_ms = NULL WHERE "
            + GiftSql.ONE_INTENT + " AND reward_state = 'DUE'";

    /** In the order of the index, past what others hold (no filesort: each candidate would be locked). */
    private static final String DUE = "SELECT " + COLUMNS + ", tries FROM gift_intents FORCE INDEX (gift_intents_due)"
            + " WHERE due_ms <= " + OutboxSql.NOW_MS + " ORDER BY due_ms LIMIT ? FOR UPDATE SKIP LOCKED";

    private static final String TAKE = "UPDATE gift_intents SET state = ?, tries = tries + 1, due_ms = "
            + OutboxSql.NOW_MS + " + ? WHERE " + GiftSql.ONE_INTENT;

    /** When nobody sees to an intent any more; every node finds it later than now. */
    private static final String NEVER = Long.toString(Long.MAX_VALUE);
    /** As the column takes. */
    private static final int WHY_CHARS = 200;

    /** In this order, whether or not a column's new value counts in what comes behind it. */
    private static final String REFUSED = "UPDATE gift_intents SET due_ms = IF(refusals + 1 >= ?, " + NEVER
            + ", due_ms), refused_why = ?, refusals = refusals + 1 WHERE " + GiftSql.ONE_INTENT
            + " AND (state = 'VOIDING' OR reward_state = 'DUE') AND due_ms < " + NEVER;

    private static final String IS_PARKED =
            "SELECT due_ms = " + NEVER + " FROM gift_intents WHERE " + GiftSql.ONE_INTENT + " AND due_ms IS NOT NULL";

    /** Who inserts may find ids taken meanwhile, again and again, but not for ever. */
    private static final int TRIES = 4;

    private final Connections connections;

    /** The intents in the database of {@code connections}. */
    public MysqlGiftStore(Connections connections) {
        this.connections = connections;
    }

    @Override
    public Future<List<Intent>> begin(List<Intent> intents, long voidAfterMs) {
        Map<GiftKey, Intent> asked = new TreeMap<>();
        intents.forEach(intent -> asked.putIfAbsent(intent.key(), intent));
        return stored("intents not begun", connection -> insert(connection, asked, voidAfterMs, TRIES))
                .map(there -> {
                    List<Intent> answers = new ArrayList<>(intents.size());
                    for (Intent intent : intents) {
                        answers.add(there.getOrDefault(intent.key(), asked.getOrDefault(intent.key(), intent)));
                    }
                    return answers;
                });
    }

    /** Those that were there already. */
    private static Future<Map<GiftKey, Intent>> insert(
            Session connection, Map<GiftKey, Intent> missing, long voidAfterMs, int tries) {
        List<Object> values = new ArrayList<>();
        missing.values().forEach(intent -> addValues(values, intent, voidAfterMs));
        return Future.all(INSERT.send(values, connection::execute))
                .compose(all -> connection.commit())
                .map(Map.<GiftKey, Intent>of())
                .recover(failure -> connection.rollback().compose(undone -> switch (Failures.causeOf(failure)) {
                    case TRANSIENT ->
                        tries > 1 ? insert(connection, missing, voidAfterMs, tries - 1) : Future.failedFuture(failure);
                    case DUPLICATE_KEY ->
                        tries > 1
                                ? insertOthers(connection, missing, voidAfterMs, tries - 1)
                                : Future.failedFuture(failure);
                    case GIFT_GONE, STATEMENT, UNAVAILABLE -> Future.failedFuture(failure);
                }));
    }

    private static Future<Map<GiftKey, Intent>> insertOthers(
            Session connection, Map<GiftKey, Intent> asked, long voidAfterMs, int tries) {
        return select(connection, asked.keySet())
                .compose(there -> connection.rollback().compose(read -> {
                    Map<GiftKey, Intent> missing = new TreeMap<>(asked);
                    missing.keySet().removeAll(there.keySet());
                    if (missing.isEmpty()) {
                        return Future.succeededFuture(there);
                    }
                    return insert(connection, missing, voidAfterMs, tries).map(more -> {
                        Map<GiftKey, Intent> all = new HashMap<>(there);
                        all.putAll(more);
                        return all;
                    });
                }));
    }

    private static void addValues(List<Object> values, Intent intent, long voidAfterMs) {
        values.add(Values.bytes(intent.key().appCode()));
        values.add(Values.bytes(intent.key().commandId()));
        values.add(Values.bytes(intent.roomId()));
        values.add(Values.bytes(intent.payloadHash()));
        values.add(Values.bytes(intent.actorUserId()));
        values.add(Values.bytes(intent.gift().giftId()));
        values.add(intent.pieces());
        values.add(intent.gift().unitPriceCoins());
        values.add(intent.totalPriceCoins());
        values.add(intent.gift().lucky());
        values.add(intent.gift().fuelPerPiece());
        values.add(voidAfterMs);
    }

    @Override
    public Future<Map<GiftKey, Intent>> find(Collection<GiftKey> keys) {
        return keys.isEmpty()
                ? Future.succeededFuture(Map.of())
                : connections.read(selectText(keys), selectValues(keys)).map(MysqlGiftStore::byKey);
    }

    private static Future<Map<GiftKey, Intent>> select(Session connection, Collection<GiftKey> keys) {
        return connection.execute(selectText(keys), selectValues(keys)).map(MysqlGiftStore::byKey);
    }

    private static String selectText(Collection<GiftKey> keys) {
        return Sql.anyOf(FIND, GiftSql.INTENT, keys.size(), "");
    }

    private static Tuple selectValues(Collection<GiftKey> keys) {
        List<Object> values = new ArrayList<>();
        for (GiftKey key : keys) {
            values.add(Values.bytes(key.appCode()));
            values.add(Values.bytes(key.commandId()));
        }
        GiftSql.fillUp(values);
        return Tuple.wrap(values);
    }

    private static Map<GiftKey, Intent> byKey(RowSet<Row> rows) {
        Map<GiftKey, Intent> found = new HashMap<>();
        for (Row row : rows) {
            Intent intent = intent(row, state(row));
            found.put(intent.key(), intent);
        }
        return found;
    }

    private static State state(Row row) {
        return State.valueOf(row.getString(10));
    }

    private static Intent intent(Row row, State state) {
        return new Intent(
                new GiftKey(Values.text(row, 0), Values.text(row, 1)),
                Values.text(row, 2),
                Values.text(row, 4),
                Values.blob(row, 3),
                new Gift(Values.text(row, 5), row.getLong(7), row.getInteger(9) != 0, row.getLong(13)),
                row.getLong(6),
                row.getLong(8),
                state,
                Reward.valueOf(row.getString(11)),
                row.getLong(12),
                row.getInteger(14) != 0);
    }

    @Override
    public Future<Optional<State>> giveUp(GiftKey key, long againMs) {
        return changed(GIVE_UP, key, againMs)
                .compose(done -> find(List.of(key)))
                .map(found -> Optional.ofNullable(found.get(key)).map(Intent::state));
    }

    @Override
    public Future<Void> voided(GiftKey key) {
        return changed(VOIDED, key);
    }

    @Override
    public Future<Void> drawn(GiftKey key, long rewardCoins, long againMs) {
        return rewardCoins == 0
                ? changed(DRAWN_NOTHING, key)
                : changed(DRAWN, key, Reward.DUE.name(), rewardCoins, againMs);
    }

    @Override
    public Future<Void> rewardPaid(GiftKey key) {
        return changed(PAID, key);
    }

    private Future<Void> changed(String sql, GiftKey key, Object... before) {
        return update(sql, key, before).mapEmpty();
    }

    private Future<Integer> update(String sql, GiftKey key, Object... before) {
        Tuple values = Tuple.from(before);
        values.addValue(Values.bytes(key.appCode()));
        values.addValue(Values.bytes(key.commandId()));
        return connections.read(sql, values).map(rows -> rows.rowCount());
    }

    @Override
    public Future<List<Intent>> claimDue(int most, long firstAgainMs, long mostAgainMs) {
        return stored(
                "intents not claimed",
                connection -> connection.execute(DUE, Tuple.of(most)).compose(rows -> {
                    List<Intent> claimed = new ArrayList<>();
                    List<Future<?>> sent = new ArrayList<>();
                    for (Row row : rows) {
                        State state = state(row) == State.INTENT ? State.VOIDING : state(row);
                        Intent intent = intent(row, state);
                        claimed.add(intent);
                        int doublings = Math.min(16, row.getInteger(15));
                        sent.add(connection.execute(
                                TAKE,
                                Tuple.of(
                                        state.name(),
                                        Math.min(mostAgainMs, firstAgainMs << doublings),
                                        Values.bytes(intent.key().appCode()),
                                        Values.bytes(intent.key().commandId()))));
                    }
                    return Future.all(sent).compose(all -> connection.commit()).map(claimed);
                }));
    }

    @Override
    public Future<Boolean> refused(GiftKey key, int most, String why) {
        String kept =
                why.substring(0, why.offsetByCodePoints(0, Math.min(WHY_CHARS, why.codePointCount(0, why.length()))));
        return update(REFUSED, key, most, kept)
                .compose(counted -> counted == 0
                        ? Future.succeededFuture(false)
                        : connections
                                .read(IS_PARKED, Tuple.of(Values.bytes(key.appCode()), Values.bytes(key.commandId())))
                                .map(rows -> rows.size() == 1
                                        && rows.iterator().next().getInteger(0) != 0));
    }

    @Override
    public Future<Unsettled> unsettled() {
        return connections
                .read(
                        "SELECT COUNT(*), COUNT(CASE WHEN due_ms = " + NEVER
                                + " THEN 1 END) FROM gift_intents WHERE due_ms IS NOT NULL",
                        Tuple.tuple())
                .map(rows -> {
                    Row counted = rows.iterator().next();
                    return new Unsettled(counted.getLong(0) - counted.getLong(1), counted.getLong(1));
                });
    }

    private <T> Future<T> stored(String what, Function<Session, Future<T>> work) {
        return connections
                .beside(connection -> work.apply(connection).onFailure(failure -> connection.rollback()))
                .recover(failure -> Future.failedFuture(new StoreException(what, failure)));
    }
}
