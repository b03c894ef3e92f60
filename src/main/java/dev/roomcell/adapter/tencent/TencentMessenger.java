package dev.roomcell.adapter.tencent;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.adapter.codec.MessageJson;
import dev.roomcell.domain.DeliveryLane;
import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.port.RoomMessenger;
import io.vertx.core.Future;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sends each message to its room's group, as a custom element whose data is the message's JSON. */
final class TencentMessenger implements RoomMessenger {
    private static final Map<String, Priority> PRIORITIES = Stream.of(RoomEvent.Type.values())
            .collect(Collectors.toUnmodifiableMap(RoomEvent.Type::name, DeliveryLane::priorityOf));

    private final TencentIm im;
    private final Limits limits;

    TencentMessenger(TencentIm im, Limits limits) {
        this.im = im;
        this.limits = limits;
    }

    @Override
    public Limits limits() {
        return limits;
    }

    @Override
    public Future<Void> send(Message message, long timeoutMs) {
        return im.sendGroupMessage(
                ExternalIds.groupId(message.key()),
                GroupMessage.randomOf(message),
                // Heat and rank are no events, and come again.
                PRIORITIES.getOrDefault(message.fact().type(), Priority.LOW),
                MessageJson.of(message),
                timeoutMs);
    }
}
