package dev.roomcell.dev.rtc;

import io.vertx.core.json.JsonObject;

/**
 * Something that happened in an RTC room.
 *
 * @param type TRTC's number for it
 * @param roomId TRTC's id of the room
 * @param userId who; empty for an event of the room
 * @param atMs when, by TRTC's clock, epoch ms
 * @param reason TRTC's number for why
 */
public record RtcEvent(int type, String roomId, String userId, long atMs, int reason) {
    /** The room is gone. */
    public static final int ROOM_DISMISSED = 102;
    /** A user has come. */
    public static final int ENTERED = 103;
    /** A user has left, and so speaks no more. */
    public static final int EXITED = 104;
    /** A user's audio is on the air. */
    public static final int AUDIO_STARTED = 203;
    /** A user has turned it off. */
    public static final int AUDIO_STOPPED = 204;

    /** Why a user has left: by the user's own will. */
    public static final int BY_WILL = 1;
    /** Why a user has left: nothing was heard of the user any more. */
    public static final int TIMEOUT = 2;
    /** Why a user has left: somebody has removed the user. */
    public static final int REMOVED = 3;

    private static final long SECOND_MS = 1_000;

    /** The body of a callback, with the tabs and line breaks that TRTC puts there, sent at {@code sentAtMs}. */
    public String body(long sentAtMs) {
        JsonObject info = new JsonObject()
                .put("RoomId", roomId)
                .put("EventTs", atMs / SECOND_MS)
                .put("EventMsTs", atMs);
        if (!userId.isEmpty()) {
            info.put("UserId", userId);
        }
        info.put("Reason", reason);
        return new JsonObject()
                .put("EventGroupId", type / 100)
                .put("EventType", type)
                .put("CallbackTs", sentAtMs)
                .put("EventInfo", info)
                .encodePrettily()
                .replace("  ", "\t")
                .replace(" : ", ":\t");
    }
}
