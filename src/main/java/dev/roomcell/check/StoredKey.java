package dev.roomcell.check;

import dev.roomcell.domain.RoomKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A room's ids as the tables hold and sort them: by bytes. {@link RoomKey} sorts by UTF-16 units, which is another order
 * as soon as an emoji is in it.
 */
record StoredKey(byte[] appCode, byte[] roomId) implements Comparable<StoredKey> {
    @Override
    public int compareTo(StoredKey other) {
        int byApp = Arrays.compareUnsigned(appCode, other.appCode);
        return byApp != 0 ? byApp : Arrays.compareUnsigned(roomId, other.roomId);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredKey key && compareTo(key) == 0;
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(appCode) + Arrays.hashCode(roomId);
    }

    RoomKey decoded() {
        return new RoomKey(new String(appCode, StandardCharsets.UTF_8), new String(roomId, StandardCharsets.UTF_8));
    }
}
