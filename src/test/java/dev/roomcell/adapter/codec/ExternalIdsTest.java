package dev.roomcell.adapter.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SEC-2: the id under which the vendors know a room. */
class ExternalIdsTest {
    /** What the vendors allow for a group id and a room id of characters, bytes. */
    private static final int VENDOR_LIMIT = 48;

    @ParameterizedTest
    @CsvSource({
        "lala, room-1, oon3v6rosd3pnya3cul6ivt3ybttsuabirpqlrko",
        "lala, \u8336 at five, jmwiudlkr354hq6dnmm33lkhjtsohcnnlvz77hch"
    })
    void itNeverChanges(String appCode, String roomId, String groupId) {
        assertThat(ExternalIds.groupId(new RoomKey(appCode, roomId))).isEqualTo(groupId);
    }

    @Test
    void itIsTheBase32OfTheDigestOfTheRouteKey() throws NoSuchAlgorithmException {
        for (RoomKey key : someKeys()) {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((key.appCode() + '\0' + key.roomId()).getBytes(StandardCharsets.UTF_8));
            // 40 digits of 5 bits are the first 25 bytes, as one number.
            String digits = new BigInteger(1, Arrays.copyOf(digest, 25)).toString(32);
            StringBuilder expected = new StringBuilder("a".repeat(40 - digits.length()));
            digits.chars()
                    .map(digit -> Character.digit(digit, 32))
                    .forEach(digit -> expected.append("abcdefghijklmnopqrstuvwxyz234567".charAt(digit)));

            assertThat(ExternalIds.groupId(key)).isEqualTo(expected.toString());
        }
    }

    @Test
    void itIsShortAndPrintableAndNeedsNoQuoting() {
        for (RoomKey key : someKeys()) {
            assertThat(ExternalIds.groupId(key)).matches("[a-z2-7]{40}");
            assertThat(ExternalIds.groupId(key).getBytes(StandardCharsets.UTF_8).length)
                    .isLessThanOrEqualTo(VENDOR_LIMIT);
        }
    }

    @Test
    void noTwoRoomsShareIt() {
        assertThat(Stream.of(
                                new RoomKey("app", "room"),
                                new RoomKey("appr", "oom"),
                                new RoomKey("app", "Room"),
                                new RoomKey("app", "room "))
                        .map(ExternalIds::groupId))
                .doesNotHaveDuplicates();
    }

    @Test
    void itsBytesAreTheFirstOfTheDigest() throws NoSuchAlgorithmException {
        for (RoomKey key : someKeys()) {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(key.routeKey().getBytes(StandardCharsets.UTF_8));

            assertThat(ExternalIds.decode(ExternalIds.groupId(key))).hasValue(Arrays.copyOf(digest, 25));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "8489",
                "oon3v6rosd3pnya3cul6ivt3ybttsuabirpqlrk",
                "oon3v6rosd3pnya3cul6ivt3ybttsuabirpqlrkoo",
                "Oon3v6rosd3pnya3cul6ivt3ybttsuabirpqlrko",
                "oon3v6rosd3pnya3cul6ivt3ybttsuabirpqlrk1",
                "oon3v6rosd3pnya3cul6ivt3ybttsuabirpqlrk8",
                "oon3v6rosd3pnya3cul6ivt3ybttsuabirpqlrk\u00e9"
            })
    void whatIsNoSuchIdHasNoBytes(String other) {
        assertThat(ExternalIds.decode(other)).isEmpty();
    }

    private static RoomKey[] someKeys() {
        return IntStream.range(0, 500)
                .mapToObj(i -> new RoomKey("app-" + i % 7, "room \u8336 " + i))
                .toArray(RoomKey[]::new);
    }
}
