package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.RoomMessenger.Message;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A way to the rooms' clients. */
abstract class RoomMessengerContract {
    static final RoomKey ROOM = new RoomKey("app", "caf\u00e9/\ud83c\udf89 1+1");
    static final long TIMEOUT_MS = 20_000;

    private static final StoredForm CODEC = new StoredForm();

    abstract RoomMessenger messenger();

    /** The event ids that a room's clients saw, in order. */
    abstract List<String> seen(RoomKey key);

    static Message message(RoomKey key, long version, RoomEvent event) {
        Stamp stamp = new Stamp(version, 1_700_000_000_000L + version);
        return new Message(key, version, CODEC.encodeFact(key, stamp, 0, "c-" + version, "ann", event));
    }

    static Message joined(RoomKey key, long version) {
        return message(key, version, new Presence.RoomUserJoined("ann", Presence.MemberKind.USER, 1));
    }

    @Test
    void aMessageThatIsSentIsSeenInItsRoomOnly() {
        Await.result(messenger().send(joined(ROOM, 2), TIMEOUT_MS));
        assertThat(seen(ROOM)).containsExactly(ROOM.roomId() + ":2:0");
        assertThat(seen(new RoomKey("other", ROOM.roomId()))).isEmpty();
    }

    @Test
    void messagesThatWaitForEachOtherAreSeenInTheirOrder() {
        List<String> sent = new ArrayList<>();
        for (int version = 1; version <= 50; version++) {
            Await.result(messenger().send(joined(ROOM, version), TIMEOUT_MS));
            sent.add(ROOM.roomId() + ":" + version + ":0");
        }
        assertThat(seen(ROOM)).isEqualTo(sent);
    }

    @Test
    void messagesOfManyRoomsGoAtOnce() {
        List<RoomKey> rooms = IntStream.range(0, 64)
                .mapToObj(i -> new RoomKey("app", "room-" + i))
                .toList();
        List<Future<Void>> sent = rooms.stream()
                .map(room -> messenger().send(joined(room, 7), TIMEOUT_MS))
                .toList();
        Await.result(Future.all(sent));
        rooms.forEach(room -> assertThat(seen(room)).containsExactly(room.roomId() + ":7:0"));
    }

    /** LANE-1. */
    @Test
    void whatIsNoEventIsSentAsAnyOther() {
        Await.result(messenger().send(new Message(ROOM, 0, CODEC.encodeHeat(RoomState.creating(ROOM), 1)), TIMEOUT_MS));
        Await.result(messenger()
                .send(new Message(ROOM, 0, CODEC.encodeRank(RoomState.creating(ROOM), 10, 1)), TIMEOUT_MS));
        assertThat(seen(ROOM)).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void theLastMessageOfARoomIsSentAsAnyOther() {
        Message closed = message(ROOM, 9, new Lifecycle.RoomClosed(Lifecycle.CloseCause.CLOSED_BY_OWNER, 3));
        Await.result(messenger().send(closed, TIMEOUT_MS));
        assertThat(seen(ROOM)).containsExactly(ROOM.roomId() + ":9:0");
    }
}
