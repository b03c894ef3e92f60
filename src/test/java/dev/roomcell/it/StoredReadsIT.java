package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.roomcell.RoomNode;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.GetRoomEventsResponse;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.ListPresenceResponse;
import dev.roomcell.proto.room.v1.ListRoomsResponse;
import dev.roomcell.proto.room.v1.PresenceEntry;
import dev.roomcell.proto.room.v1.RoomEventType;
import dev.roomcell.proto.room.v1.RoomListEntry;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What any node answers from the database: here always the node that owns no room. */
final class StoredReadsIT {
    private static Vertx vertx;
    private static RoomNode owner;
    private static RoomNode other;
    private static RoomTables tables;
    private static RawConnection atOwner;
    private static RawConnection atOther;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        Backends backends = Backends.shared();
        owner = backends.startNode("owner", Map.of());
        other = backends.startNode("other", Map.of());
        tables = backends.tables();
        atOwner = RawConnection.open(vertx, owner.grpcPort());
        atOther = RawConnection.open(vertx, other.grpcPort());
    }

    @AfterAll
    static void stop() {
        tables.close();
        Await.result(owner.stop());
        Await.result(other.stop());
        Await.result(vertx.close());
    }

    private static void create(RoomKey room, String region) {
        CreateRoomRequest request =
                RoomCalls.create(room, "create").toBuilder().setRegion(region).build();
        assertThat(atOwner.call(RoomCalls.CREATE_ROOM, request).status()).isEqualTo(GrpcStatus.OK);
    }

    private static ListRoomsResponse list(String appCode, String region, int pageSize, String token) throws Exception {
        RawAnswer answer = atOther.call(RoomCalls.LIST_ROOMS, RoomCalls.listRooms(appCode, region, pageSize, token));
        return ListRoomsResponse.parseFrom(answer.reply());
    }

    private static List<String> idsOf(ListRoomsResponse page) {
        return page.getEntriesList().stream().map(RoomListEntry::getRoomId).toList();
    }

    /** ROOM-8. */
    @Test
    void theRoomsOfAnAppAreListedPageByPage() throws Exception {
        for (String id : List.of("e", "c", "a", "d", "b")) {
            create(new RoomKey("pages", id), id.compareTo("c") < 0 ? "eu" : "us");
        }
        create(new RoomKey("elsewhere", "x"), "eu");
        assertThat(idsOf(list("pages", "", 0, ""))).containsExactly("a", "b", "c", "d", "e");
        assertThat(idsOf(list("pages", "us", 500, ""))).containsExactly("c", "d", "e");

        List<List<String>> pages = new ArrayList<>();
        String token = "";
        do {
            ListRoomsResponse page = list("pages", "", 2, token);
            assertThat(page.getServerTimeMs()).isPositive();
            pages.add(idsOf(page));
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        assertThat(pages).containsExactly(List.of("a", "b"), List.of("c", "d"), List.of("e"));

        String ofRegion = list("pages", "us", 1, "").getNextPageToken();
        assertThat(idsOf(list("pages", "us", 1, ofRegion))).containsExactly("d");
        RawAnswer refused = atOther.call(RoomCalls.LIST_ROOMS, RoomCalls.listRooms("pages", "eu", 1, ofRegion));
        assertThat(refused.status()).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        assertThat(refused.reason()).isEqualTo("INVALID_FIELD");
        assertThat(refused.field()).isEqualTo("page_token");
    }

    /** ROOM-8. */
    @Test
    void aRoomIsListedAsItIsAMomentLaterAndNoMoreOnceItIsClosed() throws Exception {
        RoomKey room = new RoomKey("one", "room");
        create(room, "eu");
        atOwner.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "ann", "join"));
        Await.until("the list shows who joined", () -> onlyEntry("one").getOnlineCount() == 1);
        assertThat(onlyEntry("one"))
                .isEqualTo(RoomListEntry.newBuilder()
                        .setRoomId("room")
                        .setTitle("A room")
                        .setRegion("eu")
                        .setOnlineCount(1)
                        .build());

        atOwner.call(RoomCalls.CLOSE_ROOM, RoomCalls.close(room, "owner", "close"));

        assertThat(list("one", "", 0, "").getEntriesList()).isEmpty();
    }

    private static RoomListEntry onlyEntry(String appCode) {
        try {
            return list(appCode, "", 0, "").getEntries(0);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /**
     * B63: a client that missed messages sees it by the versions, and repairs itself; whoever has the room, and when it
     * is closed too.
     */
    @Test
    void whoeverMissedSomeOfARoomRepairsItself() throws Exception {
        RoomKey room = new RoomKey("repair", "room");
        create(room, "eu");
        // What the client has seen: ann and ben, at version 3.
        Set<String> shown = new TreeSet<>(List.of("ann", "ben"));
        atOwner.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "ann", "1"));
        atOwner.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "ben", "2"));
        // What it has not.
        atOwner.call(RoomCalls.LEAVE_ROOM, RoomCalls.leave(room, "ann", "3"));
        for (int i = 0; i < 5; i++) {
            atOwner.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "guest-" + i, "join-" + i));
        }
        atOwner.call(RoomCalls.LEAVE_ROOM, RoomCalls.leave(room, "guest-3", "leave"));

        long known = 3;
        GetRoomEventsResponse page;
        do {
            page = events(room, known, 2);
            assertThat(page.getFirstKeptVersion()).isEqualTo(1);
            for (FactEnvelope event : page.getEventsList()) {
                assertThat(event.getRoomVersion()).as("no gap").isEqualTo(++known);
                apply(event, shown);
            }
            assertThat(page.getLastVersion()).isEqualTo(known);
        } while (page.getTruncated());

        GetRoomResponse now = GetRoomResponse.parseFrom(
                atOwner.call(RoomCalls.GET_ROOM, RoomCalls.get(room)).reply());
        assertThat(now.getRoom().getRoomVersion()).isEqualTo(known);
        ListPresenceResponse present =
                ListPresenceResponse.parseFrom(atOwner.call(RoomCalls.LIST_PRESENCE, RoomCalls.listPresence(room))
                        .reply());
        assertThat(shown)
                .containsExactlyElementsOf(present.getEntriesList().stream()
                        .map(PresenceEntry::getUserId)
                        .toList())
                .hasSize(now.getRoom().getOnlineCount());

        atOwner.call(RoomCalls.CLOSE_ROOM, RoomCalls.close(room, "owner", "close"));
        GetRoomEventsResponse end = events(room, known, 0);
        assertThat(end.getEventsList())
                .extracting(FactEnvelope::getType)
                .containsExactly(RoomEventType.ROOM_EVENT_TYPE_ROOM_CLOSED);
        assertThat(end.getTruncated()).isFalse();
    }

    private static void apply(FactEnvelope event, Set<String> shown) {
        if (event.hasRoomUserJoined()) {
            shown.add(event.getRoomUserJoined().getUserId());
        } else {
            shown.remove(event.getRoomUserLeft().getUserId());
        }
    }

    private static GetRoomEventsResponse events(RoomKey room, long since, int most) throws Exception {
        RawAnswer answer = atOther.call(RoomCalls.GET_ROOM_EVENTS, RoomCalls.getRoomEvents(room, since, most));
        return GetRoomEventsResponse.parseFrom(answer.reply());
    }

    @Test
    void aRoomThatWasNeverMadeHasNoEvents() {
        RawAnswer answer =
                atOther.call(RoomCalls.GET_ROOM_EVENTS, RoomCalls.getRoomEvents(new RoomKey("repair", "absent"), 0, 0));
        assertThat(answer.status()).isEqualTo(GrpcStatus.NOT_FOUND);
        assertThat(answer.reason()).isEqualTo("ROOM_NOT_FOUND");
    }

    /** OUT-8. */
    @Test
    void anEventIsTheOutboxsToTheByte() throws Exception {
        RoomKey room = new RoomKey("repair", "bytes");
        create(room, "eu");
        atOwner.call(RoomCalls.JOIN_ROOM, RoomCalls.join(room, "ann", "1"));
        atOwner.call(RoomCalls.CLOSE_ROOM, RoomCalls.close(room, "owner", "2"));
        assertThat(events(room, 0, 0).getEventsList())
                .extracting(FactEnvelope::toByteString)
                .containsExactlyElementsOf(tables.envelopes(room).stream()
                        .map(ByteString::copyFrom)
                        .toList())
                .hasSize(3);
    }

    @Test
    void anAppWithoutRoomsHasAnEmptyList() throws Exception {
        ListRoomsResponse page = list("nothing-here", "", 0, "");
        assertThat(page.getEntriesList()).isEmpty();
        assertThat(page.getNextPageToken()).isEmpty();
    }
}
