package dev.roomcell.adapter.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.roomcell.domain.GiftBoard;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.RobotDisplays;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomMessenger.Message;
import dev.roomcell.port.UserNotices;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.NoticesProto;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What everybody in a room can read. */
final class MessageJsonTest {
    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final String MOST = "9223372036854775807";

    /** Of all messages that there are, and all that they are made of. */
    @Test
    @Tag("LANE-4")
    void noMessageToARoomHasABalance() {
        Set<String> fields = new TreeSet<>();
        Set<String> walked = new HashSet<>();
        walk(FactEnvelope.getDescriptor(), walked, fields);
        NoticesProto.getDescriptor().getMessageTypes().forEach(notice -> walk(notice, walked, fields));
        assertThat(fields)
                .contains("FactEnvelope.room_gift_sent", "RoomGiftSent.total_price_coins", "RankEntry.score")
                .contains("GiftRewardCredited.reward_coins")
                .noneMatch(field -> field.contains("balance"));
    }

    private static void walk(Descriptor message, Set<String> walked, Set<String> fields) {
        if (!walked.add(message.getFullName())) {
            return;
        }
        for (FieldDescriptor field : message.getFields()) {
            fields.add(message.getName() + "." + field.getName());
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                walk(field.getMessageType(), walked, fields);
            }
        }
    }

    private static JsonObject payload(Fact fact) {
        return new JsonObject(MessageJson.of(new Message(ROOM, 5, fact))).getJsonObject("payload");
    }

    /** No event, so nobody takes it for one, or for a gap. */
    @Test
    void aRobotsDisplayHasItsParametersAsTheyWereGiven() {
        RobotDisplays.Display display = new RobotDisplays.Display(
                ROOM, Long.MAX_VALUE, "robot", "dance", "{\"big\": 1234567890123456789.10}", 7);
        assertThat(MessageJson.of(display))
                .isEqualTo("{\"type\":\"ROBOT_DISPLAY\",\"app_code\":\"app\",\"room_id\":\"room\",\"room_version\":\""
                        + MOST + "\",\"occurred_at_ms\":\"7\",\"actor_user_id\":\"robot\",\"display_type\":\"dance\","
                        + "\"payload\":{\"big\": 1234567890123456789.10}}");
        RobotDisplays.Display bare = new RobotDisplays.Display(ROOM, 1, "robot", "dance", "", 7);
        assertThat(new JsonObject(MessageJson.of(bare)).getJsonObject("payload"))
                .isEmpty();
        assertThat(RoomEvent.Type.values()).extracting(Enum::name).doesNotContain("ROBOT_DISPLAY");
    }

    /** All that a giver is told of a late reward: no balance, and no other's gift. */
    @Test
    @Tag("GIFT-6")
    @Tag("LANE-4")
    void aNoticeOfARewardIsToItsGiverAndNamesTheCommand() {
        UserNotices.LateReward reward = new UserNotices.LateReward(
                new GiftKey("app", "gift:7:0"), "room", "ann", "clover", Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(MessageJson.of(reward))
                .isEqualTo("{\"type\":\"GIFT_REWARD_CREDITED\",\"event_id\":\"gift:7:0/reward\",\"app_code\":\"app\","
                        + "\"room_id\":\"room\",\"to_user_id\":\"ann\",\"occurred_at_ms\":\"" + MOST + "\","
                        + "\"payload\":{\"command_id\":\"gift:7:0\",\"gift_id\":\"clover\",\"reward_coins\":\"" + MOST
                        + "\"}}");
        assertThat(RoomEvent.Type.values()).extracting(Enum::name).doesNotContain("GIFT_REWARD_CREDITED");
    }

    /** A browser's number holds 53 bits. */
    @Test
    @Tag("B98")
    @Tag("B35")
    void theGreatestAmountsArriveDigitForDigit() {
        Gifts.RoomGiftSent sent = new Gifts.RoomGiftSent(
                "ann", List.of("ben"), "star", 1, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
        JsonObject gift = payload(new StoredForm().encodeFact(ROOM, new Stamp(5, 1), 0, "c", "ann", sent));
        assertThat(gift.getValue("unit_price_coins")).isEqualTo(MOST);
        assertThat(gift.getValue("total_price_coins")).isEqualTo(MOST);
        assertThat(gift.getValue("reward_coins")).isEqualTo(MOST);

        RoomState blank = RoomState.creating(ROOM);
        RoomState room = new RoomState(
                ROOM,
                5,
                blank.status(),
                blank.profile(),
                0,
                0,
                blank.members(),
                0,
                blank.seats(),
                blank.houseRules(),
                GiftBoard.of(Long.MAX_VALUE, List.of(new GiftBoard.Giver("ann", Long.MAX_VALUE, 5))),
                Optional.empty());
        assertThat(payload(new StoredForm().encodeHeat(room, 1)).getValue("heat"))
                .isEqualTo(MOST);
        assertThat(payload(new StoredForm().encodeRank(room, 10, 1))
                        .getJsonArray("top")
                        .getJsonObject(0)
                        .getValue("score"))
                .isEqualTo(MOST);
    }
}
