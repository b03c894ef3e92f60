package dev.roomcell.adapter.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import dev.roomcell.domain.DeliveryLane;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.UserNotices;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.GiftRewardCredited;
import dev.roomcell.proto.room.v1.RoomEventType;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The documentation of the messages to a room's clients: what facts.proto says, and an example of each as it is sent. */
final class MessageDoc {
    private static final String PREFIX = "ROOM_EVENT_TYPE_";
    private static final String FIRST = """
            # Messages to a room's clients

            Made of `proto/room/v1/facts.proto` and `notices.proto` by a test; `%s` makes it anew.

            A message is a JSON object. At Tencent IM it is the `Data` of the one `TIMCustomElem` of a group message, whose
            `MsgPriority` is the priority named below. Numbers of 64 bits are strings, as a browser's number holds 53 bits;
            fields that are not set are there, empty or 0. Fields may be added.

            Messages are best effort. Of one room they come in the order of `room_version` and `index`; a message that is
            seen twice has the same `event_id`. Who misses some asks GetRoomEvents, or GetRoom. When more happens than can
            be told in a second, the least important are left out, and gifts of one sender that are alike are told as one:
            `count`, `total_price_coins` and `reward_coins` are then sums, and `event_id` is the last one's. A message that
            would be longer than 12 KB is not sent.

            | field | JSON | meaning |
            | --- | --- | --- |
            | `type` | string | what happened; says what is in `payload`. Types that a client does not know are to be ignored |
            | `event_id` | string | %s |
            | `app_code` | string | the app of the room |
            | `room_id` | string | the room |
            | `room_version` | string of digits | %s |
            | `index` | number | %s From 1000 on: no event, but how something stands |
            | `occurred_at_ms` | string of digits | %s |
            | `actor_user_id` | string | %s |
            | `payload` | object | see below |
            """;

    private static final String LAST = """
            ## ROBOT_DISPLAY

            What a robot shows (PublishRobotDisplay). No event: it has no `event_id` and no `index`, and `room_version` is the
            room's when it was asked for. Priority Low.

            | field | JSON | meaning |
            | --- | --- | --- |
            | `display_type` | string | what to show, in the clients' own vocabulary |
            | `payload` | object | its parameters, as the caller wrote them |
            """;

    private static final String ALONE = """
            ## GIFT_REWARD_CREDITED

            To one user alone: at Tencent IM a one-to-one message of the administrator, whose `Data` this is. No event of the
            room: it has no `room_version` and no `index`. It is told when a reward is credited that was not known when SendGift
            was answered (`reward_pending`); a reward that the answer names is not told again. Best effort: who misses it has the
            coins all the same. It may come twice, with the same `event_id`: it was credited once.

            %s

            | field | JSON | meaning |
            | --- | --- | --- |
            | `event_id` | string | the same for every message about this reward; unique per app |
            | `app_code` | string | the app of the room |
            | `room_id` | string | the room that the gift was given in |
            | `to_user_id` | string | who gave it, and alone gets this |
            | `occurred_at_ms` | string of digits | when the reward was credited |
            | `payload` | object | as follows |

            """;

    private final ProtoComments comments;
    private final StringBuilder text = new StringBuilder();
    /** What payloads are made of, in the order in which it is met. */
    private final Map<String, Descriptor> parts = new LinkedHashMap<>();

    private final Map<String, EnumDescriptor> words = new LinkedHashMap<>();

    private MessageDoc(ProtoComments comments) {
        this.comments = comments;
    }

    static String of(ProtoComments comments, String command) {
        MessageDoc doc = new MessageDoc(comments);
        doc.write(command);
        return doc.text.toString();
    }

    private void write(String command) {
        text.append(FIRST.formatted(
                command,
                envelope("event_id"),
                envelope("room_version"),
                envelope("index"),
                envelope("occurred_at_ms"),
                envelope("actor_user_id")));
        for (RoomEventType type : RoomEventType.values()) {
            FactEnvelope.getDescriptor().getFields().stream()
                    .filter(field -> type != RoomEventType.UNRECOGNIZED && field.getNumber() == 100 + type.getNumber())
                    .findFirst()
                    .ifPresent(field -> event(type, field));
        }
        text.append('\n').append(LAST);
        text.append('\n')
                .append(ALONE.formatted(
                        comments.of(GiftRewardCredited.getDescriptor().getName())));
        fields(GiftRewardCredited.getDescriptor());
        text.append("\n```json\n").append(reward()).append("\n```\n");
        // A part may be made of parts that come behind it.
        for (int i = 0; i < parts.size(); i++) {
            Descriptor part = List.copyOf(parts.values()).get(i);
            section("###", part.getName(), comments.of(part.getName()));
            fields(part);
        }
        words.values().forEach(this::word);
    }

    private String envelope(String field) {
        return cell(comments.of("FactEnvelope." + field));
    }

    private void section(String mark, String title, String words) {
        text.append('\n').append(mark).append(' ').append(title).append("\n\n");
        if (!words.isEmpty()) {
            text.append(words).append("\n\n");
        }
    }

    private void event(RoomEventType type, FieldDescriptor field) {
        String name = type.name().substring(PREFIX.length());
        Descriptor payload = field.getMessageType();
        section("##", name, comments.of(payload.getName()) + " Priority " + priority(name) + ".");
        fields(payload);
        text.append("\n```json\n").append(example(type, field)).append("\n```\n");
    }

    /** As Tencent calls it. */
    private static String priority(String type) {
        Optional<RoomEvent.Type> event = Stream.of(RoomEvent.Type.values())
                .filter(known -> known.name().equals(type))
                .findFirst();
        return event.map(DeliveryLane::priorityOf)
                .map(priority -> switch (priority) {
                    case HIGH -> "High";
                    case MIDDLE -> "Normal";
                    case LOW -> "Low";
                })
                .orElse("Low");
    }

    private void fields(Descriptor message) {
        text.append("| field | JSON | meaning |\n| --- | --- | --- |\n");
        for (FieldDescriptor field : message.getFields()) {
            text.append("| `")
                    .append(field.getName())
                    .append("` | ")
                    .append(field.isRepeated() ? "array of " : "")
                    .append(json(field))
                    .append(" | ")
                    .append(cell(comments.of(message.getName() + "." + field.getName())))
                    .append(" |\n");
        }
    }

    private String json(FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case INT, FLOAT, DOUBLE -> "number";
            case LONG -> "string of digits";
            case BOOLEAN -> "true or false";
            case STRING, BYTE_STRING -> "string";
            case ENUM -> {
                words.put(field.getEnumType().getName(), field.getEnumType());
                yield "string, a [" + field.getEnumType().getName() + "](#"
                        + anchor(field.getEnumType().getName()) + ")";
            }
            case MESSAGE -> {
                if (field.getMessageType().equals(FieldMask.getDescriptor())) {
                    yield "string: names of fields in camelCase, with commas";
                }
                parts.put(field.getMessageType().getName(), field.getMessageType());
                yield "[" + field.getMessageType().getName() + "](#"
                        + anchor(field.getMessageType().getName()) + ")";
            }
        };
    }

    private static String anchor(String title) {
        return title.toLowerCase(Locale.ROOT);
    }

    private static String cell(String words) {
        return words.replace("|", "\\|");
    }

    private void word(EnumDescriptor type) {
        section("###", type.getName(), comments.of(type.getName()));
        text.append("| value | meaning |\n| --- | --- |\n");
        for (EnumValueDescriptor value : type.getValues()) {
            text.append("| `")
                    .append(value.getName())
                    .append("` | ")
                    .append(cell(comments.of(type.getName() + "." + value.getName())))
                    .append(" |\n");
        }
    }

    private static String example(RoomEventType type, FieldDescriptor field) {
        FactEnvelope envelope = FactEnvelope.newBuilder()
                .setEventId("party:7:0")
                .setAppCode("demo")
                .setRoomId("party")
                .setRoomVersion(7)
                .setType(type)
                .setOccurredAtMs(1_700_000_000_000L)
                .setActorUserId("ann")
                .setSchemaVersion(1)
                .setField(field, filled(FactEnvelope.newBuilder().newBuilderForField(field), "abc"))
                .build();
        String name = type.name().substring(PREFIX.length());
        Fact fact = new Fact(0, name, true, envelope.toByteArray());
        return new JsonObject(MessageJson.of(new RoomMessenger.Message(new RoomKey("demo", "party"), 7, fact)))
                .encodePrettily();
    }

    private static String reward() {
        return new JsonObject(MessageJson.of(new UserNotices.LateReward(
                        new GiftKey("demo", "gift-1"), "party", "ann", "clover", Long.MAX_VALUE, 1_700_000_000_000L)))
                .encodePrettily();
    }

    /** Everything set that there is; each text is {@code word}. */
    static Message filled(Message.Builder message, String word) {
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            Object value = switch (field.getJavaType()) {
                case INT -> 1;
                case LONG -> Long.MAX_VALUE;
                case FLOAT -> 1f;
                case DOUBLE -> 1d;
                case BOOLEAN -> true;
                case STRING -> word;
                case BYTE_STRING -> ByteString.EMPTY;
                case ENUM -> field.getEnumType().getValues().get(1);
                case MESSAGE -> filledPart(message, field, word);
            };
            if (field.isRepeated()) {
                message.addRepeatedField(field, value);
            } else {
                message.setField(field, value);
            }
        }
        return message.build();
    }

    private static Message filledPart(Message.Builder message, FieldDescriptor field, String word) {
        return field.getMessageType().equals(FieldMask.getDescriptor())
                ? FieldMask.newBuilder().addPaths("title").addPaths("cover_url").build()
                : filled(message.newBuilderForField(field), word);
    }
}
