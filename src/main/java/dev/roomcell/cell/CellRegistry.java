package dev.roomcell.cell;

import dev.roomcell.cell.CellRecovery.Loaded;
import dev.roomcell.cell.RoomOpener.Opened;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.TimerStore.RoomTimer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one loop: brings commands and questions to them, makes new rooms, and lets rooms go that nobody needs. What is
 * behind a room id that has no cell here is {@link RoomOpener}'s to find.
 */
final class CellRegistry implements RoomCell.Host, TimerPolicies.Rooms, RoomOpener.Shelf {
    /** Rooms that nobody needs are looked for so often, ms. */
    private static final long SWEEP_MS = 5_000;
    /** The pause before the closing of a half closed room is tried again, ms. */
    private static final long HEAL_AGAIN_MS = 1_000;
    /** At most so many rooms are let go in one sweep; the rest follows with the next. */
    private static final int LEAVE_AT_ONCE = 256;

    private final CellLoop loop;
    private final CellPorts ports;
    private final CellSettings settings;
    private final GroupCommit commits;
    private final LeaseKeeper keeper;
    private final CellRecovery recovery;
    private final TimerPolicies timers;
    private final RoomEffects effects;
    private final Deadlines deadlines;
    private final Map<RoomKey, RoomCell> cells = new HashMap<>();
    private final RoomOpener opener;
    private final Wakefulness wakefulness;
    private CellLoop.Cancellable nextSweep;
    private final RoomDrain drain = new RoomDrain();

    CellRegistry(CellLoop loop, CellPorts ports, CellSettings settings) {
        this.loop = loop;
        this.ports = ports;
        this.settings = settings;
        this.commits = new GroupCommit(loop, ports, settings);
        this.keeper = new LeaseKeeper(loop, ports, settings);
        this.recovery = new CellRecovery(loop, ports, settings);
        this.effects = new RoomEffects(
                loop, ports, settings, this, key -> timer(new RoomTimer(key, TimerStore.Kind.ROCKET_LAUNCH)));
        this.timers =
                new TimerPolicies(loop, this, ports, settings, effects.mics().seatless());
        this.opener = new RoomOpener(loop, ports, settings, recovery, this);
        this.deadlines = new Deadlines(loop, ports.clock());
        this.wakefulness = new Wakefulness(loop, ports.clock());
        this.nextSweep = loop.schedule(SWEEP_MS, this::sweep);
    }

    /** Rooms loaded or being loaded. */
    int size() {
        return cells.size() + opener.opening().size();
    }

    /** The rooms that are loaded or being loaded, in order. */
    List<RoomKey> rooms() {
        return Stream.concat(cells.keySet().stream(), opener.opening().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Those of the rooms that are neither loaded nor being loaded. */
    List<RoomKey> missing(List<RoomKey> keys) {
        return keys.stream()
                .filter(key -> !cells.containsKey(key) && !opener.opening().contains(key))
                .toList();
    }

    /** Whether the room is loaded, and would refuse a command at the moment. */
    boolean isFull(RoomKey key) {
        RoomCell cell = cells.get(key);
        return cell != null && cell.isFull();
    }

    /**
     * Completes when nobody is shown the room any more as it was before what MySQL holds now: to be waited for before anybody
     * is told what was read there. With a refusal if this node can't say, as the room may be another's. Never fails.
     */
    Future<Optional<Answer.Refused>> caughtUp(RoomKey key) {
        return readOpen(key).compose(answer -> {
            if (answer instanceof ReadAnswer.Refused refused) {
                return Future.succeededFuture(Optional.of(refused.refused()));
            }
            RoomCell cell = cells.get(key);
            Future<Void> known = cell == null ? Future.succeededFuture() : cell.caughtUp();
            return known.map(Optional.<Answer.Refused>empty());
        });
    }

    /** Deals with a command, here if the room is ours or can be. */
    @Override
    public Future<Answer> submit(CommandRequest request) {
        PendingCommand command = new PendingCommand(request, ports.cellMeter());
        deadlines.watch(command);
        route(command);
        return command.answered();
    }

    private void route(PendingCommand command) {
        opener.open(command.request().key(), opened -> deliver(command, opened));
    }

    private void deliver(PendingCommand command, Opened opened) {
        if (command.isAnswered()) {
            command.unanswered().forEach(this::route);
            return;
        }
        boolean creates = command.request().command().kind() == RoomCommand.Kind.CREATE_ROOM;
        if (opened instanceof Opened.Live live) {
            if (creates && live.cell().status() == Lifecycle.Status.CREATING) {
                prepareAndSubmit(command, live.cell());
            } else {
                live.cell().submit(command);
            }
        } else if (opened instanceof Opened.Closed) {
            answerClosed(command);
        } else if (opened instanceof Opened.NotNow notNow) {
            command.answer(notNow.refused());
        } else if (creates) {
            insertAndRoute(command);
        } else {
            command.answer(new Answer.Rejected(Lifecycle.roomNotFound()));
        }
    }

    /** The row first: its primary key decides between nodes that create the same room (ROOM-7). */
    private void insertAndRoute(PendingCommand command) {
        long failsAtMs = ports.clock().nowMs() + settings.createLimitMs();
        loop.reenter(ports.commands().insertCreating(command.request().key(), failsAtMs))
                .onSuccess(inserted -> route(command))
                .onFailure(failure -> command.answer(RoomOpener.unavailable("the room was not created yet", failure)));
    }

    private void prepareAndSubmit(PendingCommand command, RoomCell cell) {
        loop.reenter(ports.externals().prepare(cell.key()))
                .onSuccess(prepared -> reroute(command, cell))
                .onFailure(failure ->
                        command.answer(RoomOpener.unavailable("the IM group or RTC room was not made", failure)));
    }

    /** While the outside parts were made, the cell may have gone. */
    private void reroute(PendingCommand command, RoomCell cell) {
        if (cells.get(cell.key()) == cell) {
            cell.submit(command);
        } else {
            route(command);
        }
    }

    /** CMD-7: a closed room answers what it answered, and nothing new. */
    private void answerClosed(PendingCommand command) {
        CommandRequest request = command.request();
        Answer closed = new Answer.Rejected(Lifecycle.roomClosed());
        if (request.command().kind() == RoomCommand.Kind.JOIN_ROOM) {
            command.answer(closed);
            return;
        }
        loop.reenter(ports.commands().findCommands(request.key(), List.of(request.commandId())))
                .onSuccess(found -> command.answer(Optional.ofNullable(found.get(request.commandId()))
                        .map(logged -> BatchAnswers.replayed(request, logged.payloadHash(), logged.result()))
                        .orElse(closed)))
                .onFailure(failure -> command.answer(RoomOpener.unavailable("the closed room was not read", failure)));
    }

    /** Deals with what RTC reports, and with what follows from it outside the room (MIC-10). */
    Future<Answer> report(CommandRequest request) {
        RtcReports.ReportRtc report = (RtcReports.ReportRtc) request.command();
        return submit(request)
                .compose(answer -> answer instanceof Answer.Done done && !done.replayed()
                        ? effects.mics()
                                .reported(request.key(), report, ports.codec().decodeRtcOutcome(done.result()))
                                .map(answer)
                                .otherwise(failure ->
                                        RoomOpener.unavailable("the user was not removed from RTC yet", failure))
                        : Future.succeededFuture(answer));
    }

    /** A sign of life: present users only, and no version is made by it (PRES-2, PRES-7). */
    Future<ReadAnswer> heartbeat(RoomKey key, String userId, MicSign sign) {
        return readOpen(key).map(answer -> {
            RoomCell cell = cells.get(key);
            if (cell != null && answer instanceof ReadAnswer.Found found) {
                if (found.state().member(userId).isPresent()) {
                    cell.seen(userId);
                }
                effects.mics().heartbeat(found.state(), userId, sign);
            }
            return answer;
        });
    }

    /** The room as its owner sees it; a closed one as it was left. */
    @Override
    public Future<ReadAnswer> read(RoomKey key) {
        return read(key, () -> readClosed(key));
    }

    /** The same, but a closed room is refused, and not brought back from the database to be refused then (ROOM-3). */
    Future<ReadAnswer> readOpen(RoomKey key) {
        return read(key, () -> Future.succeededFuture(new ReadAnswer.Rejected(Lifecycle.roomClosed())));
    }

    private Future<ReadAnswer> read(RoomKey key, Supplier<Future<ReadAnswer>> closed) {
        Promise<ReadAnswer> answer = Promise.promise();
        opener.open(
                key,
                opened -> Future.<Void>succeededFuture()
                        .compose(begun -> opened instanceof Opened.Closed ? closed.get() : readOpened(opened))
                        .otherwise(
                                fault -> new ReadAnswer.Refused(RoomOpener.unavailable("the room was not read", fault)))
                        .onComplete(answer));
        return answer.future();
    }

    private Future<ReadAnswer> readClosed(RoomKey key) {
        return recovery.readClosed(key)
                .<ReadAnswer>map(ReadAnswer.Found::new)
                .otherwise(failure ->
                        new ReadAnswer.Refused(RoomOpener.unavailable("the closed room was not read", failure)));
    }

    private static Future<ReadAnswer> readOpened(Opened opened) {
        if (opened instanceof Opened.Live live) {
            return live.cell().read().map(CellRegistry::seenByClients);
        }
        return Future.succeededFuture(
                opened instanceof Opened.NotNow notNow
                        ? new ReadAnswer.Refused(notNow.refused())
                        : new ReadAnswer.Rejected(Lifecycle.roomNotFound()));
    }

    private static ReadAnswer seenByClients(Optional<RoomState> state) {
        if (state.isEmpty()) {
            return new ReadAnswer.Refused(
                    Answer.Refused.of(Answer.Refusal.LEASE_LOST, "the room may have another owner; try again"));
        }
        // ROOM-1: a room that is being created is not there yet.
        return state.get().status() == Lifecycle.Status.CREATING
                ? new ReadAnswer.Rejected(new Rejection(Rejection.Reason.ROOM_NOT_FOUND, "there is no such room"))
                : new ReadAnswer.Found(state.get());
    }

    @Override
    public @Nullable RoomCell cell(RoomKey key) {
        return cells.get(key);
    }

    @Override
    public int loadedRooms() {
        return cells.size();
    }

    @Override
    public boolean isDraining() {
        return drain.isOn();
    }

    @Override
    public RoomCell place(Loaded.Owned owned) {
        RoomCell cell =
                new RoomCell(loop, ports, settings, commits, keeper, recovery, this, owned.lease(), owned.replayed());
        cells.put(cell.key(), cell);
        effects.loaded(owned.replayed().state());
        finishClosing(cell);
        return cell;
    }

    /** A room found half closed is closed by its owner, however often that must be tried (ROOM-5). */
    private void finishClosing(RoomCell cell) {
        if (cells.get(cell.key()) == cell && cell.status() == Lifecycle.Status.CLOSING) {
            heal(cell.key()).onSuccess(answer -> loop.schedule(HEAL_AGAIN_MS, () -> finishClosing(cell)));
        }
    }

    /** Ends what a crash left half done: the same cause has the same id on every node (CMD-5, ROOM-5). */
    @Override
    public Future<Answer> heal(RoomKey key) {
        RoomCommand heal = new Lifecycle.HealRoom();
        long deadlineMs = ports.clock().monotonicMs() + settings.leaseTtlMs();
        return submit(new CommandRequest(key, "~heal", heal, ports.codec().encodeCommand(key, heal), deadlineMs));
    }

    /** Acts on a timer that is due; never fails. */
    Future<TimerOutcome> timer(RoomTimer timer) {
        return timers.act(timer);
    }

    @Override
    public void gone(RoomCell cell, List<PendingCommand> unbegun) {
        if (cells.remove(cell.key(), cell)) {
            effects.gone(cell.key());
        }
        unbegun.forEach(this::routeEach);
    }

    /** Whoever waited for a command of the same id (CMD-3) is dealt with anew too: the batch they shared is no more. */
    private void routeEach(PendingCommand command) {
        List<PendingCommand> sameId = command.takeSameId();
        route(command);
        sameId.forEach(this::routeEach);
    }

    @Override
    public void committed(RoomState before, RoomState after, List<LogRow> rows, boolean lineWritten) {
        effects.committed(before, after, rows, lineWritten);
    }

    /** How long signs of life from the room have been heard without a break, ms: nobody can be silent for longer (PRES-7). */
    @Override
    public long heardForMs(RoomKey key) {
        RoomCell cell = cells.get(key);
        long nowMs = ports.clock().monotonicMs();
        return cell == null ? 0 : nowMs - Math.max(cell.heardSinceMs(), wakefulness.awakeSinceMs());
    }

    private void sweep() {
        long nowMs = ports.clock().monotonicMs();
        cells.values().stream()
                .filter(cell -> cell.isIdle(nowMs))
                .limit(LEAVE_AT_ONCE)
                .toList()
                .forEach(RoomCell::leave);
        nextSweep = loop.schedule(SWEEP_MS, this::sweep);
    }

    /** Lets a room go in order, as for a hand-over; true if it was loaded. Whoever asks for it next loads it. */
    Future<Boolean> release(RoomKey key) {
        RoomCell cell = cells.get(key);
        return cell == null ? Future.succeededFuture(false) : cell.leave().map(true);
    }

    /** Lets every room go in order and takes no new one; commands that wait are told so (LEASE-10). Never fails. */
    Future<Void> drain() {
        List<Future<Void>> givenUp = new ArrayList<>();
        if (!drain.isOn()) {
            givenUp.addAll(opener.allOpened());
        }
        return drain.begin(cells.values(), givenUp).transform(left -> effects.flush());
    }

    /** Takes rooms again. */
    void undrain() {
        drain.callOff();
    }

    /** Drains for good: nothing is left that would run later. Never fails. */
    Future<Void> shutDown() {
        nextSweep.cancel();
        wakefulness.stop();
        return drain().onComplete(drained -> keeper.stop()).transform(stopped -> effects.shutDown());
    }
}
