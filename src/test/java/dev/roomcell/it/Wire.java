package dev.roomcell.it;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;

/** Messages changed below the schema, so that they hold what no generated class would let in. */
final class Wire {
    private Wire() {}

    /** {@code message} with these bytes as the text, bytes or message at {@code path} (field numbers, from outside in). */
    static byte[] with(MessageLite message, ByteString value, int... path) {
        return with(message, Field.newBuilder().addLengthDelimited(value).build(), path);
    }

    /** {@code message} with this number at {@code path}. */
    static byte[] with(MessageLite message, long value, int... path) {
        return with(message, Field.newBuilder().addVarint(value).build(), path);
    }

    /** {@code message} without what is at {@code path}. */
    static byte[] without(MessageLite message, int... path) {
        return with(message, Field.getDefaultInstance(), path);
    }

    private static byte[] with(MessageLite message, Field value, int... path) {
        return replaced(message.toByteString(), value, path, 0).toByteArray();
    }

    private static ByteString replaced(ByteString message, Field value, int[] path, int depth) {
        try {
            UnknownFieldSet.Builder fields = UnknownFieldSet.parseFrom(message).toBuilder();
            if (depth == path.length - 1) {
                fields.clearField(path[depth]);
                if (!value.equals(Field.getDefaultInstance())) {
                    fields.addField(path[depth], value);
                }
            } else {
                ByteString inside = fields.build().getField(path[depth]).getLengthDelimitedList().stream()
                        .findFirst()
                        .orElse(ByteString.EMPTY);
                Field changed = Field.newBuilder()
                        .addLengthDelimited(replaced(inside, value, path, depth + 1))
                        .build();
                fields.clearField(path[depth]).addField(path[depth], changed);
            }
            return fields.build().toByteString();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("no message", e);
        }
    }
}
