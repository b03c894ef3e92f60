package dev.roomcell.adapter.tencent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.domain.RoomKey;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is sent to a group. */
final class GroupMessageTest {
    private static final RoomKey ROOM = new RoomKey("app", "room");

    @Test
    @DisplayName("B113: distinct events of a room have distinct Randoms, and a resend has its event's")
    void distinctEventsHaveDistinctRandoms() {
        Set<Long> randoms = new HashSet<>();
        for (long version = 1L << 40; version < (1L << 40) + 10_000; version++) {
            for (int index = 0; index < 20; index++) {
                long random = GroupMessage.randomOf(ROOM, version, index);
                assertThat(randoms.add(random)).isTrue();
                assertThat(random).isBetween(0L, 0xffff_ffffL);
            }
        }
        assertThat(GroupMessage.randomOf(new RoomKey("app", "room"), 7, 3))
                .isEqualTo(GroupMessage.randomOf(ROOM, 7, 3))
                .isNotEqualTo(GroupMessage.randomOf(new RoomKey("app", "other"), 7, 3));
    }

    @Test
    @DisplayName("LANE-6: the priority is the group's")
    void theBodyIsTheOneThatIsDocumented() {
        JsonObject body = GroupMessage.of("group", 4_294_967_295L, Priority.HIGH, "{\"a\":\"\ud83c\udf89\"}");
        assertThat(body).isEqualTo(new JsonObject("""
                                {"GroupId":"group","Random":4294967295,"MsgPriority":"High",
                                 "MsgBody":[{"MsgType":"TIMCustomElem",
                                   "MsgContent":{"Data":"{\\"a\\":\\"\ud83c\udf89\\"}","Desc":"","Ext":"","Sound":""}}],
                                 "ForbidCallbackControl":["ForbidBeforeSendMsgCallback","ForbidAfterSendMsgCallback"]}
                                """));
        assertThat(GroupMessage.of("g", 1, Priority.MIDDLE, "").getString("MsgPriority"))
                .isEqualTo("Normal");
        assertThat(GroupMessage.of("g", 1, Priority.LOW, "").getString("MsgPriority"))
                .isEqualTo("Low");
    }
}
