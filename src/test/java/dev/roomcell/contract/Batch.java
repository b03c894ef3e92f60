package dev.roomcell.contract;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomBatch.LogRow;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.port.TimerStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;

/** Builds the batches of these suites; every value of a row can be told from every other's. */
final class Batch {
    static final String NODE = "node-a";
    static final String TOKEN = "token-a";

    private final RoomKey key;
    private final long expectedVersion;
    private final long epoch;
    private final List<LogRow> rows = new ArrayList<>();
    private Lifecycle.Status statusAfter = Lifecycle.Status.ACTIVE;
    private boolean liveAfter = true;
    private boolean clearTimers;
    private final List<RoomBatch.TimerChange> timers = new ArrayList<>();
    private final List<RoomBatch.GiftCommit> gifts = new ArrayList<>();
    private Optional<ListEntry> listEntry = Optional.empty();

    private Batch(RoomKey key, long expectedVersion, long epoch) {
        this.key = key;
        this.expectedVersion = expectedVersion;
        this.epoch = epoch;
    }

    static Batch of(RoomKey key, long expectedVersion, long epoch) {
        return new Batch(key, expectedVersion, epoch);
    }

    /** One command a version, each with one fact. */
    Batch commands(String... commandIds) {
        for (String id : commandIds) {
            row(row(expectedVersion + rows.size() + 1, id));
        }
        return this;
    }

    Batch row(LogRow row) {
        rows.add(row);
        return this;
    }

    /** It gives this gift. */
    Batch gift(String commandId, GiftStore.Reward reward, long rewardCoins) {
        gifts.add(new RoomBatch.GiftCommit(commandId, reward, rewardCoins));
        return commands(commandId);
    }

    Batch closing() {
        statusAfter = Lifecycle.Status.CLOSED;
        liveAfter = false;
        clearTimers = true;
        return this;
    }

    /** From then on the room needs no owner. */
    Batch idle() {
        liveAfter = false;
        return this;
    }

    Batch clearingTimers() {
        clearTimers = true;
        return this;
    }

    /** From then on the room has that timer. */
    Batch timer(TimerStore.Kind kind, long dueMs) {
        return timer(kind, "", dueMs);
    }

    Batch timer(TimerStore.Kind kind, String ref, long dueMs) {
        timers.add(new RoomBatch.TimerChange(kind, ref, OptionalLong.of(dueMs)));
        return this;
    }

    /** From then on the room has that timer no more. */
    Batch noTimer(TimerStore.Kind kind) {
        timers.add(new RoomBatch.TimerChange(kind, OptionalLong.empty()));
        return this;
    }

    Batch listed(String title) {
        listEntry = Optional.of(new ListEntry(
                key, expectedVersion + rows.size(), statusAfter, title, "eu", Math.toIntExact(expectedVersion), 3));
        return this;
    }

    RoomBatch done() {
        return new RoomBatch(
                key,
                expectedVersion,
                epoch,
                NODE,
                TOKEN,
                List.copyOf(rows),
                statusAfter,
                liveAfter,
                clearTimers,
                List.copyOf(timers),
                List.copyOf(gifts),
                listEntry);
    }

    static LogRow row(long version, String commandId) {
        return row(version, commandId, "user-1", List.of(fact(0, commandId)));
    }

    static LogRow row(long version, String commandId, String actorUserId, List<Fact> facts) {
        return new LogRow(
                version,
                commandId,
                payloadHash(commandId),
                "JOIN_ROOM",
                actorUserId,
                atMs(version),
                bytes("command " + commandId),
                bytes("the events of " + commandId),
                bytes("result " + commandId),
                facts);
    }

    static Fact fact(int index, String commandId) {
        return new Fact(index, "RoomUserJoined", true, bytes("fact " + index + " of " + commandId));
    }

    /** When a version was stamped: 10 ms after the one before it. */
    static long atMs(long version) {
        return 1_700_000_000_000L + 10 * version;
    }

    /** 16 bytes. */
    static byte[] payloadHash(String commandId) {
        return bytes(UUID.nameUUIDFromBytes(bytes(commandId))
                .toString()
                .replace("-", "")
                .substring(16));
    }

    /** Every value of a row, as text that is equal when they all are. */
    static String text(LogRow row) {
        StringBuilder text = new StringBuilder()
                .append(row.version())
                .append(' ')
                .append(row.commandId())
                .append(' ')
                .append(row.kind())
                .append(' ')
                .append(row.actorUserId())
                .append(' ')
                .append(row.atMs());
        Stream.of(row.payloadHash(), row.command(), row.events(), row.result())
                .forEach(bytes -> text.append(' ').append(HexFormat.of().formatHex(bytes)));
        row.facts()
                .forEach(fact -> text.append(' ')
                        .append(fact.index())
                        .append(' ')
                        .append(fact.type())
                        .append(' ')
                        .append(HexFormat.of().formatHex(fact.envelope())));
        return text.toString();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
