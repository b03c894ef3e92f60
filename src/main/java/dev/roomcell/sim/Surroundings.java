package dev.roomcell.sim;

import dev.roomcell.check.Violation;
import dev.roomcell.port.Wallet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What all nodes of a simulated cluster share: time, chance, the servers and what is in them. Not thread-safe. */
final class Surroundings {
    /** How long a statement waits for a row's lock, ms (LEASE-15). */
    private static final long LOCK_WAIT_MS = 1_000;
    /** Violations of one simulation that are worth to be told. */
    private static final int MOST_VIOLATIONS = 20;
    /** When simulated time begins, database time, epoch ms. */
    static final long BEGIN_MS = 1_700_000_000_000L;

    final Dice dice;
    final SteppedTime time;
    final EventTrace trace;
    final MemoryDatabase database;
    final MemoryRedis redis;
    final RoomClients clients = new RoomClients(this);
    final SimulatedServer mysqlServer = new SimulatedServer("mysql");
    final SimulatedServer redisServer = new SimulatedServer("redis");
    final SimulatedServer streamServer = new SimulatedServer("streams");
    final SimulatedServer walletServer = new SimulatedServer("wallet");
    final SimulatedServer lotteryServer = new SimulatedServer("lottery");
    final MemoryStreams streams = new MemoryStreams();
    final MemoryWallet wallet = new MemoryWallet();
    /** The wallet as the nodes find it. */
    final Wallet bank;

    final MemoryLottery lottery = new MemoryLottery();
    final MemoryRtc rtc = new MemoryRtc();
    final MemoryGiftCatalog catalog = new MemoryGiftCatalog();
    final MemoryRocketCatalog rockets = new MemoryRocketCatalog();
    final GiftWatch gifts = new GiftWatch(this);

    /** What happens to the next node that makes a certain call, right after it has sent it. */
    Optional<Trap> trap = Optional.empty();
    /** Of a hundred group commits so many meet a deadlock (1213). */
    int deadlockPercent;
    /** Of a hundred group commits so many have a statement that fails for good. */
    int badStatementPercent;
    /** Of a hundred COMMITs so many are done and never answered (LEASE-12). */
    int lostCommitPercent;
    /** Of a hundred answers to clients so many are lost. */
    int lostAnswerPercent;
    /** Of a hundred facts so many are refused for what they are. */
    int refusedFactPercent;
    /** Of a hundred batches of facts so many arrive, and nobody is told. */
    int lostArrivalPercent;
    /** Of a hundred calls of the wallet so many are lost, or their answers, or come late. */
    int walletTroublePercent;
    /** Of a hundred gifts the wallet refuses so many to pay back or reward, until somebody has repaired it. */
    int refusedGiftPercent;
    /** Whether no IM group and no RTC room can be made. */
    boolean externalsDown;

    /**
     * A trap for a node.
     *
     * @param call which call springs it
     * @param snap what then happens to the node
     */
    record Trap(Call call, Consumer<SimulatedNode> snap) {}

    private final List<Violation> violations = new ArrayList<>();
    private final List<MemoryTransaction> open = new ArrayList<>();

    Surroundings(long seed, boolean traced, Flaw flaw) {
        this.dice = new Dice(seed);
        this.time = new SteppedTime(dice::below);
        this.trace = new EventTrace(time::nowMs, traced);
        this.database =
                new MemoryDatabase(giveUp -> time.later(LOCK_WAIT_MS, giveUp), flaw.guards(), this::databaseNowMs);
        this.redis = new MemoryRedis(time::nowMs);
        this.bank = flaw.in(wallet);
        streams.refuse(fact -> dice.percent(refusedFactPercent));
    }

    /** Database time, epoch ms. */
    long databaseNowMs() {
        return BEGIN_MS + time.nowMs();
    }

    /** Something is wrong; the first {@value #MOST_VIOLATIONS} are kept. */
    void found(Violation violation) {
        if (violations.size() < MOST_VIOLATIONS) {
            trace.note("VIOLATION " + violation);
            violations.add(violation);
        }
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }

    /** {@code node} has sent {@code call}, and waits for its answer. */
    void sent(SimulatedNode node, Call call) {
        Optional<Trap> sprung = trap.filter(set -> set.call == call);
        if (sprung.isPresent()) {
            trap = Optional.empty();
            trace.note("== sprung: " + node + " at " + call);
            sprung.get().snap.accept(node);
        }
    }

    /** A transaction that the server will roll back when it stops. */
    void begun(MemoryTransaction transaction) {
        open.removeIf(other -> !other.isOpen());
        open.add(transaction);
    }

    /** MySQL is killed: what is not committed is gone, and who waits for an answer gets none. */
    void killMysql() {
        mysqlServer.stop();
        open.forEach(MemoryTransaction::rollback);
        open.clear();
    }
}
