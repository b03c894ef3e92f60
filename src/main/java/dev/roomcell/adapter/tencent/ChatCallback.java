package dev.roomcell.adapter.tencent;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * {@code Group.CallbackBeforeSendMsg}: somebody wants to write in a group. Fields that nobody needs, or knows, are not
 * looked at.
 *
 * @param groupId where
 * @param fromAccount who is shown as the sender
 * @param operatorAccount who calls; differs from the sender where an administrator speaks for another. Empty: not said
 * @param eventTimeMs when, epoch ms; empty if that is not said in a way that can be read
 */
record ChatCallback(String groupId, String fromAccount, String operatorAccount, OptionalLong eventTimeMs) {
    static final String COMMAND = "Group.CallbackBeforeSendMsg";

    /** Empty if the body is no such call. */
    static Optional<ChatCallback> parse(Buffer body) {
        try {
            JsonObject json = body.toJsonObject();
            if (!(json.getValue("GroupId") instanceof String groupId)
                    || !(json.getValue("From_Account") instanceof String from)) {
                return Optional.empty();
            }
            String operator = json.getValue("Operator_Account") instanceof String named ? named : "";
            return Optional.of(new ChatCallback(groupId, from, operator, time(json.getValue("EventTime"))));
        } catch (DecodeException | ClassCastException noObject) {
            return Optional.empty();
        }
    }

    /** A number in the documents, and text in their examples. */
    private static OptionalLong time(Object value) {
        if (value instanceof Number number) {
            return OptionalLong.of(number.longValue());
        }
        return value instanceof String text && text.matches("[0-9]{1,18}")
                ? OptionalLong.of(Long.parseLong(text))
                : OptionalLong.empty();
    }
}
