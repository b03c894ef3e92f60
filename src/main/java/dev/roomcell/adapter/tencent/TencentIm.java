package dev.roomcell.adapter.tencent;

import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.port.RoomMessenger;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Calls Tencent IM's REST API, without blocking, each call with a deadline. A call that comes to nothing fails with {@link
 * ImException}. Belongs to one event loop.
 */
final class TencentIm {
    private static final String GROUP_TYPE = "AVChatRoom";
    private static final int LONGEST_NAME = 30;
    /** With all that is around it, bytes. */
    private static final int LONGEST_MESSAGE = 12 * 1024;

    private final Vertx vertx;
    private final ImAccess access;
    private final ImPost post;
    private final int most;
    private int underWay;

    /**
     * Of the calling event loop; nothing connects before the first call.
     *
     * @param connections calls on their way at once
     * @param waiting calls that wait for a connection, or for their next try; one more fails at once
     */
    TencentIm(Vertx vertx, ImAccess access, int connections, int waiting) {
        this.vertx = vertx;
        this.access = access;
        this.most = connections + waiting;
        this.post = new ImPost(vertx, access.settings().baseUrl(), connections, waiting);
    }

    /**
     * Sends a message to a group. Fails with {@link RoomMessenger.DroppedException} if the group had too many (B111): by an
     * error, or by a success that says so; with {@link RoomMessenger.TooLongException} if it is longer than Tencent takes.
     */
    Future<Void> sendGroupMessage(String groupId, long random, Priority priority, String data, long timeoutMs) {
        JsonObject body = GroupMessage.of(groupId, random, priority, data);
        Buffer bytes = encoded(body);
        if (bytes.length() > LONGEST_MESSAGE) {
            return Future.failedFuture(new RoomMessenger.TooLongException(bytes.length()));
        }
        return call(ImCommand.SEND_GROUP_MSG, body, bytes, priority == Priority.LOW, timeoutMs)
                .compose(this::delivered)
                .recover(failure -> Future.failedFuture(
                        code(failure) == ErrorRule.TOO_MANY_IN_GROUP
                                ? new RoomMessenger.DroppedException(String.valueOf(failure.getMessage()))
                                : failure));
    }

    private Future<Void> delivered(JsonObject answer) {
        Object reason = answer.getValue("MsgDropReason");
        if (reason == null || reason.toString().isEmpty()) {
            return Future.succeededFuture();
        }
        access.meter().dropped(ImCommand.SEND_GROUP_MSG);
        return Future.failedFuture(new RoomMessenger.DroppedException(reason.toString()));
    }

    /** Sends a message to one account. Fails with {@link RoomMessenger.TooLongException} if it is longer than Tencent takes. */
    Future<Void> sendToUser(String account, long random, String data, long timeoutMs) {
        JsonObject body = GroupMessage.toUser(account, random, data);
        Buffer bytes = encoded(body);
        return bytes.length() > LONGEST_MESSAGE
                ? Future.failedFuture(new RoomMessenger.TooLongException(bytes.length()))
                : call(ImCommand.SENDMSG, body, bytes, false, timeoutMs).mapEmpty();
    }

    /** Makes the group, owned by the administrator; one that is there and is ours is success. */
    Future<Void> createGroup(String groupId, long timeoutMs) {
        JsonObject body = new JsonObject()
                .put("Owner_Account", access.settings().identifier())
                .put("Type", GROUP_TYPE)
                .put("GroupId", groupId)
                .put("Name", groupId.substring(0, Math.min(LONGEST_NAME, groupId.length())));
        return call(ImCommand.CREATE_GROUP, body, false, timeoutMs)
                .<Void>mapEmpty()
                .recover(failure -> switch (code(failure)) {
                    case ErrorRule.GROUP_IS_OURS -> Future.succeededFuture();
                    case ErrorRule.GROUP_ID_TAKEN -> requireOurs(groupId, failure, timeoutMs);
                    default -> Future.failedFuture(failure);
                });
    }

    /** Ids are easy to compute, so a client may have taken one; such a group is no room's. */
    private Future<Void> requireOurs(String groupId, Throwable taken, long timeoutMs) {
        JsonObject body = new JsonObject().put("GroupIdList", new JsonArray().add(groupId));
        return call(ImCommand.GET_GROUP_INFO, body, false, timeoutMs)
                .compose(answer -> isOurs(answer) ? Future.succeededFuture() : Future.failedFuture(taken));
    }

    private boolean isOurs(JsonObject answer) {
        JsonArray groups = answer.getJsonArray("GroupInfo", new JsonArray());
        if (groups.size() != 1 || !(groups.getValue(0) instanceof JsonObject group)) {
            return false;
        }
        return GROUP_TYPE.equals(group.getString("Type"))
                && access.settings().identifier().equals(group.getString("Owner_Account"));
    }

    /** Ends the group; one that is not there is success. */
    Future<Void> destroyGroup(String groupId, long timeoutMs) {
        return call(ImCommand.DESTROY_GROUP, new JsonObject().put("GroupId", groupId), false, timeoutMs)
                .<Void>mapEmpty()
                .recover(TencentIm::unlessTheGroupIsGone);
    }

    /** Mutes an account in a group for so many seconds; 0 ends that. A group that is not there is success. */
    Future<Void> forbidSendMsg(String groupId, String account, long seconds, long timeoutMs) {
        JsonObject body = new JsonObject()
                .put("GroupId", groupId)
                .put("Members_Account", new JsonArray().add(account))
                .put("ShutUpTime", seconds);
        return call(ImCommand.FORBID_SEND_MSG, body, false, timeoutMs)
                .<Void>mapEmpty()
                .recover(TencentIm::unlessTheGroupIsGone);
    }

    private static Future<Void> unlessTheGroupIsGone(Throwable failure) {
        return switch (code(failure)) {
            case ErrorRule.GROUP_MISSING, ErrorRule.GROUP_GONE -> Future.succeededFuture();
            default -> Future.failedFuture(failure);
        };
    }

    private Future<JsonObject> call(ImCommand command, JsonObject body, boolean givesWay, long timeoutMs) {
        return call(command, body, encoded(body), givesWay, timeoutMs);
    }

    private Future<JsonObject> call(
            ImCommand command, JsonObject body, Buffer bytes, boolean givesWay, long timeoutMs) {
        if (underWay >= most) {
            return Future.failedFuture(ImException.tooMany(command));
        }
        underWay++;
        return new ImCall(vertx, access, post, command, body, bytes, givesWay, timeoutMs)
                .run()
                .onComplete(over -> underWay--);
    }

    /** By way of a text: written to bytes, an emoji would become an escape three times as long. */
    private static Buffer encoded(JsonObject body) {
        return Buffer.buffer(body.encode());
    }

    private static int code(Throwable failure) {
        return failure instanceof ImException refused ? refused.code() : ErrorRule.NO_ERROR;
    }

    /** Closes every connection; what is on its way fails. */
    Future<Void> close() {
        return post.close();
    }
}
