package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.RoomBatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the batches of a loop's rooms durable, many rooms a transaction. While one transaction is in flight the next
 * one fills: there is no timer and no wait, so an idle room commits at once and a busy loop commits hundreds at a time.
 *
 * <p>One room never fails another: a room that is fenced is left out of the transaction, one whose row is locked is
 * tried alone, and a transaction that a statement spoiled is done again room by room (LEASE-15).
 */
final class GroupCommit {
    /** A transaction that a deadlock or lock wait undid is tried so many times together, and so many times alone. */
    private static final int TRIES = 3;
    /** The pause before a second try, doubled before a third, ms. */
    private static final long RETRY_PAUSE_MS = 5;
    /** So many rooms are tried alone at once; the others wait for them. */
    private static final int ALONE_AT_ONCE = 4;

    private final CellLoop loop;
    private final CommandStore store;
    private final LeaseDirectory leases;
    private final int maxRooms;
    private final int maxBytes;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private final ArrayDeque<Waiting> alone = new ArrayDeque<>();
    private boolean groupInFlight;
    private int aloneInFlight;

    GroupCommit(CellLoop loop, CellPorts ports, CellSettings settings) {
        this.loop = loop;
        this.store = ports.commands();
        this.leases = ports.leases();
        this.maxRooms = settings.groupRooms();
        this.maxBytes = settings.groupBytes();
    }

    private record Waiting(RoomBatch batch, LeaseDirectory.Proof proof, Promise<CommitAnswer> answer) {}

    /**
     * Commits {@code batch} under the lease that {@code proof} shows. An empty batch only has its lease verified. A room
     * has at most one batch here at a time, which bounds the queue.
     */
    Future<CommitAnswer> submit(RoomBatch batch, LeaseDirectory.Proof proof) {
        Waiting waiting = new Waiting(batch, proof, Promise.promise());
        queue.addLast(waiting);
        if (!groupInFlight) {
            // What other rooms submit before the loop turns shares the transaction.
            groupInFlight = true;
            loop.execute(this::nextGroup);
        }
        return waiting.answer.future();
    }

    private void nextGroup() {
        if (queue.isEmpty()) {
            groupInFlight = false;
            return;
        }
        attempt(takeGroup(), 1, true).onComplete(done -> nextGroup());
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
        return group;
    }

    /** Completes when every room of the group was answered or sent to be tried alone. */
    private Future<Void> attempt(List<Waiting> group, int attempt, boolean together) {
        List<LeaseDirectory.Proof> proofs = group.stream().map(Waiting::proof).toList();
        return loop.reenter(leases.verify(proofs))
                .transform(verified -> verified.failed()
                        ? answerAll(group, new CommitAnswer.Unavailable("VerifyOwner: " + verified.cause()))
                        : commit(owned(group, verified.result()), attempt, together));
    }

    private static List<Waiting> owned(List<Waiting> group, List<Boolean> verified) {
        List<Waiting> owned = new ArrayList<>(group.size());
        for (int i = 0; i < group.size(); i++) {
            Waiting waiting = group.get(i);
            if (!verified.get(i)) {
                waiting.answer.complete(new CommitAnswer.LeaseLost());
            } else if (waiting.batch.rows().isEmpty()) {
                waiting.answer.complete(new CommitAnswer.Appended());
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
        return loop.reenter(store.commit(batches, together)).transform(committed -> {
            if (committed.failed()) {
                // The port promises a value; a bug there must not leave the rooms waiting, and nobody knows what it
                // did.
                return answerAll(group, new CommitAnswer.Unknown(String.valueOf(committed.cause())));
            }
            return conclude(group, committed.result(), attempt, together);
        });
    }

    private Future<Void> conclude(List<Waiting> group, GroupOutcome outcome, int attempt, boolean together) {
        if (outcome instanceof GroupOutcome.Committed committed) {
            for (int i = 0; i < group.size(); i++) {
                answer(group.get(i), committed.verdicts().get(i));
            }
            return Future.succeededFuture();
        }
        if (outcome instanceof GroupOutcome.RolledBack rolledBack) {
            return undone(group, rolledBack, attempt, together);
        }
        return answerAll(group, new CommitAnswer.Unknown(((GroupOutcome.Unknown) outcome).detail()));
    }

    private void answer(Waiting waiting, CommandStore.Verdict verdict) {
        switch (verdict) {
            case APPENDED -> waiting.answer.complete(new CommitAnswer.Appended());
            case FENCED -> waiting.answer.complete(new CommitAnswer.Fenced("the epoch is no longer ours"));
            case VERSION_CONFLICT -> waiting.answer.complete(new CommitAnswer.Fenced("the version is not ours"));
            case BUSY -> tryAlone(waiting);
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
            case DUPLICATE_KEY -> group.size() > 1 ? allAlone(group) : duplicate(group.get(0), rolledBack.detail());
            case STATEMENT ->
                group.size() > 1 ? allAlone(group) : answerAll(group, new CommitAnswer.Refused(rolledBack.detail()));
        };
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
            waiting.answer.complete(answer);
            return Future.succeededFuture();
        });
    }

    private static Future<Void> answerAll(List<Waiting> group, CommitAnswer answer) {
        group.forEach(waiting -> waiting.answer.complete(answer));
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
            attempt(List.of(alone.removeFirst()), 1, false).onComplete(done -> {
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
