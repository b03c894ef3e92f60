package dev.roomcell.sim;

import dev.roomcell.port.GiftStore;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The table of intents in memory. A row that a commit under way has ended is locked until that is over. */
public final class MemoryGifts implements GiftStore {
    private final LongSupplier nowMs;
    private final boolean comparing;
    private final Map<GiftKey, Fields> rows = new TreeMap<>();
    private final Map<GiftKey, MemoryTransaction> locked = new HashMap<>();

    /** What was deleted: what no table keeps. */
    private final Map<GiftKey, Intent> purged = new TreeMap<>();

    private final Map<GiftKey, Long> begunAtMs = new HashMap<>();

    private static final long NEVER = Long.MAX_VALUE;

    private int everParked;

    private record Fields(Intent intent, OptionalLong dueMs, int tries, int refusals) {
        Fields now(Intent changed, OptionalLong newlyDueMs) {
            return new Fields(changed, newlyDueMs, tries, refusals);
        }

        boolean isParked() {
            return dueMs.isPresent() && dueMs.getAsLong() == NEVER;
        }
    }

    /**
     * An empty table.
     *
     * @param nowMs the database's clock, epoch ms
     * @param comparing whether a commit is refused that would end an intent which was given up
     */
    MemoryGifts(LongSupplier nowMs, boolean comparing) {
        this.nowMs = nowMs;
        this.comparing = comparing;
    }

    @Override
    public Future<List<Intent>> begin(List<Intent> intents, long voidAfterMs) {
        List<Intent> stored = new ArrayList<>();
        for (Intent intent : intents) {
            OptionalLong dueMs = OptionalLong.of(nowMs.getAsLong() + voidAfterMs);
            begunAtMs.putIfAbsent(intent.key(), nowMs.getAsLong());
            stored.add(rows.computeIfAbsent(intent.key(), absent -> new Fields(copy(intent), dueMs, 0, 0)).intent);
        }
        return Future.succeededFuture(stored);
    }

    private static Intent copy(Intent intent) {
        return Intent.begun(
                intent.key(),
                intent.roomId(),
                intent.actorUserId(),
                intent.payloadHash().clone(),
                intent.gift(),
                intent.pieces(),
                intent.totalPriceCoins());
    }

    @Override
    public Future<Map<GiftKey, Intent>> find(Collection<GiftKey> keys) {
        Map<GiftKey, Intent> found = new HashMap<>();
        for (GiftKey key : keys) {
            Fields there = rows.get(key);
            if (there != null) {
                found.put(key, there.intent);
            }
        }
        return Future.succeededFuture(found);
    }

    /** Whether the commit may end these intents; if so they are its alone until it is over. */
    boolean tryEnd(List<RoomBatch> batches, MemoryTransaction transaction) {
        List<GiftKey> keys = keys(batches);
        for (GiftKey key : keys) {
            Fields there = rows.get(key);
            MemoryTransaction holder = locked.get(key);
            if (comparing && (there == null || there.intent.state() != State.INTENT || holder != null)) {
                return false;
            }
        }
        keys.forEach(key -> locked.put(key, transaction));
        return true;
    }

    private static List<GiftKey> keys(List<RoomBatch> batches) {
        List<GiftKey> keys = new ArrayList<>();
        for (RoomBatch batch : batches) {
            batch.gifts().forEach(gift -> keys.add(new GiftKey(batch.key().appCode(), gift.commandId())));
        }
        return keys;
    }

    /** Ends the intents of a batch that is committed. */
    void end(RoomBatch batch, long rewardGraceMs) {
        for (RoomBatch.GiftCommit gift : batch.gifts()) {
            GiftKey key = new GiftKey(batch.key().appCode(), gift.commandId());
            OptionalLong dueMs = gift.reward() == Reward.NONE
                    ? OptionalLong.empty()
                    : OptionalLong.of(nowMs.getAsLong() + rewardGraceMs);
            rows.computeIfPresent(
                    key,
                    (same, there) ->
                            there.now(there.intent.with(State.COMMITTED, gift.reward(), gift.rewardCoins()), dueMs));
        }
    }

    /** The transaction is over. */
    void release(MemoryTransaction transaction) {
        locked.values().removeIf(holder -> holder == transaction);
    }

    private static Intent with(Intent intent, State state) {
        return intent.with(state, intent.reward(), intent.rewardCoins());
    }

    @Override
    public Future<Optional<State>> giveUp(GiftKey key, long againMs) {
        return change(
                        key,
                        there -> there.intent.state() == State.INTENT
                                ? there.now(with(there.intent, State.VOIDING), dueIn(againMs))
                                : there)
                .map(after -> Optional.ofNullable(after).map(fields -> fields.intent.state()));
    }

    private OptionalLong dueIn(long ms) {
        return OptionalLong.of(nowMs.getAsLong() + ms);
    }

    private Future<@Nullable Fields> change(GiftKey key, UnaryOperator<Fields> change) {
        if (locked.containsKey(key)) {
            return Future.failedFuture(new StoreException("1205: a commit holds the intent " + key));
        }
        return Future.succeededFuture(rows.computeIfPresent(key, (same, there) -> change.apply(there)));
    }

    @Override
    public Future<Void> voided(GiftKey key) {
        return change(
                        key,
                        there -> there.intent.state() == State.VOIDING
                                ? there.now(with(there.intent, State.VOIDED), OptionalLong.empty())
                                : there)
                .mapEmpty();
    }

    @Override
    public Future<Void> drawn(GiftKey key, long rewardCoins, long againMs) {
        OptionalLong dueMs = rewardCoins == 0 ? OptionalLong.empty() : dueIn(againMs);
        return change(
                        key,
                        there -> there.intent.reward() == Reward.DRAWING
                                ? there.now(drawn(there.intent, rewardCoins), dueMs)
                                : there)
                .mapEmpty();
    }

    private static Intent drawn(Intent intent, long rewardCoins) {
        return rewardCoins == 0
                ? intent.with(State.COMMITTED, Reward.NONE, 0)
                : intent.with(State.COMMITTED, Reward.DUE, rewardCoins).late();
    }

    @Override
    public Future<Void> rewardPaid(GiftKey key) {
        return change(
                        key,
                        there -> there.intent.reward() == Reward.DUE
                                ? there.now(
                                        there.intent.with(State.COMMITTED, Reward.PAID, there.intent.rewardCoins()),
                                        OptionalLong.empty())
                                : there)
                .mapEmpty();
    }

    @Override
    public Future<List<Intent>> claimDue(int most, long firstAgainMs, long mostAgainMs) {
        long now = nowMs.getAsLong();
        List<Map.Entry<GiftKey, Fields>> open = new ArrayList<>();
        for (Map.Entry<GiftKey, Fields> row : rows.entrySet()) {
            OptionalLong dueMs = row.getValue().dueMs;
            if (dueMs.isPresent() && dueMs.getAsLong() <= now && !locked.containsKey(row.getKey())) {
                open.add(row);
            }
        }
        List<GiftKey> due = open.stream()
                .sorted(Comparator.comparingLong(row -> row.getValue().dueMs.getAsLong()))
                .limit(most)
                .map(Map.Entry::getKey)
                .toList();
        List<Intent> claimed = new ArrayList<>();
        for (GiftKey key : due) {
            rows.computeIfPresent(key, (same, there) -> {
                State state = there.intent.state() == State.INTENT ? State.VOIDING : there.intent.state();
                Intent intent = with(there.intent, state);
                claimed.add(intent);
                long againMs = Math.min(mostAgainMs, firstAgainMs << Math.min(16, there.tries));
                return new Fields(intent, dueIn(againMs), there.tries + 1, there.refusals);
            });
        }
        return Future.succeededFuture(claimed);
    }

    @Override
    public Future<Boolean> refused(GiftKey key, int most, String why) {
        Fields before = rows.get(key);
        return change(
                        key,
                        there -> isAsked(there)
                                ? new Fields(
                                        there.intent,
                                        there.refusals + 1 >= most ? OptionalLong.of(NEVER) : there.dueMs,
                                        there.tries,
                                        there.refusals + 1)
                                : there)
                .map(after -> {
                    boolean parked = before != null && after != null && !before.isParked() && after.isParked();
                    everParked += parked ? 1 : 0;
                    return parked;
                });
    }

    /** Whether the wallet is asked for something, and nobody was told to leave that. */
    private static boolean isAsked(Fields row) {
        return row.dueMs.isPresent()
                && !row.isParked()
                && (row.intent.state() == State.VOIDING || row.intent.reward() == Reward.DUE);
    }

    @Override
    public Future<Unsettled> unsettled() {
        long parked = rows.values().stream().filter(Fields::isParked).count();
        long due = rows.values().stream().filter(row -> row.dueMs.isPresent()).count();
        return Future.succeededFuture(new Unsettled(due - parked, parked));
    }

    /** If it is parked, it is seen to again from now on, as an operator may say. */
    public void putBack(GiftKey key) {
        rows.computeIfPresent(key, (same, row) -> row.isParked() ? new Fields(row.intent, dueIn(0), 0, 0) : row);
    }

    /** The same for all that is parked. */
    void putAllBack() {
        List.copyOf(rows.keySet()).forEach(this::putBack);
    }

    /** How often an intent was parked. */
    int everParked() {
        return everParked;
    }

    /** Deletes intents with which all is over, begun so long ago, the oldest first; how many. */
    int purge(long keptMs, int limit) {
        List<GiftKey> old = rows.entrySet().stream()
                .filter(row -> isOver(row.getValue()) && begunAtMs(row.getKey()) <= nowMs.getAsLong() - keptMs)
                .map(Map.Entry::getKey)
                .sorted(Comparator.comparingLong(this::begunAtMs).thenComparing(key -> key))
                .limit(limit)
                .toList();
        for (GiftKey key : old) {
            intent(key).ifPresent(gone -> purged.put(key, gone));
            rows.remove(key);
            begunAtMs.remove(key);
        }
        return old.size();
    }

    private long begunAtMs(GiftKey key) {
        return begunAtMs.getOrDefault(key, Long.MAX_VALUE);
    }

    private static boolean isOver(Fields row) {
        boolean nothingOwed = row.intent.reward() == Reward.NONE || row.intent.reward() == Reward.PAID;
        return row.dueMs.isEmpty()
                && (row.intent.state() == State.VOIDED || (row.intent.state() == State.COMMITTED && nothingOwed));
    }

    /** The intent of a command, if there is one, or was before it was purged. */
    public Optional<Intent> intent(GiftKey key) {
        return Optional.ofNullable(rows.get(key)).map(Fields::intent).or(() -> Optional.ofNullable(purged.get(key)));
    }

    /** All intents, by key; also those that were purged since. */
    public List<Intent> all() {
        Map<GiftKey, Intent> all = new TreeMap<>(purged);
        rows.forEach((key, row) -> all.put(key, row.intent));
        return List.copyOf(all.values());
    }
}
