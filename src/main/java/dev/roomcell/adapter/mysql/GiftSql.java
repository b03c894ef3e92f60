package dev.roomcell.adapter.mysql;

import dev.roomcell.port.GiftStore.Reward;
import dev.roomcell.port.RoomBatch;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/** What is said about the table {@code gift_intents} in more than one place. */
final class GiftSql {
    /** The columns that name an intent. */
    static final String INTENT = "app_code, command_id";
    /** A condition that names one intent. */
    static final String ONE_INTENT = Sql.one(INTENT);

    private static final int MOST_AT_ONCE = 64;
    static final String COMMIT =
            "UPDATE gift_intents FORCE INDEX (PRIMARY) SET state = 'COMMITTED', due_ms = NULL WHERE state = 'INTENT' AND";
    private static final String COMMIT_WITH_REWARD =
            "UPDATE gift_intents FORCE INDEX (PRIMARY) SET state = 'COMMITTED',"
                    + " reward_state = ?, reward = ?, due_ms = " + OutboxSql.NOW_MS + " + ? WHERE state = 'INTENT' AND "
                    + ONE_INTENT;

    /** Whoever commits a gift credits the reward at once; somebody else sees to it after so many ms. */
    private static final long REWARD_GRACE_MS = 20_000;

    private GiftSql() {}

    /**
     * Ends the intents of the batches' gifts, in the transaction that gives them (GIFT-2). Fails with
     * {@link Failures.GiftGone} if one of them was given up.
     */
    static List<Future<Void>> commit(Session connection, List<RoomBatch> batches) {
        List<Future<Void>> ended = new ArrayList<>();
        List<Object> keys = new ArrayList<>();
        for (RoomBatch batch : batches) {
            for (RoomBatch.GiftCommit gift : batch.gifts()) {
                if (gift.reward() == Reward.NONE) {
                    keys.add(Values.bytes(batch.key().appCode()));
                    keys.add(Values.bytes(gift.commandId()));
                } else {
                    Tuple values = Tuple.of(gift.reward().name(), gift.rewardCoins(), REWARD_GRACE_MS);
                    values.addValue(Values.bytes(batch.key().appCode()));
                    values.addValue(Values.bytes(gift.commandId()));
                    ended.add(allOf(
                            1, connection.execute(COMMIT_WITH_REWARD, values).map(rows -> rows.rowCount())));
                }
            }
        }
        for (int from = 0; from < keys.size(); from += 2 * MOST_AT_ONCE) {
            List<Object> some = new ArrayList<>(keys.subList(from, Math.min(keys.size(), from + 2 * MOST_AT_ONCE)));
            int intents = some.size() / 2;
            fillUp(some);
            String sql = Sql.anyOf(COMMIT, INTENT, intents, "");
            ended.add(allOf(intents, connection.execute(sql, Tuple.wrap(some)).map(rows -> rows.rowCount())));
        }
        return ended;
    }

    /** Repeats the last key, as {@link Sql#anyOf} does. */
    static void fillUp(List<Object> keys) {
        Object app = keys.get(keys.size() - 2);
        Object command = keys.get(keys.size() - 1);
        for (int missing = Sql.filledUp(keys.size() / 2) - keys.size() / 2; missing > 0; missing--) {
            keys.add(app);
            keys.add(command);
        }
    }

    private static Future<Void> allOf(int expected, Future<Integer> changed) {
        return changed.compose(rows -> rows == expected
                ? Future.succeededFuture()
                : Future.failedFuture(new Failures.GiftGone(expected, rows)));
    }
}
