package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.RoomKey;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class HistoryCheckerTest {
    private final HistoryChecker checker = new HistoryChecker(LivedRoom.CODEC);

    @Test
    void acceptsAThousandHistoriesOfRoomsThatWereRunRight() {
        Set<Status> ends = EnumSet.noneOf(Status.class);
        long versions = 0;
        for (long seed : LongStream.range(0, 1_000).toArray()) {
            LivedRoom room = RandomRoom.of(seed);

            List<Violation> violations = checker.check(room.stored().history(), room.acks());

            assertThat(violations).as("seed %d", seed).isEmpty();
            ends.add(room.state().status());
            versions += room.state().version();
        }
        assertThat(ends).containsExactlyInAnyOrder(Status.values());
        assertThat(versions).isGreaterThan(5_000);
    }

    /** Whatever was purged, up to the older one of the last two snapshots. */
    @Test
    @Tag("LOG-1")
    void acceptsAThousandHistoriesWhoseBeginningWasPurged() {
        HistoryChecker afterPurges = new HistoryChecker(LivedRoom.CODEC, Purged.before(Long.MAX_VALUE));
        int purged = 0;
        for (long seed : LongStream.range(0, 1_000).toArray()) {
            LivedRoom room = RandomRoom.of(seed);
            StoredRoom stored = room.stored();
            int snapshots = stored.snapshots.size();
            long covered = snapshots > 1 ? stored.snapshots.get(snapshots - 2).version() : 0;
            if (covered > 0) {
                long last = 1 + seed % covered;
                stored.log.removeIf(row -> row.version() <= last);
                assertThat(afterPurges.check(stored.history(), room.acks()))
                        .as("seed %d", seed)
                        .isEmpty();
                purged++;
            }
        }
        assertThat(purged).isGreaterThan(100);
    }

    @Test
    void aRoomThatIsBeingCreatedHasNothingButItsRow() {
        LivedRoom room = new LivedRoom(Doctored.ROOM);

        assertThat(checker.check(room.stored().history(), List.of())).isEmpty();
    }

    @Test
    void acknowledgementsInARoomOfWhichNothingIsStoredAreLost() {
        RoomKey gone = new RoomKey("app", "gone");

        assertThat(HistoryChecker.checkAbsent(gone, List.of(new Ack(gone, "c-1", 1, "CREATE_ROOM"))))
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.invariant()).isEqualTo(Invariant.I3);
                    assertThat(violation)
                            .hasToString("I3 app/gone: command c-1 was acknowledged with version 1,"
                                    + " and is not in the log");
                });
    }

    @Test
    void listsTheFirstHundredViolationsOfARoom() {
        LivedRoom room = new LivedRoom(Doctored.ROOM);
        List<Ack> lost = LongStream.rangeClosed(1, 1_000)
                .mapToObj(version -> new Ack(Doctored.ROOM, "lost-" + version, version, "JOIN_ROOM"))
                .toList();

        assertThat(checker.check(room.stored().history(), lost)).hasSize(100);
    }
}
