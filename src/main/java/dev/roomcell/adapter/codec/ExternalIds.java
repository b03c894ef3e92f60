package dev.roomcell.adapter.codec;

import dev.roomcell.domain.RoomKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The ids under which Tencent IM and TRTC know a room (SEC-2). */
public final class ExternalIds {
    private static final char[] BASE32 = "abcdefghijklmnopqrstuvwxyz234567".toCharArray();
    private static final int LENGTH = 40;
    /** Of the digest: what so many characters hold. */
    private static final int BYTES = LENGTH * 5 / 8;

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

    /** The first 25 bytes of the digest that an id was made of; empty if it is no such id, be it by one capital letter. */
    public static Optional<byte[]> decode(String groupId) {
        if (groupId.length() != LENGTH) {
            return Optional.empty();
        }
        byte[] bytes = new byte[BYTES];
        int waiting = 0;
        int bits = 0;
        int next = 0;
        for (int i = 0; i < LENGTH; i++) {
            int digit = digit(groupId.charAt(i));
            if (digit < 0) {
                return Optional.empty();
            }
            waiting = (waiting << 5 | digit) & 0xfff;
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                bytes[next++] = (byte) (waiting >> bits);
            }
        }
        return Optional.of(bytes);
    }

    private static int digit(char c) {
        if (c >= 'a' && c <= 'z') {
            return c - 'a';
        }
        return c >= '2' && c <= '7' ? c - '2' + 26 : -1;
    }
}
