package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.ClaimPlan;
import dev.roomcell.port.ClaimPlan.Before;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.RoomBatch.Fact;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/** The delivery of a {@link MemoryDatabase}'s outbox. Every call takes effect at once. Not thread-safe. */
public final class MemoryOutbox implements OutboxStore {
    private final LongSupplier nowMs;
    /** Whether the facts of a room wait for each other. */
    private final boolean ordered;

    private final Map<RoomKey, NavigableMap<FactId, Row>> rooms = new TreeMap<>();
    /** What is not finished, by when it is due. */
    private final List<TreeSet<Row>> partitions = new ArrayList<>();

    private final TreeSet<Row> delivered = new TreeSet<>(BY_DUE);
    private final Map<Integer, Lease> leases = new HashMap<>();
    private final Map<String, Long> aliveUntilMs = new HashMap<>();

    private static final Comparator<Row> BY_DUE =
            Comparator.<Row>comparingLong(row -> row.dueMs).thenComparing(row -> row.id);

    /** Where a row is on its way. */
    public enum Status {
        PENDING,
        DELIVERING,
        RETRYABLE,
        DELIVERED,
        FAILED;

        boolean isFinished() {
            return this == DELIVERED || this == FAILED;
        }
    }

    /**
     * A row, as it is stored.
     *
     * @param status where it is on its way
     * @param dueMs as the column is
     * @param attempts as the column is
     * @param lastError as the column is
     */
    public record DeliveryFields(Status status, long dueMs, int attempts, String lastError) {}

    private record Lease(String workerId, long untilMs) {}

    private static final class Row {
        private final FactId id;
        private final Fact fact;
        private final int partition;
        private Status status = Status.PENDING;
        private long dueMs;
        private int attempts;
        private String claimToken = "";
        private String lastError = "";

        Row(FactId id, Fact fact, long dueMs) {
            this.id = id;
            this.fact = fact;
            this.partition = OutboxStore.partitionOf(id.key());
            this.dueMs = dueMs;
        }
    }

    MemoryOutbox(LongSupplier nowMs, boolean ordered) {
        this.nowMs = nowMs;
        this.ordered = ordered;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            partitions.add(new TreeSet<>(BY_DUE));
        }
    }

    /** A fact was committed. */
    void insert(FactId id, Fact fact) {
        Row row = new Row(id, fact, nowMs.getAsLong());
        rooms.computeIfAbsent(id.key(), first -> new TreeMap<>()).put(id, row);
        queue(row).add(row);
    }

    private NavigableSet<Row> queue(Row row) {
        return row.status == Status.DELIVERED ? delivered : partitions.get(row.partition);
    }

    /** Changes a row; it may have another place in the queues then. */
    private void change(Row row, Status status, long dueMs) {
        queue(row).remove(row);
        row.status = status;
        row.dueMs = dueMs;
        if (status != Status.FAILED) {
            queue(row).add(row);
        }
    }

    /** How far a room's rows are, by version and index; without those that were purged. */
    public Map<FactId, DeliveryFields> rows(RoomKey key) {
        Map<FactId, DeliveryFields> fields = new TreeMap<>();
        rooms.getOrDefault(key, new TreeMap<>())
                .forEach((id, row) ->
                        fields.put(id, new DeliveryFields(row.status, row.dueMs, row.attempts, row.lastError)));
        return fields;
    }

    @Override
    public Future<List<Integer>> lease(String workerId, long leaseMs) {
        long now = nowMs.getAsLong();
        aliveUntilMs.values().removeIf(untilMs -> untilMs <= now);
        aliveUntilMs.put(workerId, now + leaseMs);
        int share = (PARTITIONS + aliveUntilMs.size() - 1) / aliveUntilMs.size();
        List<Integer> kept = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            if (holder(partition).filter(workerId::equals).isPresent()) {
                if (kept.size() < share) {
                    kept.add(partition);
                } else {
                    leases.remove(partition);
                }
            }
        }
        for (int partition = 0; partition < PARTITIONS && kept.size() < share; partition++) {
            Lease lease = leases.get(partition);
            if (lease == null || (lease.untilMs <= now && !lease.workerId.equals(workerId))) {
                kept.add(partition);
            }
        }
        kept.sort(Integer::compare);
        kept.forEach(partition -> leases.put(partition, new Lease(workerId, now + leaseMs)));
        return Future.succeededFuture(kept);
    }

    private Optional<String> holder(int partition) {
        return Optional.ofNullable(leases.get(partition)).map(Lease::workerId);
    }

    @Override
    public Future<Void> release(String workerId) {
        leases.values().removeIf(lease -> lease.workerId.equals(workerId));
        aliveUntilMs.remove(workerId);
        return Future.succeededFuture();
    }

    private boolean isHeld(int partition, String workerId) {
        Lease lease = leases.get(partition);
        return lease != null && lease.workerId.equals(workerId) && lease.untilMs > nowMs.getAsLong();
    }

    private boolean isDue(int partition) {
        TreeSet<Row> queue = partitions.get(partition);
        return !queue.isEmpty() && queue.first().dueMs <= nowMs.getAsLong();
    }

    @Override
    public Future<Claim> claim(ClaimRequest request) {
        List<Integer> due = request.partitions().stream()
                .filter(partition -> isHeld(partition, request.workerId()) && isDue(partition))
                .toList();
        Map<FactId, Row> candidates = new HashMap<>();
        List<List<FactId>> dueRows = new ArrayList<>();
        for (int partition : due) {
            List<Row> rows = partitions.get(partition).stream()
                    .takeWhile(row -> row.dueMs <= nowMs.getAsLong())
                    .toList();
            rows.forEach(row -> candidates.put(row.id, row));
            dueRows.add(rows.stream().map(row -> row.id).toList());
        }
        List<FactId> looked = ClaimPlan.candidates(dueRows, request.limit());
        ClaimPlan plan = ClaimPlan.of(looked, before(looked), request.limit());
        plan.postponed()
                .forEach((dueMs, rows) -> rows.forEach(id -> {
                    Row row = Objects.requireNonNull(candidates.get(id));
                    change(row, row.status, dueMs);
                }));
        List<Claimed> taken = plan.taken().stream()
                .map(id -> take(Objects.requireNonNull(candidates.get(id)), request))
                .toList();
        return Future.succeededFuture(new Claim(taken, plan.isShort() || looked.size() < candidates.size()));
    }

    private Claimed take(Row row, ClaimRequest request) {
        change(row, Status.DELIVERING, nowMs.getAsLong() + request.claimMs());
        row.claimToken = request.claimToken();
        return new Claimed(row.id, row.fact.type(), row.fact.envelope().clone(), row.attempts);
    }

    private Map<FactId, Before> before(List<FactId> ids) {
        Map<FactId, Before> before = new HashMap<>();
        for (FactId id : ids) {
            Map.Entry<FactId, Row> inFront =
                    rooms.getOrDefault(id.key(), new TreeMap<>()).lowerEntry(id);
            if (inFront != null && ordered) {
                Row row = inFront.getValue();
                before.put(id, new Before(row.id, row.status.isFinished(), row.dueMs));
            }
        }
        return before;
    }

    @Override
    public Future<Integer> finish(String claimToken, List<Finish> finishes) {
        int changed = 0;
        for (Finish finish : finishes) {
            Row row = rooms.getOrDefault(finish.id().key(), new TreeMap<>()).get(finish.id());
            if (row != null && row.status == Status.DELIVERING && row.claimToken.equals(claimToken)) {
                finish(row, finish);
                changed++;
            }
        }
        return Future.succeededFuture(changed);
    }

    private void finish(Row row, Finish finish) {
        if (!finish.error().isEmpty()) {
            row.lastError = finish.error().substring(0, Math.min(finish.error().length(), ERROR_CHARS));
        }
        long now = nowMs.getAsLong();
        switch (finish.end()) {
            case DELIVERED -> change(row, Status.DELIVERED, now);
            case RETRY -> {
                row.attempts++;
                change(row, Status.RETRYABLE, now + finish.delayMs());
            }
            case PUT_BACK -> change(row, Status.RETRYABLE, now + finish.delayMs());
            case PARKED -> {
                row.attempts++;
                change(row, Status.FAILED, now);
            }
        }
    }

    @Override
    public Future<Integer> purge(long keptMs, int limit) {
        int purged = 0;
        while (purged < limit && !delivered.isEmpty() && delivered.first().dueMs <= nowMs.getAsLong() - keptMs) {
            Row old = delivered.pollFirst();
            rooms.getOrDefault(old.id.key(), new TreeMap<>()).remove(old.id);
            purged++;
        }
        return Future.succeededFuture(purged);
    }

    @Override
    public Future<Backlog> backlog(List<Integer> wanted) {
        long rows = 0;
        long overdueMs = 0;
        for (int partition : wanted) {
            rows += partitions.get(partition).size();
            if (isDue(partition)) {
                overdueMs = Math.max(
                        overdueMs, nowMs.getAsLong() - partitions.get(partition).first().dueMs);
            }
        }
        return Future.succeededFuture(new Backlog(Math.min(rows, Backlog.MOST_ROWS), overdueMs));
    }
}
