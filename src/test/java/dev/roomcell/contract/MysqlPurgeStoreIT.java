package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.PurgeStore.Proof;
import dev.roomcell.sim.MemoryDatabase.HeldRow;
import dev.roomcell.testkit.Await;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MysqlPurgeStoreIT extends PurgeStoreContract {
    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final Proof PROOF = new Proof(List.of(6L, 4L));

    @RegisterExtension
    static final MysqlBackend DATABASE = new MysqlBackend();

    @Override
    Database database() {
        return DATABASE;
    }

    private static void commits(RoomKey key, long after) {
        Batch batch = Batch.of(key, after, 1).commands("later-1", "later-2");
        assertThat(Await.result(DATABASE.node().commands().commit(List.of(batch.done()), true)))
                .isEqualTo(new GroupOutcome.Committed(List.of(Verdict.APPENDED)));
    }

    /** LEASE-15, B83: a purge that is never ended, and the room whose rows it deletes goes on, and so does the one behind. */
    @Test
    @Tag("LEASE-15")
    void noCommitWaitsForAPurge() {
        RoomKey behind = new RoomKey("app", "room-2");
        for (RoomKey key : List.of(ROOM, behind)) {
            versions(key, 9, 9, 9, 9, 9, 9);
            snapshots(key, 4, 6);
        }
        String delete =
                "DELETE FROM room_command_log WHERE app_code = ? AND room_id = ? AND version >= ? AND version <= ?";
        HeldRow purge = DATABASE.tables().holdDeleted(delete, ROOM, 1L, 4L);
        try {
            commits(ROOM, 6);
            commits(behind, 6);
            snapshots(ROOM, 7);
            assertThat(DATABASE.log(ROOM)).hasSize(8);
        } finally {
            purge.close();
        }
    }

    /** LEASE-15: a commit that is under way has the room's row locked; the purge takes no notice. */
    @Test
    @Tag("LEASE-15")
    void aPurgeWaitsForNoCommit() {
        versions(ROOM, 9, 9, 9, 9, 9, 9);
        snapshots(ROOM, 4, 6);
        HeldRow commit = DATABASE.tables().holdRow(ROOM);
        try {
            assertThat(Await.result(DATABASE.node().purge().purgeLog(ROOM, PROOF, KEPT_MS, 100)))
                    .isEqualTo(4);
        } finally {
            commit.close();
        }
    }
}
