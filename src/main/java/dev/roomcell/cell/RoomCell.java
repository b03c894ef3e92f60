package dev.roomcell.cell;

import dev.roomcell.cell.CellRecovery.Replayed;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.CommandStore.LoggedCommand;
import dev.roomcell.port.LeaseDirectory.Renewal;
import dev.roomcell.port.RoomBatch;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One room, in memory, on one loop: the only place where it changes. Commands wait in the mailbox; a batch of them is
 * decided against a working copy, made durable by one fenced transaction, and only then adopted, shown and answered.
 *
 * <p>At most one batch is in flight. While it is, the adopted state stays as it was; whatever comes back re-enters
 * through the loop, and every method that changes the cell checks that it is there.
 */
final class RoomCell {
    private static final Logger log = LoggerFactory.getLogger(RoomCell.class);

    /** What the cell may do next. */
    private enum Mode {
        /** Takes batches. Goes to LEAVING or GONE. */
        OPEN,
        /** Ends its batch, then takes its last snapshot; takes no batch. Goes to RELEASED or GONE. */
        LEAVING,
        /** Gives up its lease: another node may own the room already, so nothing is answered any more. Goes to GONE. */
        RELEASED,
        /** No longer the room; never comes back. */
        GONE
    }

    /** Whoever keeps the cells of a loop. */
    interface Host {
        /** The cell is gone; {@code unbegun} commands are to be dealt with anew. */
        void gone(RoomCell cell, List<PendingCommand> unbegun);

        /** As {@link RoomEffects#committed}. */
        void committed(RoomState before, RoomState after, List<RoomBatch.LogRow> rows, boolean lineWritten);
    }

    private final CellLoop loop;
    private final CellPorts ports;
    private final CellSettings settings;
    private final GroupCommit commits;
    private final CellRecovery recovery;
    private final Host host;
    private final CellLease lease;
    private final Mailbox mailbox;
    private final CellMemory memory;
    private final SnapshotTaker snapshots;

    private Mode mode = Mode.OPEN;
    private long lastUseAtMs;
    /** A batch, or the settling of its outcome or of the lease, is on its way; no other begins before it is over. */
    private boolean batchInFlight;
    /** So many of the next commands go one by one, to find the one that spoiled their batch (LEASE-15). */
    private int oneByOne;
    /** Completes when the batch is over after which the cell leaves. */
    private final Promise<Void> batchesOver = Promise.promise();
    /** Completes when the cell is gone. */
    private final Promise<Void> gone = Promise.promise();

    RoomCell(
            CellLoop loop,
            CellPorts ports,
            CellSettings settings,
            GroupCommit commits,
            LeaseKeeper keeper,
            CellRecovery recovery,
            Host host,
            LeaseHold hold,
            Replayed replayed) {
        this.loop = loop;
        this.ports = ports;
        this.settings = settings;
        this.commits = commits;
        this.recovery = recovery;
        this.host = host;
        this.lease = new CellLease(hold, keeper, recovery, ports.clock());
        this.mailbox = new Mailbox(settings.mailboxCommands(), ports.clock(), ports.cellMeter());
        this.memory = new CellMemory(replayed, ports, settings);
        this.snapshots = new SnapshotTaker(loop, ports, settings.snapshots(), replayed);
        this.lastUseAtMs = ports.clock().monotonicMs();
        lease.keep(this::onRenewal);
    }

    RoomKey key() {
        return memory.state().key();
    }

    /** Since when signs of life reach this cell without a break, monotonic, ms (PRES-7). */
    long heardSinceMs() {
        return memory.heardSinceMs();
    }

    Lifecycle.Status status() {
        return memory.state().status();
    }

    /** Takes a command; it is answered in its turn, or at once when the mailbox is full. */
    void submit(PendingCommand command) {
        assertOnLoop();
        if (!mailbox.offer(command)) {
            command.answer(Answer.Refused.of(
                    Answer.Refusal.OVERLOADED, "the room has more commands waiting than it takes; try again"));
            return;
        }
        lastUseAtMs = ports.clock().monotonicMs();
        pump();
    }

    /** Whether it would refuse a command at the moment. */
    boolean isFull() {
        return mailbox.isFull();
    }

    /** The room for a reader: the adopted state, while nobody else can own the room (LEASE-17). */
    Future<Optional<RoomState>> read() {
        assertOnLoop();
        lastUseAtMs = ports.clock().monotonicMs();
        if (!memory.endKnown().isComplete()) {
            return memory.endKnown().compose(known -> read());
        }
        if (mode == Mode.RELEASED || mode == Mode.GONE) {
            return Future.succeededFuture(Optional.empty());
        }
        if (lease.coversRead()) {
            return Future.succeededFuture(Optional.of(memory.state()));
        }
        // A lease that is about to be given up is not taken again.
        if (batchInFlight || mode != Mode.OPEN) {
            return Future.succeededFuture(memory.turnedAway());
        }
        batchInFlight = true;
        return lease.ensureOwner().map(refused -> {
            refused.filter(Answer.Refused::endsOwnership).ifPresent(this::drop);
            // A renewal that was on its way already may be older than a lease lives by the time it is answered.
            boolean ours = refused.isEmpty() && lease.coversRead();
            finishBatch();
            return ours ? Optional.of(memory.state()) : memory.turnedAway();
        });
    }

    /** Completes when the cell is as new as what MySQL holds now, or gone; never fails. */
    Future<Void> caughtUp() {
        assertOnLoop();
        return memory.batchKnown();
    }

    /** A sign of life of a user (PRES-1); changes memory only, and nothing for a user who is not present (PRES-2). */
    void seen(String userId) {
        assertOnLoop();
        memory.seen(userId);
    }

    private void pump() {
        if (batchInFlight || mode != Mode.OPEN || mailbox.isEmpty()) {
            return;
        }
        batchInFlight = true;
        lease.ensureOwner().onComplete(owner -> {
            List<PendingCommand> batch = takeBatch();
            if (owner.result().isEmpty()) {
                orDrop(batch, () -> decideAndCommit(batch));
            } else {
                refuseBatch(batch, owner.result().get());
            }
        });
    }

    private List<PendingCommand> takeBatch() {
        int most = oneByOne > 0 ? 1 : mostOfABatch();
        oneByOne = Math.max(0, oneByOne - 1);
        List<PendingCommand> batch = new ArrayList<>();
        mailbox.take(most, settings.batchBytes()).forEach(command -> batch.addAll(command.unanswered()));
        batch.forEach(PendingCommand::begin);
        return batch;
    }

    private int mostOfABatch() {
        return commits.isShared()
                ? Math.min(settings.batchCommands(), settings.sharedBatchCommands())
                : settings.batchCommands();
    }

    private void decideAndCommit(List<PendingCommand> batch) {
        assertOnLoop();
        if (batch.isEmpty()) {
            finishBatch();
            return;
        }
        DecidedBatch decided = memory.decide(batch);
        Future<Map<String, LoggedCommand>> asked = decided.idsToAsk().isEmpty()
                ? Future.succeededFuture(Map.of())
                : loop.reenter(ports.commands().findCommands(key(), decided.idsToAsk()));
        commits.submit(decided.roomBatch(lease.hold(), ports.nodeId()), lease.hold())
                .onComplete(answer -> asked.onComplete(
                        found -> orDrop(decided.commands(), () -> settle(decided, answer.result(), found))));
    }

    /** A fault of ours must not leave the room waiting for ever: memory is given up, and read again. */
    private void orDrop(List<PendingCommand> commands, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException fault) {
            log.error("room {}: a batch failed", key(), fault);
            refuseBatch(commands, Answer.Refused.outcomeUnknown());
        }
    }

    private void settle(DecidedBatch decided, CommitAnswer answer, AsyncResult<Map<String, LoggedCommand>> asked) {
        assertOnLoop();
        if (answer instanceof CommitAnswer.Appended) {
            adopt(decided, asked);
            finishBatch();
        } else if (answer instanceof CommitAnswer.Duplicate duplicate) {
            decided.foundInLog(duplicate.found());
            decideAndCommit(decided.commands());
        } else if (answer instanceof CommitAnswer.GiftsGone gone) {
            decideAndCommit(withoutGone(decided, gone.commandIds()));
        } else if (answer instanceof CommitAnswer.Refused refused) {
            narrowDown(decided, refused.detail());
        } else if (answer instanceof CommitAnswer.Unknown unknown) {
            settleUnknown(decided, asked, unknown.detail());
        } else {
            log.info("room {} not committed: {}", key(), answer);
            refuseBatch(decided.commands(), answer.noEffect());
        }
    }

    /** What is left of a batch without the gifts that were given up; each time there are fewer of them. */
    private List<PendingCommand> withoutGone(DecidedBatch decided, Set<String> gone) {
        BatchAnswers answers = new BatchAnswers();
        List<PendingCommand> rest = answers.giftsGone(decided.commands(), gone);
        mailbox.putBack(answers.again());
        return rest;
    }

    /** The batch is durable: from now on it is what the room is, and what its callers are told. */
    private void adopt(DecidedBatch decided, AsyncResult<Map<String, LoggedCommand>> asked) {
        boolean lineWritten = decided.writesListLine();
        RoomState before = memory.state();
        memory.adopt(decided);
        BatchAnswers answers = new BatchAnswers();
        answers.committed(decided);
        answers.unlogged(decided, asked).forEach(memory::seen);
        mailbox.putBack(answers.again());
        if (!decided.rows().isEmpty()) {
            host.committed(before, memory.state(), decided.rows(), lineWritten);
            snapshots.appended(decided.rows());
            snapshots.takeIfDue(memory.state(), memory.lastAtMs());
        }
    }

    /** A statement failed for good: the commands go again one by one, and the one that fails alone is to blame. */
    private void narrowDown(DecidedBatch decided, String detail) {
        List<PendingCommand> commands = decided.commands();
        if (commands.size() == 1) {
            log.error(
                    "room {}: {} refused by the database: {}",
                    key(),
                    commands.get(0).commandId(),
                    detail);
            refuseBatch(
                    commands,
                    Answer.Refused.of(Answer.Refusal.INTERNAL, "the command could not be stored; nothing happened"));
            return;
        }
        oneByOne = commands.size();
        mailbox.putBack(commands);
        finishBatch();
    }

    /** LEASE-12: until it is known whether the batch was committed, the room takes no other. */
    private void settleUnknown(DecidedBatch decided, AsyncResult<Map<String, LoggedCommand>> asked, String detail) {
        log.warn("room {}: outcome of a commit unknown: {}", key(), detail);
        recovery.settle(lease.hold(), decided.rows()).onComplete(settled -> {
            if (settled.failed()) {
                refuseBatch(decided.commands(), Answer.Refused.outcomeUnknown());
            } else if (settled.result().committed()) {
                adopt(decided, asked);
                settled.result().mustGo().filter(Answer.Refused::endsOwnership).ifPresent(this::drop);
                finishBatch();
            } else {
                notCommitted(decided, settled.result());
            }
        });
    }

    /** What the log holds of the batch was written by another incarnation: it is answered as any retry is. */
    private void notCommitted(DecidedBatch decided, CellRecovery.Settled settled) {
        decided.foundInLog(settled.found());
        BatchAnswers answers = new BatchAnswers();
        answers.notCommitted(decided.commands());
        mailbox.putBack(answers.again());
        settled.mustGo().filter(Answer.Refused::endsOwnership).ifPresent(this::drop);
        finishBatch();
    }

    private void refuseBatch(List<PendingCommand> commands, Answer.Refused refused) {
        BatchAnswers answers = new BatchAnswers();
        answers.refused(commands, refused);
        mailbox.putBack(answers.again());
        if (refused.endsOwnership()) {
            drop(refused);
        }
        finishBatch();
    }

    private void finishBatch() {
        batchInFlight = false;
        memory.batchOver();
        if (mode == Mode.LEAVING) {
            batchesOver.tryComplete();
        } else if (mode == Mode.OPEN && status() == Lifecycle.Status.CLOSED) {
            // It fails never, and nobody waits for it.
            leave();
        } else {
            pump();
        }
    }

    private void onRenewal(Renewal renewal) {
        if (batchInFlight || mode != Mode.OPEN) {
            // The batch's own VerifyOwner will find out.
            return;
        }
        switch (renewal) {
            case KEPT -> {}
            case LOST -> drop(CellLease.changedHands());
            case ABSENT -> {
                batchInFlight = true;
                lease.retake().onComplete(retaken -> {
                    retaken.result().filter(Answer.Refused::endsOwnership).ifPresent(this::drop);
                    finishBatch();
                });
            }
        }
    }

    /** Whether nobody needs the room loaded, and nobody has for the time that the settings give (LEASE-14). */
    boolean isIdle(long nowMs) {
        return mode == Mode.OPEN
                && !batchInFlight
                && !memory.state().live()
                && nowMs - lastUseAtMs >= settings.passivateAfterMs();
    }

    /**
     * Leaves the room in order: the batch in flight ends, then the snapshot is taken, then the lease released (LEASE-10).
     * Commands that wait are given back unbegun. Completes when the cell is gone; never fails.
     */
    Future<Void> leave() {
        assertOnLoop();
        if (mode == Mode.OPEN) {
            mode = Mode.LEAVING;
            if (!batchInFlight) {
                batchesOver.tryComplete();
            }
            batchesOver
                    .future()
                    .compose(over -> mode == Mode.GONE
                            ? Future.succeededFuture()
                            : snapshots.takeLast(memory.state(), memory.lastAtMs()))
                    .onComplete(taken -> releaseAndGo());
        }
        return gone.future();
    }

    private void releaseAndGo() {
        if (mode != Mode.GONE) {
            mode = Mode.RELEASED;
            lease.release().onComplete(released -> goAway());
        }
    }

    private void drop(Answer.Refused why) {
        if (mode != Mode.GONE) {
            log.info("room {} dropped: {}", key(), why.message());
            ports.cellMeter().dropped(MeteredAnswers.drop(why));
            goAway();
        }
    }

    private void goAway() {
        mode = Mode.GONE;
        lease.forget();
        batchesOver.tryComplete();
        host.gone(this, mailbox.takeAll());
        gone.tryComplete();
    }

    private void assertOnLoop() {
        if (!loop.isCurrent()) {
            throw new IllegalStateException("room " + key() + " touched by a foreign thread: "
                    + Thread.currentThread().getName());
        }
    }
}
