package dev.roomcell.adapter.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Lifecycle.CreateRoom;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomCodec.EncodedCommand;
import dev.roomcell.proto.internal.v1.StoredCommand;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** CMD-1: what makes a command another command. */
class PayloadHashTest {
    private static final RoomKey ROOM = Examples.ROOM;

    @Test
    void aRetryHasTheSameHash() {
        for (RoomCommand.Kind kind : RoomCommand.Kind.values()) {
            assertThat(hash(new RoomKey("lala", "room-1"), Examples.command(kind)))
                    .hasSize(32)
                    .isEqualTo(hash(ROOM, Examples.command(kind)));
        }
    }

    /** A retry may be older than an upgrade, or reach a node that is. */
    @Test
    void theSchemaMakesNoDifference() throws InvalidProtocolBufferException, NoSuchAlgorithmException {
        for (RoomCommand command : Examples.commands().values()) {
            EncodedCommand encoded = new StoredForm().encodeCommand(ROOM, command);
            StoredCommand.Builder stored = StoredCommand.parseFrom(encoded.bytes()).toBuilder();
            assertThat(stored.getSchemaVersion()).isPositive();

            if (stored.hasSendGift()) {
                // What was added to the wish here; a retry knows nothing of it.
                stored.getSendGiftBuilder().clearPayment().clearFuel().clearRocketPlan();
            }
            if (stored.hasLaunchRocket()) {
                stored.getLaunchRocketBuilder().clearPlan();
            }
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update("lala\0room-1\0".getBytes(StandardCharsets.UTF_8));
            byte[] digest = sha256.digest(stored.clearSchemaVersion().build().toByteArray());
            assertThat(encoded.payloadHash()).isEqualTo(Arrays.copyOf(digest, 16));
        }
    }

    @Test
    void everyBusinessFieldMakesADifference() {
        List<String> hashes = Stream.of(
                        create("carl", "olga", "title", "GB", "cover", "back", 9),
                        create("CARL", "olga", "title", "GB", "cover", "back", 9),
                        create("carl", "OLGA", "title", "GB", "cover", "back", 9),
                        create("carl", "olga", "TITLE", "GB", "cover", "back", 9),
                        create("carl", "olga", "title", "gb", "cover", "back", 9),
                        create("carl", "olga", "title", "GB", "COVER", "back", 9),
                        create("carl", "olga", "title", "GB", "cover", "BACK", 9),
                        create("carl", "olga", "title", "GB", "cover", "back", 10),
                        create("carl", "olga", "titleGB", "", "cover", "back", 9),
                        create("carl", "olga", "title", "", "GBcover", "back", 9),
                        create("carlo", "lga", "title", "GB", "cover", "back", 9))
                .map(command -> hash(ROOM, command))
                .toList();

        assertThat(hashes).doesNotHaveDuplicates();
        assertThat(fields(CreateRoom.class)).containsExactly("actorUserId", "profile", "seatCount");
        assertThat(fields(Profile.class))
                .containsExactly("ownerUserId", "title", "region", "coverUrl", "backgroundUrl");
    }

    @Test
    void theKindMakesADifference() {
        assertThat(Stream.of(
                                new Presence.JoinRoom("ben"),
                                new Presence.LeaveRoom("ben"),
                                new Lifecycle.CloseRoom("ben"))
                        .map(command -> hash(ROOM, command)))
                .doesNotHaveDuplicates();
        assertThat(Examples.commands().values().stream().map(command -> hash(ROOM, command)))
                .doesNotHaveDuplicates();
    }

    @Test
    void theActorMakesADifferenceToEveryKindThatHasOne() {
        for (RoomCommand one :
                List.of(new Presence.JoinRoom("ben"), new Presence.LeaveRoom("ben"), new Lifecycle.CloseRoom("ben"))) {
            RoomCommand other = switch (one.kind()) {
                case JOIN_ROOM -> new Presence.JoinRoom("cara");
                case LEAVE_ROOM -> new Presence.LeaveRoom("cara");
                default -> new Lifecycle.CloseRoom("cara");
            };
            assertThat(hash(ROOM, other)).isNotEqualTo(hash(ROOM, one));
        }
    }

    @Test
    void theAppAndTheRoomMakeADifferenceWhereverOneEndsAndTheOtherBegins() {
        RoomCommand join = new Presence.JoinRoom("ben");

        assertThat(Stream.of(
                                new RoomKey("lala", "room-1"),
                                new RoomKey("lala", "room-2"),
                                new RoomKey("lalb", "room-1"),
                                new RoomKey("lalar", "oom-1"),
                                new RoomKey("lal", "aroom-1"))
                        .map(key -> hash(key, join)))
                .doesNotHaveDuplicates();
    }

    private static CreateRoom create(
            String actor, String owner, String title, String region, String cover, String background, int seats) {
        return new CreateRoom(actor, new Profile(owner, title, region, cover, background), seats);
    }

    private static String hash(RoomKey key, RoomCommand command) {
        return HexFormat.of()
                .formatHex(new StoredForm().encodeCommand(key, command).payloadHash());
    }

    private static List<String> fields(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }
}
