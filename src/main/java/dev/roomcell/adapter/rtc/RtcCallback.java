package dev.roomcell.adapter.rtc;

import dev.roomcell.adapter.rtc.MalformedCallbackException.Field;
import dev.roomcell.domain.RtcReports.Fact;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One callback of TRTC (room and media events), as far as it concerns rooms of ours. Whatever else is in it, now or one
 * day, is not looked at (B45).
 *
 * @param eventType the vendor's number
 * @param sentAtMs when it was sent, by the vendor's clock, epoch ms; empty if it does not say
 * @param report what it says; empty if that does not matter to us
 */
public record RtcCallback(long eventType, OptionalLong sentAtMs, Optional<Report> report) {
    /** Room events and media events; others have types of their own that may be called the same one day. */
    private static final int ROOM_EVENTS = 1;

    private static final int MEDIA_EVENTS = 2;

    private static final int ROOM_DISMISSED = 102;
    private static final int USER_EXITED = 104;
    private static final int AUDIO_STARTED = 203;
    private static final int AUDIO_STOPPED = 204;

    /** Of an exit: the user has gone silent, and may be back in a moment. */
    private static final int REASON_TIMEOUT = 2;

    private static final long SECOND_MS = 1_000;

    /**
     * What a callback says.
     *
     * @param fact what happened
     * @param roomId the vendor's id of the room
     * @param userId whose audio or exit it is; empty if the fact is about the room
     * @param eventAtMs when it happened, by the vendor's clock, epoch ms: what events are ordered by (MIC-9)
     */
    public record Report(Fact fact, String roomId, String userId, long eventAtMs) {}

    /**
     * The callback of a body.
     *
     * @throws MalformedCallbackException if it is none, or lacks what its type needs
     */
    public static RtcCallback read(Buffer body) {
        JsonObject json = object(body);
        long eventType = number(json, "EventType").orElseThrow(() -> new MalformedCallbackException(Field.EVENT_TYPE));
        return new RtcCallback(
                eventType, number(json, "CallbackTs"), fact(json, eventType).map(fact -> report(fact, info(json))));
    }

    private static JsonObject object(Buffer body) {
        try {
            return new JsonObject(body);
        } catch (DecodeException | ClassCastException noObject) {
            throw new MalformedCallbackException(Field.BODY);
        }
    }

    private static JsonObject info(JsonObject json) {
        if (json.getValue("EventInfo") instanceof JsonObject info) {
            return info;
        }
        throw new MalformedCallbackException(Field.EVENT_INFO);
    }

    /** The rest is of no interest; a type that nobody knows yet, too. */
    private static Optional<Fact> fact(JsonObject json, long eventType) {
        OptionalLong group = number(json, "EventGroupId");
        if (group.isPresent() && group.getAsLong() != ROOM_EVENTS && group.getAsLong() != MEDIA_EVENTS) {
            return Optional.empty();
        }
        if (eventType == AUDIO_STARTED) {
            return Optional.of(Fact.AUDIO_STARTED);
        }
        if (eventType == AUDIO_STOPPED) {
            return Optional.of(Fact.AUDIO_STOPPED);
        }
        if (eventType == USER_EXITED) {
            return Optional.of(
                    number(info(json), "Reason").orElse(0) == REASON_TIMEOUT ? Fact.EXIT_SUSPECTED : Fact.EXITED);
        }
        return eventType == ROOM_DISMISSED ? Optional.of(Fact.ROOM_GONE) : Optional.empty();
    }

    private static Report report(Fact fact, JsonObject info) {
        return new Report(fact, roomId(info), fact == Fact.ROOM_GONE ? "" : userId(info), eventAtMs(info));
    }

    /** A number where the client's SDK took a number; then it is none of our rooms. */
    private static String roomId(JsonObject info) {
        Object roomId = info.getValue("RoomId");
        if (roomId instanceof String || roomId instanceof Integer || roomId instanceof Long) {
            return roomId.toString();
        }
        throw new MalformedCallbackException(Field.ROOM_ID);
    }

    private static String userId(JsonObject info) {
        if (info.getValue("UserId") instanceof String userId && !userId.isEmpty()) {
            return userId;
        }
        throw new MalformedCallbackException(Field.USER_ID);
    }

    private static long eventAtMs(JsonObject info) {
        OptionalLong ms = number(info, "EventMsTs");
        long atMs = ms.isPresent() ? ms.getAsLong() : number(info, "EventTs").orElse(0) * SECOND_MS;
        if (atMs <= 0) {
            throw new MalformedCallbackException(Field.EVENT_TIME);
        }
        return atMs;
    }

    /** A whole number, or its digits in quotes, as the vendor's samples have some. */
    private static OptionalLong number(JsonObject json, String name) {
        Object value = json.getValue(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        if (value instanceof Integer || value instanceof Long) {
            return OptionalLong.of(((Number) value).longValue());
        }
        if (value instanceof String digits && digits.matches("[0-9]{1,18}")) {
            return OptionalLong.of(Long.parseLong(digits));
        }
        throw new MalformedCallbackException(Field.NUMBER);
    }
}
