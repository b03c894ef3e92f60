package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.CellMeter;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the batches of a loop's rooms durable, many rooms a transaction. While one transaction is in flight the next
 * one fills: there is no timer and no wait, so an idle room commits at once and a busy loop commits hundreds at a time.
 * When the next one has many rooms before the first is over, it begins beside it: the loop works on one while the
 * database works on the other. No two have the same room, as a room has one batch here at a time.
 *
 * <p>One room never fails another: a room that is fenced is left out of the transaction, one whose row is locked is
 * tried alone, and a transaction that a statement spoiled is done again room by room (LEASE-15).
 */
final class GroupCommit {
    private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);
    /** A transaction that a deadlock or lock wait undid is tried so many times together, and so many times alone. */
    private static final int TRIES = 3;
    /** The pause before a second try, doubled before a third, ms. */
    private static final long RETRY_PAUSE_MS = 5;
    /** For so long after several rooms have committed, they count as sharing the transactions, ms. */
    private static final long SHARED_MS = 1_000;
    /** So many rooms are tried alone at once; the others wait for them. */
    private static final int ALONE_AT_ONCE = 4;

    private final CellLoop loop;
    private final CommandStore store;
    private final GiftStore gifts;
    private final LeaseDirectory leases;
    private final RoomClock clock;
    private final CellMeter meter;
    private final int maxRooms;
    private final int maxBytes;
    private final int secondRooms;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private final ArrayDeque<Waiting> alone = new ArrayDeque<>();
    private int groupsInFlight;
    private @Nullable RoomKey lastRoom;
    private long sharedUntilMs = Long.MIN_VALUE;
    private int aloneInFlight;

    GroupCommit(CellLoop loop, CellPorts ports, CellSettings settings) {
        this.loop = loop;
        this.store = ports.commands();
        this.gifts = ports.gifts().store();
        this.leases = ports.leases();
        this.clock = ports.clock();
        this.meter = ports.cellMeter();
        this.maxRooms = settings.groupRooms();
        this.maxBytes = settings.groupBytes();
        this.secondRooms = settings.secondGroupRooms();
    }

    private record Waiting(RoomBatch batch, LeaseHold lease, Promise<CommitAnswer> answer) {}

    /**
     * Commits {@code batch} under {@code lease}, whose proof is taken when it is asked for: tokens rotate while a batch
     * waits. An empty batch only has its lease verified. A room has at most one batch here at a time, which bounds the
     * queue.
     */
    Future<CommitAnswer> submit(RoomBatch batch, LeaseHold lease) {
        Waiting waiting = new Waiting(batch, lease, Promise.promise());
        queue.addLast(waiting);
        if (mayBegin()) {
            groupsInFlight++;
            // What other rooms submit before the loop turns shares the transaction.
            loop.execute(this::nextGroup);
        }
        return waiting.answer.future();
    }

    /** A few rooms that wait cost the ones behind them less in the next transaction than in one of their own. */
    private boolean mayBegin() {
        return groupsInFlight == 0
                ? !queue.isEmpty()
                : groupsInFlight < CommandStore.GROUPS_AT_ONCE && queue.size() >= secondRooms;
    }

    /** Goes on in the place of a group that is over, or that was to begin. */
    private void nextGroup() {
        groupsInFlight--;
        if (mayBegin()) {
            groupsInFlight++;
            attemptOrUnknown(takeGroup(), true).onComplete(done -> nextGroup());
        }
    }

    /** A fault of ours on the way must not leave rooms waiting, and nobody knows what it left undone. */
    private Future<Void> attemptOrUnknown(List<Waiting> group, boolean together) {
        return Future.<Void>succeededFuture()
                .compose(begun -> attempt(group, 1, together))
                .recover(fault -> {
                    log.error("a group commit failed", fault);
                    return answerAll(group, new CommitAnswer.Unknown(fault.toString()));
                });
    }

    private List<Waiting> takeGroup() {
        List<Waiting> group = new ArrayList<>();
        long bytes = 0;
        while (group.size() < maxRooms && !queue.isEmpty()) {
            bytes += queue.getFirst().batch.bytes();
            if (!group.isEmpty() && bytes > maxBytes) {
                break;
            }
            group.add(queue.removeFirst());
        }
        noteRooms(group);
        return group;
    }

    private void noteRooms(List<Waiting> group) {
        RoomKey first = group.get(0).batch.key();
        if (group.size() > 1 || !first.equals(lastRoom)) {
            sharedUntilMs = clock.monotonicMs() + SHARED_MS;
        }
        lastRoom = first;
    }

    /**
     * Whether several rooms have committed lately. Whoever commits waits for a transaction before and then for its own,
     * so no room may make them long while there are others.
     */
    boolean isShared() {
        return clock.monotonicMs() < sharedUntilMs;
    }

    /** Completes when every room of the group was answered or sent to be tried alone. */
    private Future<Void> attempt(List<Waiting> group, int attempt, boolean together) {
        return verify(group)
                .transform(verified -> verified.failed()
                        ? answerAll(group, new CommitAnswer.Unavailable("VerifyOwner: " + verified.cause()))
                        : commit(owned(group, verified.result()), attempt, together));
    }

    /** Asks again for those that seem lost: between proof and answer a renewal may have been let through late. */
    private Future<Set<Waiting>> verify(List<Waiting> group) {
        return ask(group).compose(owned -> {
            List<Waiting> doubtful =
                    group.stream().filter(waiting -> !owned.contains(waiting)).toList();
            if (doubtful.isEmpty()) {
                return Future.succeededFuture(owned);
            }
            return ask(doubtful).map(ownedAfterAll -> {
                owned.addAll(ownedAfterAll);
                return owned;
            });
        });
    }

    private Future<Set<Waiting>> ask(List<Waiting> group) {
        List<LeaseDirectory.Proof> proofs =
                group.stream().map(waiting -> waiting.lease.proof()).toList();
        return loop.reenter(leases.verify(proofs)).map(verified -> {
            Set<Waiting> owned = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int i = 0; i < group.size(); i++) {
                if (verified.get(i)) {
                    owned.add(group.get(i));
                }
            }
            return owned;
        });
    }

    private static List<Waiting> owned(List<Waiting> group, Set<Waiting> verified) {
        List<Waiting> owned = new ArrayList<>(group.size());
        for (Waiting waiting : group) {
            if (!verified.contains(waiting)) {
                answer(waiting, new CommitAnswer.LeaseLost());
            } else if (waiting.batch.rows().isEmpty()) {
                answer(waiting, new CommitAnswer.Appended());
            } else {
                owned.add(waiting);
            }
        }
        return owned;
    }

    private Future<Void> commit(List<Waiting> group, int attempt, boolean together) {
        if (group.isEmpty()) {
            return Future.succeededFuture();
        }
        List<RoomBatch> batches = group.stream().map(Waiting::batch).toList();
        long askedAtMs = clock.monotonicMs();
        return loop.reenter(store.commit(batches, together)).transform(committed -> {
            meter.transactionEnded(transaction(committed.result()), group.size(), clock.monotonicMs() - askedAtMs);
            if (committed.failed()) {
                // The port promises a value; a bug there must not leave the rooms waiting, and nobody knows what it
                // did.
                return answerAll(group, new CommitAnswer.Unknown(String.valueOf(committed.cause())));
            }
            return conclude(group, committed.result(), attempt, together);
        });
    }

    private static CellMeter.Transaction transaction(@Nullable GroupOutcome outcome) {
        if (outcome instanceof GroupOutcome.Committed) {
            return CellMeter.Transaction.COMMITTED;
        }
        return outcome instanceof GroupOutcome.RolledBack
                ? CellMeter.Transaction.ROLLED_BACK
                : CellMeter.Transaction.UNKNOWN;
    }

    private Future<Void> conclude(List<Waiting> group, GroupOutcome outcome, int attempt, boolean together) {
        if (outcome instanceof GroupOutcome.RolledBack rolledBack) {
            return undone(group, rolledBack, attempt, together);
        }
        if (outcome instanceof GroupOutcome.Unknown unknown) {
            answerEach(group, unknown.verdicts(), new CommitAnswer.Unknown(unknown.detail()));
        } else {
            answerEach(group, ((GroupOutcome.Committed) outcome).verdicts(), new CommitAnswer.Appended());
        }
        return Future.succeededFuture();
    }

    private void answerEach(List<Waiting> group, List<CommandStore.Verdict> verdicts, CommitAnswer ofThoseWritten) {
        for (int i = 0; i < group.size(); i++) {
            Waiting waiting = group.get(i);
            switch (verdicts.get(i)) {
                case APPENDED -> {
                    if (ofThoseWritten instanceof CommitAnswer.Appended) {
                        meter.batchCommitted(waiting.batch.rows().size());
                    }
                    answer(waiting, ofThoseWritten);
                }
                case FENCED -> answer(waiting, new CommitAnswer.Fenced("the epoch is no longer ours"));
                case VERSION_CONFLICT -> answer(waiting, new CommitAnswer.Fenced("the version is not ours"));
                case BUSY -> tryAlone(waiting);
            }
        }
    }

    /** One room's fault is not the next one's: whatever an answer sets off, the others get theirs. */
    private static void answer(Waiting waiting, CommitAnswer answer) {
        try {
            waiting.answer.tryComplete(answer);
        } catch (RuntimeException fault) {
            log.error("room {} failed on {}", waiting.batch.key(), answer, fault);
        }
    }

    private Future<Void> undone(
            List<Waiting> group, GroupOutcome.RolledBack rolledBack, int attempt, boolean together) {
        return switch (rolledBack.cause()) {
            case UNAVAILABLE -> answerAll(group, new CommitAnswer.Unavailable(rolledBack.detail()));
            case TRANSIENT -> {
                if (attempt < TRIES) {
                    yield pause(RETRY_PAUSE_MS << (attempt - 1)).compose(over -> attempt(group, attempt + 1, together));
                }
                yield together ? allAlone(group) : answerAll(group, new CommitAnswer.Unavailable(rolledBack.detail()));
            }
            case GIFT_GONE -> giftGone(group, attempt, together);
            case DUPLICATE_KEY -> group.size() > 1 ? allAlone(group) : duplicate(group.get(0), rolledBack.detail());
            case STATEMENT ->
                group.size() > 1 ? allAlone(group) : answerAll(group, new CommitAnswer.Refused(rolledBack.detail()));
        };
    }

    /** Rooms without gifts have nothing to do with it; of the others each finds out which of its gifts it is. */
    private Future<Void> giftGone(List<Waiting> group, int attempt, boolean together) {
        if (group.size() == 1) {
            return giftsGone(group.get(0));
        }
        List<Waiting> without = new ArrayList<>();
        for (Waiting waiting : group) {
            if (waiting.batch.gifts().isEmpty()) {
                without.add(waiting);
            } else {
                tryAlone(waiting);
            }
        }
        return attempt(without, attempt, together);
    }

    private Future<Void> giftsGone(Waiting waiting) {
        String app = waiting.batch.key().appCode();
        List<GiftKey> keys = waiting.batch.gifts().stream()
                .map(gift -> new GiftKey(app, gift.commandId()))
                .toList();
        return loop.reenter(gifts.find(keys)).transform(found -> {
            if (found.failed()) {
                answer(waiting, new CommitAnswer.Unavailable(found.cause().toString()));
                return Future.succeededFuture();
            }
            answer(waiting, goneOf(keys, found.result()));
            return Future.succeededFuture();
        });
    }

    private static CommitAnswer goneOf(List<GiftKey> keys, Map<GiftKey, Intent> found) {
        Set<String> gone = new HashSet<>();
        for (GiftKey key : keys) {
            Intent intent = found.get(key);
            if (intent != null && intent.state() == GiftStore.State.COMMITTED) {
                return new CommitAnswer.Fenced("a gift is committed that this room does not know");
            }
            if (intent == null || intent.state() != GiftStore.State.INTENT) {
                gone.add(key.commandId());
            }
        }
        return gone.isEmpty()
                ? new CommitAnswer.Unavailable("an intent was missed, and is there")
                : new CommitAnswer.GiftsGone(gone);
    }

    private Future<Void> duplicate(Waiting waiting, String detail) {
        List<String> ids =
                waiting.batch.rows().stream().map(RoomBatch.LogRow::commandId).toList();
        return loop.reenter(store.findCommands(waiting.batch.key(), ids)).transform(found -> {
            CommitAnswer answer;
            if (found.failed()) {
                answer = new CommitAnswer.Unavailable(found.cause().toString());
            } else if (found.result().isEmpty()) {
                answer = new CommitAnswer.Fenced(detail);
            } else {
                answer = new CommitAnswer.Duplicate(found.result());
            }
            answer(waiting, answer);
            return Future.succeededFuture();
        });
    }

    private static Future<Void> answerAll(List<Waiting> group, CommitAnswer answer) {
        group.forEach(waiting -> answer(waiting, answer));
        return Future.succeededFuture();
    }

    private Future<Void> allAlone(List<Waiting> group) {
        group.forEach(this::tryAlone);
        return Future.succeededFuture();
    }

    private void tryAlone(Waiting waiting) {
        alone.addLast(waiting);
        nextAlone();
    }

    private void nextAlone() {
        while (aloneInFlight < ALONE_AT_ONCE && !alone.isEmpty()) {
            aloneInFlight++;
            attemptOrUnknown(List.of(alone.removeFirst()), false).onComplete(done -> {
                aloneInFlight--;
                nextAlone();
            });
        }
    }

    private Future<Void> pause(long ms) {
        Promise<Void> over = Promise.promise();
        loop.schedule(ms, over::complete);
        return over.future();
    }
}
