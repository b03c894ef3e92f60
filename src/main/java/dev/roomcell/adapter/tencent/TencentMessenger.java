package dev.roomcell.adapter.tencent;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.adapter.codec.MessageJson;
import dev.roomcell.domain.DeliveryLane;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.port.RoomMessenger;
import io.vertx.core.Future;

/** Sends each message to its room's group, as a custom element whose data is the message's JSON. */
final class TencentMessenger implements RoomMessenger {
    private final TencentIm im;

    TencentMessenger(TencentIm im) {
        this.im = im;
    }

    @Override
    public Future<Void> send(Message message, long timeoutMs) {
        RoomEvent.Type type = RoomEvent.Type.valueOf(message.fact().type());
        return im.sendGroupMessage(
                ExternalIds.groupId(message.key()),
                GroupMessage.randomOf(message),
                DeliveryLane.priorityOf(type),
                MessageJson.of(message),
                timeoutMs);
    }
}
