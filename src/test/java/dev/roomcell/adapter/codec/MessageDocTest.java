package dev.roomcell.adapter.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomBatch.Fact;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.proto.room.v1.FactEnvelope;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said of the messages to clients, and what they are. */
final class MessageDocTest {
    private static final Path PROJECT = Path.of(System.getProperty("basedir", ""));
    private static final Path DOC = PROJECT.resolve("src/docs/room-messages.md");
    private static final String ACCEPT = "mvn -q test -Dtest=MessageDocTest -Ddocs.accept=true";

    @Test
    void theDocumentationIsWhatTheProtoSays() throws IOException {
        String now = MessageDoc.of(
                ProtoComments.of(
                        PROJECT.resolve("proto/room/v1/common.proto"),
                        PROJECT.resolve("proto/room/v1/facts.proto"),
                        PROJECT.resolve("proto/room/v1/notices.proto")),
                ACCEPT);
        if (Boolean.getBoolean("docs.accept")) {
            Files.writeString(DOC, now);
        }
        assertThat(Files.exists(DOC) ? Files.readString(DOC) : "")
                .as("run `" + ACCEPT + "`")
                .isEqualTo(now);
        assertThat(now.lines()).as("everything has a meaning").noneMatch(line -> line.endsWith("|  |"));
    }

    static Stream<FieldDescriptor> payloads() {
        return FactEnvelope.getDescriptor().getOneofs().get(0).getFields().stream();
    }

    /** LANE-6: a browser's number holds 53 bits. */
    @ParameterizedTest
    @MethodSource("payloads")
    @Tag("LANE-6")
    void everyNumberOf64BitsIsAStringAndEveryTextArrivesWhole(FieldDescriptor payload) {
        Message filled = MessageDoc.filled(FactEnvelope.newBuilder().newBuilderForField(payload), "\ud83c\udf89");
        FactEnvelope envelope = FactEnvelope.newBuilder()
                .setEventId("\ud83c\udf89:7:0")
                .setRoomVersion(Long.MAX_VALUE)
                .setOccurredAtMs(Long.MAX_VALUE)
                .setField(payload, filled)
                .build();
        JsonObject message = new JsonObject(MessageJson.of(new RoomMessenger.Message(
                new RoomKey("app", "room"), 7, new Fact(0, payload.getName(), true, envelope.toByteArray()))));
        assertThat(message.getString("room_version")).isEqualTo("9223372036854775807");
        assertThat(message.getString("occurred_at_ms")).isEqualTo("9223372036854775807");
        assertThat(message.getString("event_id")).isEqualTo("\ud83c\udf89:7:0");
        assertIsAllOf(payload.getMessageType(), message.getJsonObject("payload"));
    }

    private static void assertIsAllOf(Descriptor type, JsonObject json) {
        assertThat(json.fieldNames())
                .containsExactlyInAnyOrderElementsOf(
                        type.getFields().stream().map(FieldDescriptor::getName).toList());
        for (FieldDescriptor field : type.getFields()) {
            Object value = json.getValue(field.getName());
            Object one = field.isRepeated() ? ((JsonArray) value).getValue(0) : value;
            switch (field.getJavaType()) {
                case LONG -> assertThat(one).as(field.getFullName()).isEqualTo("9223372036854775807");
                case STRING -> assertThat(one).as(field.getFullName()).isEqualTo("\ud83c\udf89");
                case INT -> assertThat(one).as(field.getFullName()).isEqualTo(1);
                case BOOLEAN -> assertThat(one).as(field.getFullName()).isEqualTo(true);
                case ENUM ->
                    assertThat(one)
                            .as(field.getFullName())
                            .isEqualTo(field.getEnumType().getValues().get(1).getName());
                case MESSAGE -> {
                    if (!field.getMessageType().equals(FieldMask.getDescriptor())) {
                        assertIsAllOf(field.getMessageType(), (JsonObject) one);
                    }
                }
                case FLOAT, DOUBLE, BYTE_STRING ->
                    assertThat(field.getFullName())
                            .as("no client was told of such")
                            .isEmpty();
            }
        }
    }
}
