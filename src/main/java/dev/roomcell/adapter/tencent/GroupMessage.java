package dev.roomcell.adapter.tencent;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomMessenger.Message;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The bodies of send_group_msg and of sendmsg, which have the same content. */
final class GroupMessage {
    /** No version has so many events. */
    private static final int EVENT_BITS = 12;

    private static final long UINT32 = 0xffff_ffffL;

    private GroupMessage() {}

    /**
     * A message to a whole group, in the name of the administrator.
     *
     * @param random a message of the same group with the same number within 5 minutes is taken for this one, 0..2^32-1
     * @param data what clients get
     */
    static JsonObject of(String groupId, long random, Priority priority, String data) {
        return new JsonObject()
                .put("GroupId", groupId)
                .put("Random", random)
                .put("MsgPriority", name(priority))
                .put("MsgBody", body(data))
                .put("ForbidCallbackControl", noCallbacks());
    }

    private static JsonArray body(String data) {
        JsonObject content = new JsonObject()
                .put("Data", data)
                .put("Desc", "")
                .put("Ext", "")
                .put("Sound", "");
        return new JsonArray()
                .add(new JsonObject().put("MsgType", "TIMCustomElem").put("MsgContent", content));
    }

    /** It is our own: asking us whether it may be sent would only cost time. */
    private static JsonArray noCallbacks() {
        return new JsonArray().add("ForbidBeforeSendMsgCallback").add("ForbidAfterSendMsgCallback");
    }

    /**
     * The body of sendmsg: a message to one account, in the name of the administrator, who keeps no copy; in nobody's list of
     * conversations, and unread in none.
     *
     * @param random the same in each attempt, so that Tencent can tell them; 0..2^32-1
     * @param data what the client gets
     */
    static JsonObject toUser(String account, long random, String data) {
        return new JsonObject()
                .put("SyncOtherMachine", 2)
                .put("To_Account", account)
                .put("MsgSeq", random)
                .put("MsgRandom", random)
                .put("MsgBody", body(data))
                .put("SendMsgControl", new JsonArray().add("NoUnread").add("NoLastMsg"))
                .put("ForbidCallbackControl", noCallbacks());
    }

    private static String name(Priority priority) {
        return switch (priority) {
            case HIGH -> "High";
            case MIDDLE -> "Normal";
            case LOW -> "Low";
        };
    }

    /**
     * The Random of an event, made of what its event id is made of (OUT-8): the same for each resend, and another for every
     * other event of the room within a million versions (B113). A hash of the id would let two in 10,000 meet now and then.
     */
    static long randomOf(Message message) {
        return randomOf(message.key(), message.version(), message.fact().index());
    }

    static long randomOf(RoomKey key, long version, int index) {
        int ofRoom = ExternalIds.groupId(key).hashCode();
        return (ofRoom + (version << EVENT_BITS) + index) & UINT32;
    }
}
