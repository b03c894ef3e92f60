package dev.roomcell.client;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.QueryMeta;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a type of request keeps what all of them have: {@code meta} and {@code room_id}.
 *
 * @param meta its field {@code meta}
 * @param roomId its field {@code room_id}
 */
record RequestShape(
        @Nullable FieldDescriptor meta, @Nullable FieldDescriptor roomId) {
    private static final Map<Descriptor, RequestShape> KNOWN = new ConcurrentHashMap<>();

    static RequestShape of(Message request) {
        Descriptor type = request.getDescriptorForType();
        RequestShape known = KNOWN.get(type);
        return known != null ? known : KNOWN.computeIfAbsent(type, RequestShape::read);
    }

    private static RequestShape read(Descriptor type) {
        FieldDescriptor meta = type.findFieldByName("meta");
        boolean ofUs = meta != null
                && meta.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && (isCommand(meta) || meta.getMessageType() == QueryMeta.getDescriptor());
        FieldDescriptor roomId = type.findFieldByName("room_id");
        boolean text = roomId != null && roomId.getJavaType() == FieldDescriptor.JavaType.STRING;
        return new RequestShape(ofUs ? meta : null, text ? roomId : null);
    }

    private static boolean isCommand(FieldDescriptor meta) {
        return meta.getMessageType() == CommandMeta.getDescriptor();
    }

    /** Whether requests of this type may change something. */
    boolean isCommand() {
        return meta != null && isCommand(meta);
    }

    /** The room that is asked for, as a key; empty where the request names none. */
    String roomOf(Message request) {
        if (meta == null || roomId == null) {
            return "";
        }
        Object given = request.getField(meta);
        String app = given instanceof CommandMeta command ? command.getAppCode() : ((QueryMeta) given).getAppCode();
        return app + '\0' + request.getField(roomId);
    }

    /** The command's id; empty for whatever is no command. */
    String commandIdOf(Message request) {
        return meta != null && request.getField(meta) instanceof CommandMeta given ? given.getCommandId() : "";
    }

    /** The command with what is missing of {@code command_id} and {@code sent_at_ms}; anything else as it is. */
    <Q extends Message> Q stamped(Q request, RoomClientOptions options) {
        if (meta == null || !(request.getField(meta) instanceof CommandMeta given)) {
            return request;
        }
        if (given.getSentAtMs() != 0 && !given.getCommandId().isEmpty()) {
            return request;
        }
        CommandMeta.Builder stamped = given.toBuilder();
        if (given.getSentAtMs() == 0) {
            stamped.setSentAtMs(options.wallClockMs().getAsLong());
        }
        if (given.getCommandId().isEmpty()) {
            stamped.setCommandId(options.commandIds().get());
        }
        @SuppressWarnings("unchecked") // A builder builds what it was made from.
        Q whole = (Q) request.toBuilder().setField(meta, stamped.build()).build();
        return whole;
    }
}
