package dev.roomcell.adapter.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.roomcell.domain.CommandResult;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.proto.room.v1.ConfirmMicPublishingResult;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.MicUpResult;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the outside world is told, in protobuf's text form. */
class PublicTextTest {
    private static final StoredForm CODEC = new StoredForm();

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            ROOM_USER_JOINED-robot | user_id: "ben" kind: PRESENCE_KIND_ROBOT online_count: 42
            ROOM_USER_LEFT-robot | user_id: "ben" reason: USER_LEFT_REASON_LEFT joined_at_ms: 1700000000001 online_count: 40 kind: PRESENCE_KIND_ROBOT
            ROOM_USER_LEFT-STALE | user_id: "ben" reason: USER_LEFT_REASON_STALE joined_at_ms: 1700000000001 online_count: 40 kind: PRESENCE_KIND_USER
            ROOM_USER_LEFT-KICKED | user_id: "ben" reason: USER_LEFT_REASON_KICKED joined_at_ms: 1700000000001 online_count: 40 kind: PRESENCE_KIND_USER
            ROOM_MIC_CHANGED-moved | seat_no: 5 previous_seat_no: 4 user_id: "ben" mic_session_id: "mic-9" from_status: MIC_SEAT_STATUS_PUBLISHING to_status: MIC_SEAT_STATUS_PENDING_PUBLISH reason: MIC_CHANGE_REASON_SEAT_CHANGED mic_session_started_at_ms: 1700000000009 publish_deadline_ms: 1700000015009 mic_session_room_version: 9
            ROOM_MIC_SEAT_LOCKED | seat_no: 5 locked: true
            ROOM_PROFILE_UPDATED | profile { title: "Coffee" region: "US" cover_url: "https://img.example/other" } changed { paths: "title" paths: "region" paths: "cover_url" }
            ROOM_BACKGROUND_CHANGED | background_url: "https://img.example/wall"
            ROOM_CHAT_ENABLED_CHANGED | enabled: true
            ROOM_ADMIN_CHANGED | user_id: "ben" admin: true
            ROOM_USER_MUTED | user_id: "ben" muted_until_ms: 1700000060123
            ROOM_USER_KICKED | user_id: "ben" was_present: true
            ROOM_USER_UNBANNED | user_id: "ben"
            """)
    void aPayloadSaysAllThatHappened(String example, String expected) throws InvalidProtocolBufferException {
        RoomEvent event = Examples.event(example);
        FactEnvelope fact = FactEnvelope.parseFrom(CODEC.encodeFact(Examples.ROOM, Examples.STAMP, 0, "c", "a", event)
                .envelope());
        Message payload = (Message) fact.getAllFields().values().stream()
                .filter(Message.class::isInstance)
                .findFirst()
                .orElseThrow();

        assertThat(text(payload)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            BackgroundSet | room_version: 9 background_url: "https://img.example/wall"
            SeatTaken | room_version: 9 seat { seat_no: 5 status: MIC_SEAT_STATUS_PENDING_PUBLISH user_id: "ben" mic_session_id: "mic-9" publish_deadline_ms: 1700000015009 mic_session_room_version: 9 }
            SeatFreed | room_version: 10 seat_no: 5 mic_session_id: "mic-9"
            SeatChanged | room_version: 10 seat { seat_no: 5 status: MIC_SEAT_STATUS_PENDING_PUBLISH user_id: "ben" mic_session_id: "mic-9" publish_deadline_ms: 1700000015009 mic_session_room_version: 9 } previous_seat_no: 4
            SeatLockSet | room_version: 10 seat { seat_no: 5 status: MIC_SEAT_STATUS_LOCKED } removed_user_id: "ben"
            ChatSwitched | room_version: 9 enabled: true
            AdminSet | room_version: 9 admin: true
            Muted | room_version: 9 muted_until_ms: 1700000060123
            Kicked | room_version: 9 online_count: 40
            Unbanned | room_version: 9
            """)
    void anAnswerSaysAllThatWasDecided(String example, String expected) {
        CommandResult result = Objects.requireNonNull(Examples.results().get(example), example);

        assertThat(text((Message) PublicResults.of(Examples.ROOM, result))).isEqualTo(expected);
    }

    private static String text(Message message) {
        return TextFormat.printer().emittingSingleLine(true).printToString(message);
    }

    /** Both are written as the one that answers MicUp. */
    @Test
    void whoConfirmsReadsTheSameSeatAsWhoTakesOne() throws InvalidProtocolBufferException {
        CommandResult taken = Objects.requireNonNull(Examples.results().get("SeatTaken"));
        byte[] result = CODEC.encodeResult(Examples.ROOM, taken);

        ConfirmMicPublishingResult confirmed = ConfirmMicPublishingResult.parseFrom(result);

        assertThat(confirmed.getUnknownFields().asMap()).isEmpty();
        assertThat(confirmed.getSeat()).isEqualTo(MicUpResult.parseFrom(result).getSeat());
        assertThat(confirmed.getRoomVersion()).isEqualTo(((MicSeats.SeatTaken) taken).roomVersion());
    }

    @Test
    void everyAnswerTellsItsVersionFirst() {
        Examples.results()
                .forEach((name, result) -> assertThat(
                                PublicForm.roomVersionOf(CODEC.encodeResult(Examples.ROOM, result)))
                        .as(name)
                        .isEqualTo(result.roomVersion()));
    }
}
