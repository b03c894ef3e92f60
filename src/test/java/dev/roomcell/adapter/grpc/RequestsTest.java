package dev.roomcell.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import org.junit.jupiter.api.Test;

/** Which field is to blame for a message that can't be read. */
final class RequestsTest {
    private static final ByteString NOT_UTF8 = ByteString.copyFrom(new byte[] {(byte) 0xc3, 0x28});

    private static UnknownFieldSet.Builder field(int number, ByteString value) {
        return UnknownFieldSet.newBuilder()
                .addField(number, Field.newBuilder().addLengthDelimited(value).build());
    }

    private static String blamed(ByteString message) {
        try {
            Requests.parse(JoinRoomRequest.parser(), JoinRoomRequest.getDescriptor(), message.toByteArray());
        } catch (ApiException refused) {
            return refused.error().field();
        }
        throw new AssertionError("it was read");
    }

    @Test
    void aTextOfAnotherEncodingIsNamedAtAnyDepth() {
        assertThat(blamed(field(2, NOT_UTF8).build().toByteString())).isEqualTo("room_id");
        ByteString meta = field(5, NOT_UTF8).build().toByteString();
        assertThat(blamed(field(1, meta).build().toByteString())).isEqualTo("meta.trace");
    }

    /** The last one counts, and the parser reads them all. */
    @Test
    void oneBadTextAmongGoodOnesOfTheSameFieldIsNamed() {
        ByteString good = ByteString.copyFromUtf8("room");
        UnknownFieldSet twice = UnknownFieldSet.newBuilder()
                .addField(
                        2,
                        Field.newBuilder()
                                .addLengthDelimited(NOT_UTF8)
                                .addLengthDelimited(good)
                                .build())
                .build();
        assertThat(blamed(twice.toByteString())).isEqualTo("room_id");
    }

    @Test
    void whatIsNoMessageAtAllIsTheWholeRequest() {
        assertThat(blamed(ByteString.copyFrom(new byte[] {(byte) 0xff}))).isEqualTo("request");
        // A message announced longer than it is.
        assertThat(blamed(ByteString.copyFrom(new byte[] {0x0a, 0x05, 0x01}))).isEqualTo("request");
    }

    /** What the schema does not know may hold anything. */
    @Test
    void unknownFieldsAreNobodysConcern() {
        byte[] unknown = field(999, NOT_UTF8).build().toByteArray();
        JoinRoomRequest read = Requests.parse(JoinRoomRequest.parser(), JoinRoomRequest.getDescriptor(), unknown);
        assertThat(read.getRoomId()).isEmpty();
        assertThat(read.getUnknownFields().hasField(999)).isTrue();
    }
}
