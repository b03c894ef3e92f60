package dev.roomcell.adapter.grpc;

import dev.roomcell.port.RoomListStore.Place;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The page token of ListRooms: the place where the page ended. Its checksum is over the app and the region too, so that
 * a token is good for the list that it was given for, and what is no token is told.
 */
final class ListToken {
    private static final int HEAD_BYTES = Integer.BYTES + Long.BYTES;

    private ListToken() {}

    static String of(String appCode, String region, Place place) {
        byte[] roomId = place.roomId().getBytes(StandardCharsets.UTF_8);
        ByteBuffer token = ByteBuffer.allocate(HEAD_BYTES + roomId.length)
                .putInt(checksum(appCode, region, place))
                .putLong(place.heat())
                .put(roomId);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
    }

    /** The place of a token; empty for an empty one. Refuses a token of another list. */
    static Optional<Place> place(String appCode, String region, String token) {
        if (token.isEmpty()) {
            return Optional.empty();
        }
        return decoded(token)
                .filter(bytes -> bytes.remaining() > HEAD_BYTES)
                .map(bytes -> new Place(
                        bytes.getLong(Integer.BYTES),
                        StandardCharsets.UTF_8
                                .decode(bytes.position(HEAD_BYTES))
                                .toString()))
                // Made anew it must be the same, to the last bit.
                .filter(place -> of(appCode, region, place).equals(token))
                .or(() -> {
                    throw Fields.invalid("page_token", "is none that ListRooms gave for this app and region");
                });
    }

    private static Optional<ByteBuffer> decoded(String token) {
        try {
            return Optional.of(ByteBuffer.wrap(Base64.getUrlDecoder().decode(token)));
        } catch (IllegalArgumentException noBase64) {
            return Optional.empty();
        }
    }

    private static int checksum(String appCode, String region, Place place) {
        CRC32 sum = new CRC32();
        // None of the first three can hold the NUL between them.
        String text = appCode + '\0' + region + '\0' + place.heat() + '\0' + place.roomId();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return (int) sum.getValue();
    }
}
