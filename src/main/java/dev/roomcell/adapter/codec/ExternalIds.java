package dev.roomcell.adapter.codec;

import dev.roomcell.domain.RoomKey;
import java.nio.charset.StandardCharsets;

/** The ids under which Tencent IM and TRTC know a room (SEC-2). */
public final class ExternalIds {
    private static final char[] BASE32 = "abcdefghijklmnopqrstuvwxyz234567".toCharArray();
    private static final int LENGTH = 40;

    private ExternalIds() {}

    /**
     * The IM group id, which is the RTC room id too: 40 characters of base32 over SHA-256 of the route key, as the
     * route key's NUL may not stand in either vendor's ids, and they know no app codes.
     */
    public static String groupId(RoomKey key) {
        byte[] digest = StoredForm.sha256().digest(key.routeKey().getBytes(StandardCharsets.UTF_8));
        StringBuilder id = new StringBuilder(LENGTH);
        for (int bit = 0; id.length() < LENGTH; bit += 5) {
            int pair = ((digest[bit / 8] & 0xff) << 8) | (digest[bit / 8 + 1] & 0xff);
            id.append(BASE32[(pair >> (11 - bit % 8)) & 31]);
        }
        return id.toString();
    }
}
