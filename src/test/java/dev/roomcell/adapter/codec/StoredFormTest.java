package dev.roomcell.adapter.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.MessageLite;
import dev.roomcell.domain.GiftBoard;
import dev.roomcell.domain.HouseRules;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomCodec.UnreadableException;
import dev.roomcell.port.SnapshotStore.Snapshot;
import dev.roomcell.proto.internal.v1.CloseRoomCommand;
import dev.roomcell.proto.internal.v1.RoomClosedEvent;
import dev.roomcell.proto.internal.v1.RoomMicChangedEvent;
import dev.roomcell.proto.internal.v1.RoomUserLeftEvent;
import dev.roomcell.proto.internal.v1.StoredCommand;
import dev.roomcell.proto.internal.v1.StoredEvent;
import dev.roomcell.proto.internal.v1.StoredEvents;
import dev.roomcell.proto.internal.v1.StoredLastSeen;
import dev.roomcell.proto.internal.v1.StoredSeat;
import dev.roomcell.proto.internal.v1.StoredState;
import io.vavr.collection.LinkedHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredFormTest {
    private static final StoredForm CODEC = new StoredForm();
    private static final RoomState ACTIVE = Examples.state(Lifecycle.Status.ACTIVE);
    private static final long TAKEN_AT_MS = 1_700_000_001_000L;

    @Test
    void severalEventsKeepTheirOrder() {
        List<RoomEvent> events = new ArrayList<>(Examples.events().values());

        assertThat(CODEC.decodeEvents(CODEC.encodeEvents(events))).isEqualTo(events);
    }

    /** PRES-7: the hint is outside the checksum, so it may say anything. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, 0, 1_699_999_999_999L, 1_700_000_001_001L, Long.MAX_VALUE})
    void aSignOfLifeIsNeitherBeforeTheStayNorAfterTheSnapshot(long hintMs) {
        Snapshot snapshot = CODEC.encodeState(ACTIVE, 1_700_000_001_000L);
        StoredLastSeen.Builder hint = StoredLastSeen.newBuilder();
        ACTIVE.members().forEach((userId, member) -> hint.addLastSeenAtMs(hintMs));
        Snapshot doctored = Snapshot.of(
                snapshot.version(),
                snapshot.atMs(),
                snapshot.state(),
                hint.build().toByteArray());

        CODEC.decodeState(ACTIVE.key(), doctored)
                .members()
                .forEach((userId, member) ->
                        assertThat(member.lastSeenAtMs()).isBetween(member.joinedAtMs(), snapshot.atMs()));
    }

    /** B69: what a snapshot does not say is not granted, and silences nobody. */
    @Test
    void aSnapshotThatKnowsNothingOfRightsGrantsNone() {
        StoredState older = StoredState.newBuilder()
                .setSchemaVersion(1)
                .setVersion(7)
                .setStatus("ACTIVE")
                .build();

        RoomState room =
                CODEC.decodeState(Examples.ROOM, Snapshot.of(7, TAKEN_AT_MS, older.toByteArray(), new byte[0]));

        assertThat(room.houseRules()).isEqualTo(HouseRules.INITIAL);
        assertThat(room.houseRules().admins()).isEmpty();
        assertThat(room.houseRules().chatEnabled()).isTrue();
    }

    @Test
    void equalRoomsHaveEqualBytesHoweverTheyCameAbout() {
        RoomState sameInOtherOrder = new RoomState(
                ACTIVE.key(),
                ACTIVE.version(),
                ACTIVE.status(),
                ACTIVE.profile(),
                ACTIVE.createdAtMs(),
                ACTIVE.closedAtMs(),
                LinkedHashMap.ofEntries(ACTIVE.members().toList().reverse()),
                ACTIVE.robots(),
                ACTIVE.seats(),
                ACTIVE.houseRules(),
                GiftBoard.EMPTY,
                Optional.empty());

        Snapshot one = CODEC.encodeState(ACTIVE, TAKEN_AT_MS);
        Snapshot other = CODEC.encodeState(sameInOtherOrder, 1);
        assertThat(other.state()).isEqualTo(one.state());
        assertThat(other.lastSeen()).isEqualTo(one.lastSeen());
    }

    @Test
    void aSnapshotSaysOfWhichVersionAndWhenItIs() {
        Snapshot snapshot = CODEC.encodeState(ACTIVE, 1_700_000_001_000L);

        assertThat(snapshot.version()).isEqualTo(ACTIVE.version());
        assertThat(snapshot.atMs()).isEqualTo(1_700_000_001_000L);
        assertThat(snapshot.intact()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, StoredForm.SCHEMA_VERSION + 1, Integer.MAX_VALUE})
    void anUnknownSchemaIsUnreadable(int schema) {
        MessageLite command = StoredCommand.newBuilder()
                .setSchemaVersion(schema)
                .setActorUserId("olga")
                .setCloseRoom(CloseRoomCommand.getDefaultInstance())
                .build();
        MessageLite events = StoredEvents.newBuilder().setSchemaVersion(schema).build();
        StoredState state = StoredState.newBuilder()
                .setSchemaVersion(schema)
                .setStatus("ACTIVE")
                .build();

        assertUnreadable(() -> CODEC.decodeCommand(command.toByteArray()), "schema " + schema);
        assertUnreadable(() -> CODEC.decodeEvents(events.toByteArray()), "schema " + schema);
        assertUnreadable(() -> decode(state), "schema " + schema);
    }

    @Test
    void aKindThatThisNodeDoesNotKnowIsUnreadable() {
        MessageLite command = StoredCommand.newBuilder().setSchemaVersion(1).build();
        MessageLite events = StoredEvents.newBuilder()
                .setSchemaVersion(1)
                .addEvents(StoredEvent.getDefaultInstance())
                .build();

        assertUnreadable(() -> CODEC.decodeCommand(command.toByteArray()), "unknown kind");
        assertUnreadable(() -> CODEC.decodeEvents(events.toByteArray()), "unknown kind");
    }

    static Stream<Arguments> unknownNames() {
        RoomMicChangedEvent mic = RoomMicChangedEvent.newBuilder()
                .setFrom("IDLE")
                .setTo("LOCKED")
                .setCause("TAKEN")
                .build();
        return Stream.of(
                Arguments.of(
                        "CloseCause 'MELTED'",
                        StoredEvent.newBuilder()
                                .setRoomClosed(RoomClosedEvent.newBuilder().setCause("MELTED"))),
                Arguments.of(
                        "LeaveCause ''",
                        StoredEvent.newBuilder().setRoomUserLeft(RoomUserLeftEvent.getDefaultInstance())),
                Arguments.of(
                        "Status 'idle'",
                        StoredEvent.newBuilder()
                                .setRoomMicChanged(mic.toBuilder().setFrom("idle"))),
                Arguments.of(
                        "Status 'MELTED'",
                        StoredEvent.newBuilder()
                                .setRoomMicChanged(mic.toBuilder().setTo("MELTED"))),
                Arguments.of(
                        "Cause 'MELTED'",
                        StoredEvent.newBuilder()
                                .setRoomMicChanged(mic.toBuilder().setCause("MELTED"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unknownNames")
    void aNameThatThisNodeDoesNotKnowIsUnreadable(String complaint, StoredEvent.Builder event) {
        StoredEvents events =
                StoredEvents.newBuilder().setSchemaVersion(1).addEvents(event).build();

        assertUnreadable(() -> CODEC.decodeEvents(events.toByteArray()), "unknown " + complaint);
    }

    @Test
    void aStatusThatThisNodeDoesNotKnowIsUnreadable() {
        StoredState room =
                StoredState.newBuilder().setSchemaVersion(1).setStatus("MELTED").build();
        StoredState seat = StoredState.newBuilder()
                .setSchemaVersion(1)
                .setStatus("ACTIVE")
                .addSeats(StoredSeat.newBuilder().setSeatNo(1).setStatus("MELTED"))
                .build();

        assertUnreadable(() -> decode(room), "unknown Status 'MELTED'");
        assertUnreadable(() -> decode(seat), "unknown Status 'MELTED'");
    }

    @Test
    void whateverHappensToTheBytesTheyAreReadOrUnreadable() {
        for (var command : Examples.commands().values()) {
            byte[] bytes = CODEC.encodeCommand(Examples.ROOM, command).bytes();
            assertThat(unreadableAmongDamaged(bytes, CODEC::decodeCommand)).isPositive();
        }
        for (RoomEvent event : Examples.events().values()) {
            byte[] bytes = CODEC.encodeEvents(List.of(event));
            assertThat(unreadableAmongDamaged(bytes, CODEC::decodeEvents)).isPositive();
        }
    }

    @Test
    void aSnapshotWithAnyByteChangedOrLostIsUnreadable() {
        Snapshot whole = CODEC.encodeState(ACTIVE, TAKEN_AT_MS);
        for (byte[] damaged : damages(whole.state())) {
            Snapshot snapshot = new Snapshot(whole.version(), 1, damaged, whole.checksum(), whole.lastSeen());
            assertUnreadable(() -> CODEC.decodeState(Examples.ROOM, snapshot), "checksum");
        }
        Snapshot wrongSum = new Snapshot(whole.version(), 1, whole.state(), whole.checksum() + 1, whole.lastSeen());
        assertUnreadable(() -> CODEC.decodeState(Examples.ROOM, wrongSum), "checksum");
    }

    @Test
    void aSnapshotFiledUnderAnotherVersionIsUnreadable() {
        Snapshot whole = CODEC.encodeState(ACTIVE, TAKEN_AT_MS);

        Snapshot misfiled = Snapshot.of(whole.version() + 1, 1, whole.state(), whole.lastSeen());

        assertUnreadable(() -> CODEC.decodeState(Examples.ROOM, misfiled), "is one of version 7");
    }

    /** PRES-7. */
    @Test
    void signsOfLifeAreOutsideTheChecksum() {
        RoomState later = seenLater(ACTIVE);

        Snapshot before = CODEC.encodeState(ACTIVE, TAKEN_AT_MS);
        Snapshot after = CODEC.encodeState(later, TAKEN_AT_MS);

        assertThat(after.state()).isEqualTo(before.state());
        assertThat(after.checksum()).isEqualTo(before.checksum());
        assertThat(after.lastSeen()).isNotEqualTo(before.lastSeen());
        assertThat(CODEC.decodeState(Examples.ROOM, after)).isEqualTo(later);
    }

    /** PRES-7: too few, too many, none: the room is what it is. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 9})
    void aHintWithTheWrongNumberOfSignsMissesOnlySigns(int signs) {
        StoredLastSeen.Builder hint = StoredLastSeen.newBuilder();
        for (int i = 0; i < signs; i++) {
            hint.addLastSeenAtMs(1_700_000_000_500L);
        }

        RoomState decoded = withHint(hint.build().toByteArray());

        assertThat(CODEC.encodeState(decoded, 1).state())
                .isEqualTo(CODEC.encodeState(ACTIVE, TAKEN_AT_MS).state());
        assertThat(decoded.members().values().count(member -> member.lastSeenAtMs() == 1_700_000_000_500L))
                .isEqualTo(Math.min(signs, 3));
        assertThat(decoded.members().values().count(member -> member.lastSeenAtMs() == member.joinedAtMs()))
                .isEqualTo(Math.max(0, 3 - signs));
    }

    /** PRES-7: a hint decides nothing, so damage to it keeps nobody out of the room. */
    @Test
    void aDamagedHintNeverMakesARoomUnreadable() {
        for (byte[] damaged : damages(CODEC.encodeState(ACTIVE, TAKEN_AT_MS).lastSeen())) {
            assertThat(CODEC.encodeState(withHint(damaged), 1).state())
                    .isEqualTo(CODEC.encodeState(ACTIVE, TAKEN_AT_MS).state());
        }
    }

    /** OUT-8. */
    @Test
    void aFactIsNamedByRoomVersionAndIndex() {
        RoomEvent event = Examples.event("ROOM_USER_JOINED");

        RoomBatch.Fact fact = CODEC.encodeFact(Examples.ROOM, new Stamp(7, 1), 3, "command-1", "ben", event);

        assertThat(fact.index()).isEqualTo(3);
        assertThat(fact.type()).isEqualTo("ROOM_USER_JOINED");
        assertThat(PublicForm.eventId(Examples.ROOM, 7, 3)).isEqualTo("room-1:7:3");
    }

    private static RoomState withHint(byte[] hint) {
        Snapshot whole = CODEC.encodeState(ACTIVE, TAKEN_AT_MS);
        return CODEC.decodeState(Examples.ROOM, Snapshot.of(whole.version(), TAKEN_AT_MS, whole.state(), hint));
    }

    private static RoomState seenLater(RoomState state) {
        return Presence.seen(state, "ben", 1_700_000_000_999L);
    }

    private static RoomState decode(StoredState state) {
        return CODEC.decodeState(Examples.ROOM, Snapshot.of(state.getVersion(), 1, state.toByteArray(), new byte[0]));
    }

    private interface Decoder {
        Object decode(byte[] bytes);
    }

    /** How many of the damaged forms are refused; the others are read as something else: only snapshots have checksums. */
    private static int unreadableAmongDamaged(byte[] bytes, Decoder decoder) {
        int unreadable = 0;
        for (byte[] damaged : damages(bytes)) {
            try {
                assertThat(decoder.decode(damaged)).isNotNull();
            } catch (UnreadableException expected) {
                assertThat(expected.getMessage()).isNotBlank();
                unreadable++;
            }
        }
        return unreadable;
    }

    /** Every beginning of {@code bytes}, and {@code bytes} with each single bit the other way round. */
    private static List<byte[]> damages(byte[] bytes) {
        List<byte[]> damages = new ArrayList<>();
        for (int length = 0; length < bytes.length; length++) {
            damages.add(Arrays.copyOf(bytes, length));
        }
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            damages.add(flipped);
        }
        return damages;
    }

    private static void assertUnreadable(ThrowingCallable decoding, String complaint) {
        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(decoding)
                .withMessageContaining(complaint);
    }
}
