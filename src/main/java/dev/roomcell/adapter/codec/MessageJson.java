package dev.roomcell.adapter.codec;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.roomcell.port.RobotDisplays;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.UserNotices;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.GiftRewardCredited;
import io.vertx.core.json.JsonObject;

/**
 * A message as a room's clients get it: a JSON object with {@code type}, {@code event_id}, {@code app_code}, {@code
 * room_id}, {@code room_version}, {@code index}, {@code occurred_at_ms}, {@code actor_user_id} and {@code payload}. All
 * names and the payload are those of facts.proto; 64-bit numbers are strings, as a browser's number holds only 53 bits
 * (LANE-6). A client knows a repetition by the event id, and a gap by the version: each message is the next index of its
 * version, or index 0 of the next.
 *
 * <p>What a robot shows is no event: it has {@code type} ROBOT_DISPLAY and its {@code display_type}, no event id and no
 * index, and the version that the room had when it was asked for.
 *
 * <p>What one user alone is told is no event of the room either: it has {@code to_user_id}, an event id, neither version nor
 * index, and a payload of notices.proto.
 */
public final class MessageJson {
    /** No event has this type. */
    private static final String ROBOT_DISPLAY = "ROBOT_DISPLAY";

    private static final String GIFT_REWARD_CREDITED = "GIFT_REWARD_CREDITED";

    private static final JsonFormat.Printer PAYLOAD = JsonFormat.printer()
            .preservingProtoFieldNames()
            .alwaysPrintFieldsWithNoPresence()
            .omittingInsignificantWhitespace();

    private MessageJson() {}

    /** One event; fails with IllegalArgumentException if the fact is damaged. */
    public static String of(RoomMessenger.Message message) {
        FactEnvelope envelope = Envelopes.of(message.fact());
        String head = new JsonObject()
                .put("type", message.fact().type())
                .put("event_id", envelope.getEventId())
                .put("app_code", envelope.getAppCode())
                .put("room_id", envelope.getRoomId())
                .put("room_version", Long.toString(envelope.getRoomVersion()))
                .put("index", envelope.getIndex())
                .put("occurred_at_ms", Long.toString(envelope.getOccurredAtMs()))
                .put("actor_user_id", envelope.getActorUserId())
                .encode();
        return withPayload(head, payload(envelope));
    }

    /** What a robot shows. */
    public static String of(RobotDisplays.Display display) {
        String head = new JsonObject()
                .put("type", ROBOT_DISPLAY)
                .put("app_code", display.key().appCode())
                .put("room_id", display.key().roomId())
                .put("room_version", Long.toString(display.version()))
                .put("occurred_at_ms", Long.toString(display.atMs()))
                .put("actor_user_id", display.robotUserId())
                .put("display_type", display.type())
                .encode();
        return withPayload(head, display.payloadJson().isEmpty() ? "{}" : display.payloadJson());
    }

    /** What its giver alone is told of a reward. */
    public static String of(UserNotices.LateReward reward) {
        String head = new JsonObject()
                .put("type", GIFT_REWARD_CREDITED)
                .put("event_id", reward.eventId())
                .put("app_code", reward.key().appCode())
                .put("room_id", reward.roomId())
                .put("to_user_id", reward.userId())
                .put("occurred_at_ms", Long.toString(reward.atMs()))
                .encode();
        return withPayload(
                head,
                print(GiftRewardCredited.newBuilder()
                        .setCommandId(reward.key().commandId())
                        .setGiftId(reward.giftId())
                        .setRewardCoins(reward.coins())
                        .build()));
    }

    private static String withPayload(String head, String payload) {
        return head.substring(0, head.length() - 1) + ",\"payload\":" + payload + "}";
    }

    private static String payload(FactEnvelope envelope) {
        FieldDescriptor set = envelope.getOneofFieldDescriptor(
                FactEnvelope.getDescriptor().getOneofs().get(0));
        if (set == null) {
            throw new IllegalArgumentException(envelope.getEventId() + " has no payload");
        }
        return print((Message) envelope.getField(set));
    }

    private static String print(Message payload) {
        try {
            return PAYLOAD.print(payload);
        } catch (InvalidProtocolBufferException unprintable) {
            throw new IllegalArgumentException(payload.getDescriptorForType().getName(), unprintable);
        }
    }
}
