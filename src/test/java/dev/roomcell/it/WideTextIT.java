package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.dev.EmbeddedServers;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.ListRoomsResponse;
import dev.roomcell.proto.room.v1.RoomListEntry;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Characters beyond the 65,536 of the first plane, in a schema whose own character set knows a few hundred. */
final class WideTextIT {
    private static final String ROCKET = "\ud83d\ude80";
    private static final String FAMILY = "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67\u200d\ud83d\udc66";
    private static final RoomKey ROOM = new RoomKey("wide", "room " + ROCKET);
    private static final String TITLE = ROCKET + FAMILY + " \u00e9 e\u0301 ";

    private Vertx vertx;
    private Backends backends;
    private RoomNode node;

    @BeforeEach
    void start() throws SQLException {
        vertx = Vertx.vertx();
        EmbeddedServers servers = SharedServers.get();
        String schema = SharedServers.newSchema();
        try (Connection connection = DriverManager.getConnection(servers.jdbcUrl(schema), servers.mysqlUser(), "");
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER DATABASE " + schema + " CHARACTER SET latin1 COLLATE latin1_swedish_ci");
        }
        backends = new Backends(servers, schema, SharedServers.newRedisPrefix());
        node = startNode();
    }

    private RoomNode startNode() {
        return backends.startNode("wide", Map.of());
    }

    @AfterEach
    void stop() {
        Await.result(node.stop());
        Await.result(vertx.close());
    }

    /** B94. */
    @Test
    void idsAndTitlesComeBackAsTheyWereFromMemoryFromTheListAndFromTheLog() throws Exception {
        try (RawConnection connection = RawConnection.open(vertx, node.grpcPort())) {
            CreateRoomRequest create = RoomCalls.create(ROOM, "create " + FAMILY).toBuilder()
                    .setTitle(TITLE)
                    .build();
            RawAnswer created = connection.call(RoomCalls.CREATE_ROOM, create);
            assertThat(created.status()).as(created.message()).isEqualTo(GrpcStatus.OK);
            assertTitle(connection);
            RawAnswer listed = connection.call(RoomCalls.LIST_ROOMS, RoomCalls.listRooms(ROOM.appCode(), "", 0, ""));
            RoomListEntry line = ListRoomsResponse.parseFrom(listed.reply()).getEntries(0);
            assertThat(line.getRoomId()).isEqualTo(ROOM.roomId());
            assertThat(line.getTitle()).isEqualTo(TITLE);
        }
        Await.result(node.stop());
        node = startNode();
        try (RawConnection connection = RawConnection.open(vertx, node.grpcPort());
                RoomTables tables = backends.tables()) {
            assertTitle(connection);
            assertThat(Audit.rowsOf(tables, ROOM, "create " + FAMILY)).hasSize(1);
        }
        Audit.assertStoredRoomsAreSound(backends);
    }

    private static void assertTitle(RawConnection connection) throws Exception {
        RawAnswer found = connection.call(RoomCalls.GET_ROOM, RoomCalls.get(ROOM));
        assertThat(found.status()).as(found.message()).isEqualTo(GrpcStatus.OK);
        assertThat(GetRoomResponse.parseFrom(found.reply())
                        .getRoom()
                        .getProfile()
                        .getTitle())
                .isEqualTo(TITLE);
    }
}
