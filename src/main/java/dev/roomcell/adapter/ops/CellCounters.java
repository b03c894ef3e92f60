package dev.roomcell.adapter.ops;

import dev.roomcell.domain.RoomCommand;
import dev.roomcell.port.CellMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The figures of a node's rooms. Every meter is made at the start: whoever counts finds it by its enum. */
public final class CellCounters implements CellMeter {
    /** Bounds of the buckets of times, ms. */
    private static final long[] BUCKETS_MS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000};

    private final MeterRegistry registry;
    private final Map<RoomCommand.Kind, Map<Result, Counter>> answered;
    private final DistributionSummary mailboxDepth;
    private final Timer mailboxAge;
    private final Map<Transaction, Timer> transactions;
    private final DistributionSummary groupRooms;
    private final DistributionSummary batchCommands;
    private final Map<Load, Counter> loads;
    private final Counter retaken;
    private final Counter notRetaken;
    private final Map<Settled, Counter> settled;
    private final Map<Drop, Counter> drops;

    /** Meters in {@code registry}, at 0. */
    public CellCounters(MeterRegistry registry) {
        this.registry = registry;
        answered = each(
                RoomCommand.Kind.class,
                kind -> each(
                        Result.class,
                        result -> Counter.builder("room.commands")
                                .description("commands answered by their room's owner, the rooms' own too")
                                .tag("kind", tag(kind))
                                .tag("result", tag(result))
                                .register(registry)));
        mailboxDepth = summary("room.mailbox.depth", "commands that wait for a room when it takes a batch");
        mailboxAge = timer("room.mailbox.age", "for how long the first of them has waited")
                .register(registry);
        transactions = each(
                Transaction.class,
                outcome -> timer("room.commit", "how long the database takes for a transaction of many rooms")
                        .tag("outcome", tag(outcome))
                        .register(registry));
        groupRooms = summary("room.commit.group", "rooms of a transaction that was committed");
        batchCommands = summary("room.commit.batch", "commands of one room in it");
        loads = each(
                Load.class, result -> counter("room.loads", "loads of rooms, by what they came to", "result", result));
        retaken = retakes("ours");
        notRetaken = retakes("lost");
        settled = each(
                Settled.class,
                result -> counter(
                        "room.commit.settled",
                        "commits whose answer was lost, by what became of them",
                        "result",
                        result));
        drops = each(
                Drop.class,
                reason -> counter(
                        "room.drops", "loaded rooms dropped, as they are or may be another's", "reason", reason));
    }

    private static <E extends Enum<E>, M> Map<E, M> each(Class<E> type, Function<E, M> meter) {
        Map<E, M> meters = new EnumMap<>(type);
        for (E value : type.getEnumConstants()) {
            meters.put(value, meter.apply(value));
        }
        return meters;
    }

    private static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private Counter counter(String name, String description, String tag, Enum<?> value) {
        return Counter.builder(name)
                .description(description)
                .tag(tag, tag(value))
                .register(registry);
    }

    private Counter retakes(String result) {
        return Counter.builder("room.lease.retakes")
                .description("leases that Redis had lost, taken again")
                .tag("result", result)
                .register(registry);
    }

    private DistributionSummary summary(String name, String description) {
        return DistributionSummary.builder(name).description(description).register(registry);
    }

    private static Timer.Builder timer(String name, String description) {
        Duration[] buckets = new Duration[BUCKETS_MS.length];
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] = Duration.ofMillis(BUCKETS_MS[i]);
        }
        return Timer.builder(name).description(description).serviceLevelObjectives(buckets);
    }

    private static <E extends Enum<E>, M> M of(Map<E, M> meters, E value) {
        return Objects.requireNonNull(meters.get(value));
    }

    @Override
    public void answered(RoomCommand.Kind kind, Result result) {
        of(of(answered, kind), result).increment();
    }

    @Override
    public void taken(int waiting, long oldestMs) {
        mailboxDepth.record(waiting);
        mailboxAge.record(oldestMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void transactionEnded(Transaction outcome, int rooms, long ms) {
        of(transactions, outcome).record(ms, TimeUnit.MILLISECONDS);
        if (outcome == Transaction.COMMITTED) {
            groupRooms.record(rooms);
        }
    }

    @Override
    public void batchCommitted(int commands) {
        batchCommands.record(commands);
    }

    @Override
    public void loaded(Load result) {
        of(loads, result).increment();
    }

    @Override
    public void retaken(boolean ours) {
        (ours ? retaken : notRetaken).increment();
    }

    @Override
    public void settled(Settled result) {
        of(settled, result).increment();
    }

    @Override
    public void dropped(Drop reason) {
        of(drops, reason).increment();
    }
}
