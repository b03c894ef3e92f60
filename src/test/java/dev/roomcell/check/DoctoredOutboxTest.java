package dev.roomcell.check;

import static dev.roomcell.check.Invariant.I3;
import static dev.roomcell.check.Invariant.I6;
import static dev.roomcell.check.Invariant.I8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.RoomHistory.OutboxRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the room told others: events to consumers, answers to callers. */
final class DoctoredOutboxTest {
    private final Doctored room = Doctored.room();

    @Test
    void aLostEvent() {
        room.stored.outbox.remove(5);
        room.isRefused("version 6 event 0: ROOM_USER_JOINED is not in the outbox", I8);
    }

    @Test
    void aLostLastEvent() {
        room.stored.outbox.remove(8);
        room.isRefused("version 9 event 0: ROOM_USER_LEFT is not in the outbox", I8);
    }

    @Test
    void aSecondEventOfAVersionThatHasOne() {
        OutboxRow event = room.stored.outbox.get(5);
        room.stored.outbox.add(6, new OutboxRow(6, 1, event.type(), event.envelope()));
        room.isRefused("version 6 event 1: ROOM_USER_JOINED is in the outbox, and no such event in the log", I8);
    }

    @Test
    void anEventOfAVersionThatIsNotThere() {
        OutboxRow event = room.stored.outbox.get(8);
        room.stored.outbox.add(new OutboxRow(10, 0, event.type(), event.envelope()));
        room.isRefused("version 10 event 0: ROOM_USER_LEFT is in the outbox, and no such event in the log", I8);
    }

    @Test
    void aChangedEnvelope() {
        room.stored.editOutbox(6, row -> {
            byte[] envelope = row.envelope().clone();
            envelope[envelope.length - 1] ^= 1;
            return new OutboxRow(row.version(), row.index(), row.type(), envelope);
        });
        room.isRefused("version 6 event 0: the envelope of ROOM_USER_JOINED is not the logged event", I8);
    }

    @Test
    void theEnvelopeOfAnotherVersion() {
        byte[] other = room.stored.outbox.get(6).envelope();
        room.stored.editOutbox(6, row -> new OutboxRow(row.version(), row.index(), row.type(), other));
        room.isRefused("version 6 event 0: the envelope of ROOM_USER_JOINED is not the logged event", I8);
    }

    @Test
    void aChangedType() {
        room.stored.editOutbox(6, row -> new OutboxRow(row.version(), row.index(), "ROOM_CLOSED", row.envelope()));
        room.isRefused("version 6 event 0: the outbox has ROOM_CLOSED, the log ROOM_USER_JOINED", I8);
    }

    @Test
    void anAcknowledgedCommandThatIsLost() {
        isRefused(
                new Ack(Doctored.ROOM, "lost", 4, "JOIN_ROOM"),
                "command lost was acknowledged with version 4, and is not in the log",
                I3);
    }

    @Test
    void anAcknowledgementWithAnotherVersion() {
        List<Ack> acks = List.of(new Ack(Doctored.ROOM, "c-3", 5, "JOIN_ROOM"));
        room.isRefused(acks, "command c-3 was acknowledged with version 5, and is in the log at version 4", I3);
    }

    @Test
    void anAcknowledgementOfAnotherKind() {
        List<Ack> acks = List.of(new Ack(Doctored.ROOM, "c-3", 4, "LEAVE_ROOM"));
        room.isRefused(acks, "command c-3 was acknowledged as LEAVE_ROOM, and is in the log as JOIN_ROOM", I3);
    }

    @Test
    void twoAcknowledgementsOfOneCommand() {
        isRefused(
                new Ack(Doctored.ROOM, "c-3", 5, "JOIN_ROOM"),
                "command c-3 was acknowledged with version 4 and with version 5",
                I6);
    }

    @Test
    void theSameAcknowledgementTwiceIsRight() {
        List<Ack> twice = new ArrayList<>(room.acks);
        twice.addAll(room.acks);
        assertThat(room.check(twice)).isEmpty();
    }

    private void isRefused(Ack further, String told, Invariant broken) {
        List<Ack> acks = new ArrayList<>(room.acks);
        acks.add(further);
        room.isRefused(acks, told, broken);
    }

    /** OUT-7: what was delivered long ago is purged, and nothing else may be missing. */
    @Test
    void eventsThatAreOldEnoughMayBePurged() {
        long cutMs = room.stored.log.get(5).atMs();
        int kept = room.stored.outbox.size();
        room.stored.outbox.removeIf(
                row -> room.stored.log.get((int) row.version() - 1).atMs() < cutMs);
        assertThat(room.stored.outbox).hasSizeBetween(1, kept - 1);
        assertThat(check(cutMs)).isEmpty();
        room.stored.outbox.remove(0);
        assertThat(check(cutMs)).singleElement().asString().contains("is not in the outbox");
        assertThat(check(cutMs + 1)).isEmpty();
    }

    private List<Violation> check(long purgedBeforeMs) {
        return new HistoryChecker(LivedRoom.CODEC, new Purged(purgedBeforeMs, Long.MIN_VALUE))
                .check(room.stored.history(), List.of());
    }
}
