package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.ListRoomsResponse;
import dev.roomcell.proto.room.v1.RoomListEntry;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What any node answers from the database: here always the node that owns no room. */
final class StoredReadsIT {
    private static Vertx vertx;
    private static RoomNode owner;
    private static RoomNode other;
    private static RawConnection atOwner;
    private static RawConnection atOther;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        Backends backends = Backends.shared();
        owner = backends.startNode("owner", Map.of());
        other = backends.startNode("other", Map.of());
        atOwner = RawConnection.open(vertx, owner.grpcPort());
        atOther = RawConnection.open(vertx, other.grpcPort());
    }

    @AfterAll
    static void stop() {
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

    @Test
    void anAppWithoutRoomsHasAnEmptyList() throws Exception {
        ListRoomsResponse page = list("nothing-here", "", 0, "");
        assertThat(page.getEntriesList()).isEmpty();
        assertThat(page.getNextPageToken()).isEmpty();
    }
}
