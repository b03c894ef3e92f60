package dev.roomcell.adapter.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.proto.room.v1.CloseRoomResult;
import dev.roomcell.proto.room.v1.CreateRoomResult;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.JoinRoomResult;
import dev.roomcell.proto.room.v1.LeaveRoomResult;
import dev.roomcell.proto.room.v1.MicChangeReason;
import dev.roomcell.proto.room.v1.MicSeat;
import dev.roomcell.proto.room.v1.MicSeatStatus;
import dev.roomcell.proto.room.v1.PresenceEntry;
import dev.roomcell.proto.room.v1.PresenceKind;
import dev.roomcell.proto.room.v1.RoomClosed;
import dev.roomcell.proto.room.v1.RoomClosedReason;
import dev.roomcell.proto.room.v1.RoomCreated;
import dev.roomcell.proto.room.v1.RoomEventType;
import dev.roomcell.proto.room.v1.RoomMicChanged;
import dev.roomcell.proto.room.v1.RoomProfile;
import dev.roomcell.proto.room.v1.RoomSnapshot;
import dev.roomcell.proto.room.v1.RoomStatus;
import dev.roomcell.proto.room.v1.RoomUserJoined;
import dev.roomcell.proto.room.v1.RoomUserLeft;
import dev.roomcell.proto.room.v1.UserLeftReason;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PublicFormTest {
    private static final StoredForm CODEC = new StoredForm();
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final RoomState ACTIVE = Examples.state(Lifecycle.Status.ACTIVE);
    private static final String GROUP = ExternalIds.groupId(Examples.ROOM);
    private static final RoomProfile PROFILE = RoomProfile.newBuilder()
            .setTitle(Examples.PROFILE.title())
            .setRegion("GB")
            .setCoverUrl("https://img.example/cover")
            .build();

    /** CMD-6: the answer holds the version, the ids that the vendors know, and all that the command decided. */
    @Test
    void anAnswerSaysAllThatWasDecided() {
        assertThat(PublicResults.of(Examples.ROOM, new Lifecycle.Created(1, 11)))
                .isEqualTo(CreateRoomResult.newBuilder()
                        .setRoomVersion(1)
                        .setCreatedAtMs(11)
                        .setImGroupId(GROUP)
                        .setRtcRoomId(GROUP)
                        .build());
        assertThat(PublicResults.of(Examples.ROOM, new Lifecycle.Closed(2, 41, 12)))
                .isEqualTo(CloseRoomResult.newBuilder()
                        .setRoomVersion(2)
                        .setUsersPresent(41)
                        .setClosedAtMs(12)
                        .build());
        assertThat(PublicResults.of(Examples.ROOM, new Presence.Joined(3, 13, 42)))
                .isEqualTo(JoinRoomResult.newBuilder()
                        .setRoomVersion(3)
                        .setJoinedAtMs(13)
                        .setOnlineCount(42)
                        .setImGroupId(GROUP)
                        .setRtcRoomId(GROUP)
                        .build());
        assertThat(PublicResults.of(Examples.ROOM, new Presence.Left(4, 40)))
                .isEqualTo(LeaveRoomResult.newBuilder()
                        .setRoomVersion(4)
                        .setOnlineCount(40)
                        .build());
    }

    static Stream<RoomEvent> events() {
        return Examples.events().values().stream();
    }

    /** OUT-5, OUT-8. */
    @ParameterizedTest
    @MethodSource("events")
    void anEnvelopeSaysWhereWhenAndByWhichCommandItHappened(RoomEvent event) throws InvalidProtocolBufferException {
        FactEnvelope fact = fact(event);

        assertThat(fact.toBuilder().clearPayload().build())
                .isEqualTo(FactEnvelope.newBuilder()
                        .setEventId("room-1:7:3")
                        .setAppCode("lala")
                        .setRoomId("room-1")
                        .setRoomVersion(7)
                        .setIndex(3)
                        .setType(RoomEventType.valueOf("ROOM_EVENT_TYPE_" + event.type()))
                        .setOccurredAtMs(1_700_000_000_123L)
                        .setCommandId("command-1")
                        .setActorUserId("carl")
                        .setSchemaVersion(1)
                        .build());
        assertThat(fact.getPayloadCase().getNumber()).isEqualTo(100 + fact.getTypeValue());
    }

    static Stream<Arguments> payloads() {
        return Stream.of(
                Arguments.of(
                        "ROOM_CREATED",
                        FactEnvelope.newBuilder()
                                .setRoomCreated(RoomCreated.newBuilder()
                                        .setOwnerUserId("olga")
                                        .setProfile(PROFILE)
                                        .setBackgroundUrl("https://img.example/back")
                                        .setSeatCount(12)
                                        .setImGroupId(GROUP)
                                        .setRtcRoomId(GROUP))),
                Arguments.of(
                        "ROOM_CLOSED-CLOSED_BY_OWNER",
                        FactEnvelope.newBuilder()
                                .setRoomClosed(RoomClosed.newBuilder()
                                        .setReason(RoomClosedReason.ROOM_CLOSED_REASON_CLOSED_BY_OWNER)
                                        .setUsersPresent(41)
                                        .setClosedAtMs(1_700_000_000_123L))),
                Arguments.of(
                        "ROOM_USER_JOINED",
                        FactEnvelope.newBuilder()
                                .setRoomUserJoined(RoomUserJoined.newBuilder()
                                        .setUserId("ben")
                                        .setKind(PresenceKind.PRESENCE_KIND_USER)
                                        .setOnlineCount(42))),
                Arguments.of(
                        "ROOM_USER_LEFT-LEFT",
                        FactEnvelope.newBuilder()
                                .setRoomUserLeft(RoomUserLeft.newBuilder()
                                        .setUserId("ben")
                                        .setReason(UserLeftReason.USER_LEFT_REASON_LEFT)
                                        .setJoinedAtMs(1_700_000_000_001L)
                                        .setOnlineCount(40)
                                        .setKind(PresenceKind.PRESENCE_KIND_USER))),
                Arguments.of(
                        "ROOM_MIC_CHANGED-ROOM_CLOSED",
                        FactEnvelope.newBuilder()
                                .setRoomMicChanged(RoomMicChanged.newBuilder()
                                        .setSeatNo(5)
                                        .setUserId("ben")
                                        .setMicSessionId("mic-9")
                                        .setFromStatus(MicSeatStatus.MIC_SEAT_STATUS_PUBLISHING)
                                        .setToStatus(MicSeatStatus.MIC_SEAT_STATUS_IDLE)
                                        .setReason(MicChangeReason.MIC_CHANGE_REASON_ROOM_CLOSED))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("payloads")
    void aPayloadSaysAllThatHappened(String example, FactEnvelope.Builder expected)
            throws InvalidProtocolBufferException {
        FactEnvelope fact = fact(Examples.event(example));

        assertThat(payload(fact)).isEqualTo(payload(expected.build()));
    }

    @ParameterizedTest
    @EnumSource(MicSeats.Cause.class)
    void everyCauseOfAMicChangeHasAPublicName(MicSeats.Cause cause) throws InvalidProtocolBufferException {
        FactEnvelope fact = fact(Examples.event("ROOM_MIC_CHANGED-" + cause));

        assertThat(fact.getRoomMicChanged().getReason())
                .isEqualTo(
                        switch (cause) {
                            case TAKEN -> MicChangeReason.MIC_CHANGE_REASON_MIC_UP;
                            case SEAT_CHANGED,
                                    PUBLISH_CONFIRMED,
                                    STREAM_KEPT,
                                    RTC_AUDIO_STARTED,
                                    RTC_AUDIO_STOPPED,
                                    RTC_ROOM_EXITED,
                                    UNHEARD,
                                    MIC_DOWN,
                                    TAKEN_DOWN,
                                    SEAT_LOCKED,
                                    PUBLISH_TIMEOUT,
                                    USER_LEFT,
                                    USER_STALE,
                                    USER_KICKED,
                                    ROOM_CLOSED -> MicChangeReason.valueOf("MIC_CHANGE_REASON_" + cause);
                        });
    }

    @ParameterizedTest
    @EnumSource(Lifecycle.CloseCause.class)
    void everyCauseOfAClosingHasItsNameInPublic(Lifecycle.CloseCause cause) throws InvalidProtocolBufferException {
        FactEnvelope fact = fact(Examples.event("ROOM_CLOSED-" + cause));

        assertThat(fact.getRoomClosed().getReason().name()).isEqualTo("ROOM_CLOSED_REASON_" + cause);
    }

    @ParameterizedTest
    @EnumSource(Lifecycle.Status.class)
    void everyStatusHasItsNameInPublic(Lifecycle.Status status) {
        assertThat(PublicForm.snapshot(Examples.state(status), NOW_MS)
                        .getStatus()
                        .name())
                .isEqualTo("ROOM_STATUS_" + status);
    }

    @Test
    void aRoomIsShownWholeButForWhoIsPresent() {
        assertThat(PublicForm.snapshot(ACTIVE, NOW_MS).toBuilder().clearSeats().build())
                .isEqualTo(RoomSnapshot.newBuilder()
                        .setAppCode("lala")
                        .setRoomId("room-1")
                        .setRoomVersion(7)
                        .setStatus(RoomStatus.ROOM_STATUS_ACTIVE)
                        .setOwnerUserId("olga")
                        .setCreatedAtMs(1_700_000_000_001L)
                        .setProfile(PROFILE)
                        .setBackgroundUrl("https://img.example/back")
                        .setImGroupId(GROUP)
                        .setRtcRoomId(GROUP)
                        .setOnlineCount(3)
                        .setChatEnabled(true)
                        .build());
        assertThat(PublicForm.snapshot(Examples.state(Lifecycle.Status.CLOSED), NOW_MS)
                        .getClosedAtMs())
                .isEqualTo(1_700_000_000_999L);
    }

    @Test
    void everySeatIsShownWithItsStatusAndWhoSitsThere() {
        assertThat(PublicForm.snapshot(ACTIVE, NOW_MS).getSeatsList())
                .containsExactly(
                        seat(1, MicSeatStatus.MIC_SEAT_STATUS_IDLE, "", ""),
                        seat(2, MicSeatStatus.MIC_SEAT_STATUS_LOCKED, "", ""),
                        seat(3, MicSeatStatus.MIC_SEAT_STATUS_PENDING_PUBLISH, "ben", "mic-5"),
                        seat(4, MicSeatStatus.MIC_SEAT_STATUS_PUBLISHING, "cara", "mic-6"));
    }

    @Test
    void whoIsPresentIsShownWithTheLastSignOfLife() {
        assertThat(PublicForm.presence(new Presence.Member("ben", Presence.MemberKind.USER, 11, 2, 22)))
                .isEqualTo(PresenceEntry.newBuilder()
                        .setUserId("ben")
                        .setKind(PresenceKind.PRESENCE_KIND_USER)
                        .setJoinedAtMs(11)
                        .setLastSeenAtMs(22)
                        .build());
    }

    private static MicSeat seat(int seatNo, MicSeatStatus status, String userId, String micSessionId) {
        return MicSeat.newBuilder()
                .setSeatNo(seatNo)
                .setStatus(status)
                .setUserId(userId)
                .setMicSessionId(micSessionId)
                .build();
    }

    private static FactEnvelope fact(RoomEvent event) throws InvalidProtocolBufferException {
        Stamp stamp = new Stamp(7, 1_700_000_000_123L);
        return FactEnvelope.parseFrom(CODEC.encodeFact(Examples.ROOM, stamp, 3, "command-1", "carl", event)
                .envelope());
    }

    private static MessageLite payload(FactEnvelope fact) {
        return (MessageLite) fact.getAllFields().values().stream()
                .filter(MessageLite.class::isInstance)
                .findFirst()
                .orElseThrow();
    }
}
