package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The outbox's way to the streams, with a node that is well. */
final class OutboxIT {
    private static final String APP = "facts";
    private static final Map<String, String> DELIVERING = Map.of("ROOM_OUTBOX_WORKERS", "2");
    private static final List<RoomKey> ROOMS =
            IntStream.range(0, 20).mapToObj(i -> new RoomKey(APP, "room-" + i)).toList();

    private Vertx vertx;
    private Backends backends;
    private RoomNode node;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        node = backends.startNode("out", DELIVERING);
    }

    @AfterEach
    void stop() {
        Await.result(node.stop());
        Await.result(vertx.close());
    }

    @Test
    @Tag("OUT-3")
    @Tag("OUT-5")
    @Tag("OUT-6")
    @Tag("OUT-8")
    void everyFactArrivesOnceInTheOrderOfItsRoom() {
        try (OutboxRows rows = new OutboxRows(backends);
                FactStream stream = new FactStream(vertx, backends, APP)) {
            rows.insert(ROOMS, 1, 50);
            Await.until("all is delivered", rows::allFinished);

            List<FactStream.Entry> entries = stream.entries();
            assertThat(entries).hasSize(50 * ROOMS.size());
            for (RoomKey room : ROOMS) {
                List<FactStream.Entry> ofRoom = entries.stream()
                        .filter(entry -> entry.room().equals(room))
                        .toList();
                assertThat(ofRoom).hasSize(50);
                for (int i = 0; i < ofRoom.size(); i++) {
                    assertThat(ofRoom.get(i))
                            .isEqualTo(new FactStream.Entry(
                                    room.roomId() + ":" + (i + 1) + ":0",
                                    room,
                                    i + 1,
                                    "RoomUserJoined",
                                    OutboxRows.envelope(room, i + 1)));
                }
            }
            assertThat(rows.byStatus()).isEqualTo(Map.of("delivered", 50L * ROOMS.size()));
        }
    }

    @Test
    void whoStopsInOrderLeavesNoPartitionBehind() {
        try (OutboxRows rows = new OutboxRows(backends)) {
            String held = "SELECT partition_no FROM room_outbox_partitions WHERE worker_id <> ''";
            String shares = "SELECT worker_id, COUNT(*) FROM room_outbox_partitions GROUP BY worker_id";
            Await.until("two workers have a half each", () -> {
                List<List<String>> share = rows.rows(shares);
                return share.size() == 2
                        && share.stream().allMatch(one -> one.get(1).equals("32"));
            });
            Await.result(node.stop());
            assertThat(rows.rows(held)).isEmpty();
            assertThat(rows.rows("SELECT worker_id FROM room_outbox_workers")).isEmpty();
        } finally {
            node = backends.startNode("again", DELIVERING);
        }
    }
}
