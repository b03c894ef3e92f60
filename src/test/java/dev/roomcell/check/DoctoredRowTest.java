package dev.roomcell.check;

import static dev.roomcell.check.Invariant.I1;
import static dev.roomcell.check.Invariant.I12;
import static dev.roomcell.check.Invariant.I5;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.RoomHistory.ListEntry;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is stored beside the log: the room's row and its line in the list. */
final class DoctoredRowTest {
    private final Doctored room = Doctored.room();
    private final Doctored closed = Doctored.closedRoom();

    @Test
    void aRowAheadOfItsLog() {
        room.stored.editRow(row -> row.version = 10);
        room.isRefused("the row's version is 10, the log ends at 9", I1);
    }

    @Test
    void aRowBehindItsLog() {
        room.stored.editRow(row -> row.version = 8);
        room.isRefused("the row's version is 8, the log ends at 9", I1);
    }

    @Test
    void noRow() {
        room.stored.row = Optional.empty();
        room.isRefused("the room has no row", I1);
    }

    @Test
    void aRowThatSaysActiveOfAClosedRoom() {
        closed.stored.editRow(row -> row.status = "ACTIVE");
        closed.isRefused("the row's state is ACTIVE, by its log the room is CLOSED", I1);
    }

    @Test
    void aRowThatSaysClosedOfAnActiveRoom() {
        room.stored.editRow(row -> row.status = "CLOSED");
        room.isRefused("the row's state is CLOSED, by its log the room is ACTIVE", I1, I12);
    }

    /** LEASE-14. */
    @Test
    void aRowThatSaysThatNobodyNeedsTheRoom() {
        room.stored.editRow(row -> row.live = false);
        room.isRefused("the row says live=false, by its log it is true", I12);
    }

    @Test
    void aRowWhoseEpochIsBehindTheLog() {
        room.stored.editRow(row -> row.epoch = 3);
        room.isRefused("the row's epoch 3 is before 4 of version 9", I5);
    }

    @Test
    void aRowWithAnotherOwnerOfTheSameEpoch() {
        room.stored.editRow(row -> row.ownerNodeId = "node-a");
        room.isRefused("epoch 4 has two owners, node-b in the log and node-a in the row", I5);
    }

    /** LEASE-11: minted, and nothing committed yet. */
    @Test
    void aRowWithALaterEpochIsRight() {
        room.stored.editRow(row -> {
            row.epoch = 5;
            row.ownerNodeId = "node-a";
        });
        assertThat(room.check(room.acks)).isEmpty();
    }

    @Test
    void anotherTitleInTheList() {
        room.stored.listEntry = Optional.of(new ListEntry(8, "ACTIVE", "Coffee", "eu", 3));
        room.isRefused("the list says ListEntry[version=8, status=ACTIVE, title=Coffee", I12);
    }

    @Test
    void aListThatMiscounts() {
        room.stored.listEntry = Optional.of(new ListEntry(8, "ACTIVE", "Tea", "eu", 2));
        room.isRefused("onlineCount=2]; by the log", I12);
    }

    @Test
    void aListAheadOfTheLog() {
        room.stored.listEntry = Optional.of(new ListEntry(10, "ACTIVE", "Tea", "eu", 2));
        room.isRefused("the list shows version 10, the log ends at 9", I12);
    }

    @Test
    void aRoomThatIsNotInTheList() {
        room.stored.listEntry = Optional.empty();
        room.isRefused("the room is not in the list", I12);
    }

    @Test
    void aClosedRoomThatTheListShowsActive() {
        closed.stored.listEntry = Optional.of(new ListEntry(8, "ACTIVE", "Tea", "eu", 3));
        closed.isRefused("the room is closed, the list says ACTIVE at version 8", I12);
    }
}
