package dev.roomcell.domain;

/**
 * Names one room of one app. Ids are compared byte by byte: {@code "Room"}, {@code "room"} and {@code "room "} are
 * three rooms.
 *
 * @param appCode 1..32 characters, see SEC-2; never empty, never holds NUL (LEASE-2)
 * @param roomId 1..64 bytes of UTF-8, see SEC-2; never empty, never holds NUL
 */
public record RoomKey(String appCode, String roomId) implements Comparable<RoomKey> {
    /** Refuses what could make two rooms share a route key (LEASE-2). */
    public RoomKey {
        if (appCode.isEmpty() || roomId.isEmpty() || appCode.indexOf('\0') >= 0 || roomId.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("app code and room id must not be empty or hold NUL");
        }
    }

    /** The one text form of the key, {@code app_code NUL room_id} (LEASE-2). */
    public String routeKey() {
        return appCode + '\0' + roomId;
    }

    @Override
    public int compareTo(RoomKey other) {
        int byApp = appCode.compareTo(other.appCode);
        return byApp != 0 ? byApp : roomId.compareTo(other.roomId);
    }

    @Override
    public String toString() {
        return appCode + '/' + roomId;
    }
}
