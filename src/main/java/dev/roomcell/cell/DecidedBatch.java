package dev.roomcell.cell;

import dev.roomcell.domain.Decision;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Rockets;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.CommandStore.LoggedCommand;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomBatch.GiftCommit;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.TimerStore.RoomTimer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch decided against a working copy: what would be true, what would be answered. Nothing of it shows before the
 * commit; if that fails, it is dropped and leaves nothing behind.
 */
final class DecidedBatch {
    private static final Logger log = LoggerFactory.getLogger(DecidedBatch.class);

    private final RoomCodec codec;
    private final CellSettings settings;
    private final SideTaskPorts sideTasks;
    private final DedupeWindow window;
    private final long atMs;
    private final RoomState before;
    private RoomState working;
    private final List<PendingCommand> commands = new ArrayList<>();
    private final List<PendingCommand> accepted = new ArrayList<>();
    private final List<RoomBatch.LogRow> rows = new ArrayList<>();
    private final List<GiftCommit> gifts = new ArrayList<>();
    /** The side tasks that begin or end with it; of two for one timer, the later. */
    private final Map<RoomTimer, RoomBatch.TimerChange> tasks = new LinkedHashMap<>(0);

    private final List<Unlogged> unlogged = new ArrayList<>();
    private final List<PendingCommand> maybeLogged = new ArrayList<>();
    private final List<PendingCommand> knownLogged = new ArrayList<>();

    /**
     * A command that would write nothing: before it is answered, the log is asked whether it is a retry of one that
     * did (CMD-2).
     */
    record Unlogged(PendingCommand command, Answer answer, Optional<String> seenUserId) {}

    private DecidedBatch(
            RoomCodec codec,
            CellSettings settings,
            SideTaskPorts sideTasks,
            DedupeWindow window,
            RoomState state,
            long atMs) {
        this.codec = codec;
        this.settings = settings;
        this.sideTasks = sideTasks;
        this.window = window;
        this.before = state;
        this.working = state;
        this.atMs = atMs;
    }

    /** Decides {@code batch} in order, as if each command saw what those before it did. */
    static DecidedBatch decide(
            List<PendingCommand> batch,
            RoomState state,
            DedupeWindow window,
            RoomCodec codec,
            CellSettings settings,
            SideTaskPorts sideTasks,
            long atMs) {
        DecidedBatch decided = new DecidedBatch(codec, settings, sideTasks, window, state, atMs);
        Map<String, PendingCommand> firstOfId = new HashMap<>();
        for (PendingCommand command : batch) {
            PendingCommand first = firstOfId.putIfAbsent(command.commandId(), command);
            if (first != null) {
                first.joinedBy(command);
            } else {
                decided.commands.add(command);
                decided.sort(command);
            }
        }
        return decided;
    }

    private void sort(PendingCommand command) {
        if (command.logged() != null) {
            knownLogged.add(command);
        } else if (!command.isAbsentFromLog() && window.mayHold(command.commandId())) {
            maybeLogged.add(command);
        } else {
            decide(command);
        }
    }

    private void decide(PendingCommand command) {
        RoomCommand wish = command.request().command();
        Stamp stamp = new Stamp(working.version() + 1, atMs);
        try {
            Decision decision = RoomDecider.decide(seenBy(wish), wish, stamp, settings.policy());
            if (decision instanceof Decision.Accepted yes) {
                accept(command, yes, stamp);
            } else if (decision instanceof Decision.Unchanged unchanged) {
                byte[] result = codec.encodeResult(working.key(), unchanged.result());
                unlogged.add(new Unlogged(command, new Answer.Done(result, false), unchanged.seenUserId()));
            } else {
                Decision.Rejected no = (Decision.Rejected) decision;
                unlogged.add(new Unlogged(command, new Answer.Rejected(no.rejection()), Optional.empty()));
            }
        } catch (RuntimeException fault) {
            // A bug in one command is that command's alone: the working copy is still what it was before.
            log.error("room {}: {} {} failed", working.key(), wish.kind(), command.commandId(), fault);
            Answer internal = Answer.Refused.of(Answer.Refusal.INTERNAL, "the command could not be decided");
            unlogged.add(new Unlogged(command, internal, Optional.empty()));
        }
    }

    /**
     * The working copy as {@code wish} must see it: a sweep, or RTC's exit (MIC-4), has to know who asks for something in
     * this very batch (PRES-6), though it may turn out to be a replay, and then no sign of life.
     */
    private RoomState seenBy(RoomCommand wish) {
        RoomState room = working;
        if (wish.kind() == RoomCommand.Kind.SWEEP_STALE || wish.kind() == RoomCommand.Kind.REPORT_RTC) {
            for (Unlogged each : unlogged) {
                Optional<String> userId = each.seenUserId();
                room = userId.isPresent() ? Presence.seen(room, userId.get(), atMs) : room;
            }
        }
        return room;
    }

    private void accept(PendingCommand command, Decision.Accepted yes, Stamp stamp) {
        CommandRequest request = command.request();
        String actor = request.command().actorUserId();
        RoomState next = RoomDecider.evolve(working, yes.events(), stamp).checked();
        rows.add(new RoomBatch.LogRow(
                stamp.version(),
                request.commandId(),
                request.encoded().payloadHash(),
                request.command().kind().name(),
                actor,
                stamp.atMs(),
                request.encoded().bytes(),
                codec.encodeEvents(yes.events()),
                codec.encodeResult(next.key(), yes.result()),
                codec.encodeFacts(next.key(), stamp, request.commandId(), actor, yes.events())));
        if (yes.result() instanceof Gifts.GiftSent sent) {
            gifts.add(giftCommit(command.commandId(), sent));
        }
        yes.events()
                .forEach(event -> SideTasks.of(event, atMs, sideTasks)
                        .forEach(task -> tasks.put(new RoomTimer(next.key(), task.kind(), task.ref()), task)));
        accepted.add(command);
        working = next;
    }

    private static GiftCommit giftCommit(String commandId, Gifts.GiftSent sent) {
        if (sent.rewardPending()) {
            return new GiftCommit(commandId, GiftStore.Reward.DRAWING, 0);
        }
        return sent.rewardCoins() > 0
                ? new GiftCommit(commandId, GiftStore.Reward.DUE, sent.rewardCoins())
                : new GiftCommit(commandId, GiftStore.Reward.NONE, 0);
    }

    /** What the database found in the log already: the batch is to be decided again without them. */
    void foundInLog(Map<String, LoggedCommand> found) {
        for (PendingCommand command : accepted) {
            LoggedCommand logged = found.get(command.commandId());
            if (logged != null) {
                command.foundInLog(logged);
            }
        }
    }

    /** The commands of the batch in order, one an id; the others of an id wait for the first (CMD-3). */
    List<PendingCommand> commands() {
        return commands;
    }

    /** Whether the room is created or ends in it: then nothing is left of the timers that it had. */
    private boolean bearsOrEnds() {
        return before.version() == 0 || working.status() == Lifecycle.Status.CLOSED;
    }

    /** Whether the room's list line changes in the same commit (ROOM-8). */
    boolean writesListLine() {
        return bearsOrEnds() || !before.profile().equals(working.profile());
    }

    /** The timers that the room has after it and had not before, or the other way round (TIMER-1). */
    private List<RoomBatch.TimerChange> timerChanges() {
        if (working.status() == Lifecycle.Status.CLOSED) {
            // Whoever is in the RTC room or the IM group of a closed room leaves it with that.
            return tasks.values().stream()
                    .filter(task -> SideTasks.isForTheEnd(task.kind()))
                    .toList();
        }
        List<RoomBatch.TimerChange> changes = new ArrayList<>(2);
        OptionalLong micDeadlineMs = MicSeats.firstDeadlineMs(working);
        if (!micDeadlineMs.equals(MicSeats.firstDeadlineMs(before))) {
            changes.add(new RoomBatch.TimerChange(TimerStore.Kind.MIC_DEADLINE, micDeadlineMs));
        }
        if (!Rockets.ignitedId(working).equals(Rockets.ignitedId(before))) {
            changes.add(new RoomBatch.TimerChange(TimerStore.Kind.ROCKET_LAUNCH, Rockets.launchAtMs(working)));
        }
        boolean anybody = working.onlineCount() > 0;
        if (anybody != before.onlineCount() > 0) {
            changes.add(new RoomBatch.TimerChange(
                    TimerStore.Kind.STALE_SWEEP,
                    anybody ? OptionalLong.of(atMs + settings.staleAfterMs()) : OptionalLong.empty()));
        }
        // Last, as whoever gives timers back goes by their kinds, too: two that share rooms wait for each other in no
        // order.
        changes.addAll(tasks.values());
        return changes;
    }

    /** What is to be committed, under {@code lease}. */
    RoomBatch roomBatch(LeaseHold lease, String nodeId) {
        return new RoomBatch(
                before.key(),
                before.version(),
                lease.epoch(),
                nodeId,
                lease.confirmedToken(),
                rows,
                working.status(),
                working.live(),
                bearsOrEnds(),
                timerChanges(),
                gifts,
                writesListLine() ? Optional.of(RoomListWriter.lineOf(working)) : Optional.empty());
    }

    /** The room after the batch. */
    RoomState after() {
        return working;
    }

    /** The commands that make a version each, in order. */
    List<PendingCommand> accepted() {
        return accepted;
    }

    /** Their log rows, in the same order. */
    List<RoomBatch.LogRow> rows() {
        return rows;
    }

    /** The gifts among them. */
    List<GiftCommit> gifts() {
        return gifts;
    }

    /** The commands that write nothing. */
    List<Unlogged> unlogged() {
        return unlogged;
    }

    /** The commands that the dedupe window takes for retries: only the log can tell. */
    List<PendingCommand> maybeLogged() {
        return maybeLogged;
    }

    /** The commands that a first try of this batch found in the log. */
    List<PendingCommand> knownLogged() {
        return knownLogged;
    }

    /** The ids that the log must be asked for. */
    List<String> idsToAsk() {
        List<String> ids = new ArrayList<>(unlogged.size() + maybeLogged.size());
        unlogged.forEach(each -> ids.add(each.command().commandId()));
        maybeLogged.forEach(each -> ids.add(each.commandId()));
        return ids;
    }

    /** When the batch was taken, the owner's clock, epoch ms. */
    long atMs() {
        return atMs;
    }
}
