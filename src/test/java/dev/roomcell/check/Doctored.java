package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.RoomHistory.OutboxRow;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A right history of one room, for a test to spoil: 1 creates it; 2 to 4 olga, ben and cara join, on node-a; 5 ben
 * leaves, 6 dora joins, on node-b; snapshot; 7 ben joins, 8 cara leaves; snapshot, list; 9 olga leaves or closes it.
 */
final class Doctored {
    static final RoomKey ROOM = new RoomKey("app", "room");

    final StoredRoom stored;
    final List<Ack> acks;

    private Doctored(LivedRoom room) {
        stored = room.stored();
        acks = room.acks();
        assertThat(check(acks)).isEmpty();
    }

    /** The room, still open. */
    static Doctored room() {
        LivedRoom room = lived();
        room.asks(new Presence.LeaveRoom("olga"));
        return new Doctored(room.commits());
    }

    /** The room, closed. */
    static Doctored closedRoom() {
        LivedRoom room = lived();
        room.asks(new Lifecycle.CloseRoom("olga"));
        return new Doctored(room.commits());
    }

    /** The first eight versions. */
    static LivedRoom lived() {
        LivedRoom room = new LivedRoom(ROOM).loaded("node-a");
        room.asks(new Lifecycle.CreateRoom("olga", LivedRoom.PROFILE, 3));
        room.commits().after(10);
        room.asks(new Presence.JoinRoom("olga"));
        room.asks(new Presence.JoinRoom("ben"));
        room.commits().after(10).rotated();
        room.asks(new Presence.JoinRoom("cara"));
        room.commits().after(10).loaded("node-b");
        room.asks(new Presence.LeaveRoom("ben"));
        room.asks(new Presence.JoinRoom("dora"));
        room.commits().after(10).snapshot();
        room.asks(new Presence.JoinRoom("ben"));
        room.asks(new Presence.LeaveRoom("cara"));
        return room.commits().after(10).seen("dora").snapshot().listed();
    }

    /** Replaces what happened in a version, in the log and in the outbox alike. */
    Doctored happened(long version, RoomEvent... events) {
        stored.editLog(version, row -> row.events = LivedRoom.CODEC.encodeEvents(List.of(events)));
        stored.outbox.removeIf(row -> row.version() == version);
        stored.outbox.addAll(outbox(version, events));
        stored.outbox.sort(Comparator.comparingLong(OutboxRow::version).thenComparing(OutboxRow::index));
        return this;
    }

    private List<OutboxRow> outbox(long version, RoomEvent... events) {
        RoomHistory.LogRow row = stored.version(version);
        Stamp stamp = new Stamp(version, row.atMs());
        return IntStream.range(0, events.length)
                .filter(index -> events[index].durable())
                .mapToObj(index -> LivedRoom.CODEC.encodeFact(
                        ROOM, stamp, index, row.commandId(), row.actorUserId(), events[index]))
                .map(fact -> new OutboxRow(version, fact.index(), fact.type(), fact.envelope()))
                .toList();
    }

    List<RoomEvent> eventsOf(long version) {
        return LivedRoom.CODEC.decodeEvents(stored.version(version).events());
    }

    /** The room as its log has it at {@code version}. */
    RoomState stateAt(long version) {
        RoomState state = RoomState.creating(ROOM);
        for (long each = 1; each <= version; each++) {
            Stamp stamp = new Stamp(each, stored.version(each).atMs());
            state = RoomDecider.evolve(state, eventsOf(each), stamp);
        }
        return state;
    }

    /** Asserts that the checker says {@code told}, and names these invariants and no other. */
    void isRefused(String told, Invariant... broken) {
        isRefused(acks, told, broken);
    }

    void isRefused(List<Ack> acknowledged, String told, Invariant... broken) {
        List<Violation> violations = check(acknowledged);
        assertThat(violations)
                .as("%s", violations)
                .extracting(Violation::invariant)
                .contains(broken)
                .containsOnly(broken);
        assertThat(violations)
                .extracting(Violation::message)
                .anySatisfy(message -> assertThat(message).contains(told));
        assertThat(violations).extracting(Violation::room).containsOnly(ROOM);
    }

    List<Violation> check(List<Ack> acknowledged) {
        return new HistoryChecker(LivedRoom.CODEC).check(stored.history(), acknowledged);
    }
}
