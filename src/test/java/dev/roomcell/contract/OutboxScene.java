package dev.roomcell.contract;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.OutboxStore.Claim;
import dev.roomcell.port.OutboxStore.ClaimRequest;
import dev.roomcell.port.OutboxStore.Claimed;
import dev.roomcell.port.OutboxStore.End;
import dev.roomcell.port.OutboxStore.FactId;
import dev.roomcell.port.OutboxStore.Finish;
import dev.roomcell.sim.MemoryOutbox.DeliveryFields;
import dev.roomcell.testkit.Await;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;

/** Two nodes at one outbox; a worker of the first holds all its partitions. */
abstract class OutboxScene {
    static final long LEASE_MS = 100_000;
    static final long CLAIM_MS = 30_000;
    static final int MANY = 100;
    static final RoomKey ROOM = new RoomKey("app", "a");

    OutboxStore store;
    OutboxStore otherNode;
    List<Integer> held = List.of();

    abstract Database database();

    @BeforeEach
    void takeStores() {
        store = database().node().outbox();
        otherNode = database().otherNode().outbox();
        held = Await.result(store.lease("w1", LEASE_MS));
    }

    /** Commits one fact a version, from the room's version on. */
    List<FactId> facts(RoomKey key, int versions) {
        if (database().room(key).isEmpty()) {
            Await.result(database().node().commands().insertCreating(key, 1));
        }
        long before = database().room(key).orElseThrow().version();
        Batch batch = Batch.of(key, before, 1);
        for (long version = before + 1; version <= before + versions; version++) {
            batch.row(Batch.row(version, "c-" + version));
        }
        Await.result(database().node().commands().commit(List.of(batch.done()), true));
        return LongStream.rangeClosed(before + 1, before + versions)
                .mapToObj(version -> new FactId(key, version, 0))
                .toList();
    }

    Claim claim(OutboxStore from, String workerId, String token, int limit) {
        return Await.result(from.claim(new ClaimRequest(workerId, token, held, limit, CLAIM_MS, false)));
    }

    List<FactId> claim(String token, int limit) {
        return ids(claim(store, "w1", token, limit));
    }

    static List<FactId> ids(Claim claim) {
        return claim.rows().stream().map(Claimed::id).toList();
    }

    int finish(String token, End end, long delayMs, String error, FactId... facts) {
        return Await.result(store.finish(
                token,
                Arrays.stream(facts)
                        .map(id -> new Finish(id, end, delayMs, error))
                        .toList()));
    }

    int delivered(String token, FactId... facts) {
        return finish(token, End.DELIVERED, 0, "", facts);
    }

    DeliveryFields row(FactId id) {
        return Objects.requireNonNull(database().deliveries(id.key()).get(id), id.toString());
    }
}
