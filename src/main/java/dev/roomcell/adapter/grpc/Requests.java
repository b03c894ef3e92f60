package dev.roomcell.adapter.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.UnknownFieldSet;
import java.util.Optional;

/** Reads a request, and says which field is to blame when it can't be read. */
final class Requests {
    private Requests() {}

    static <M extends Message> M parse(Parser<M> parser, Descriptor type, byte[] bytes) {
        try {
            return parser.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw invalidText(type, "", bytes)
                    .map(field -> Fields.invalid(field, "must be UTF-8"))
                    .orElseGet(() -> Fields.invalid("request", "is no " + type.getFullName() + " message"));
        }
    }

    /** The parser says only that some text is no UTF-8; without a schema the same bytes parse, and can be looked at. */
    private static Optional<String> invalidText(Descriptor type, String path, byte[] bytes) {
        UnknownFieldSet fields;
        try {
            fields = UnknownFieldSet.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
        for (FieldDescriptor field : type.getFields()) {
            for (ByteString value : fields.getField(field.getNumber()).getLengthDelimitedList()) {
                String name = path + field.getName();
                if (field.getJavaType() == FieldDescriptor.JavaType.STRING && !value.isValidUtf8()) {
                    return Optional.of(name);
                }
                if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                    Optional<String> inside = invalidText(field.getMessageType(), name + ".", value.toByteArray());
                    if (inside.isPresent()) {
                        return inside;
                    }
                }
            }
        }
        return Optional.empty();
    }
}
