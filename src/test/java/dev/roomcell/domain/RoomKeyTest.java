package dev.roomcell.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RoomKeyTest {
    /** LEASE-2. */
    @Test
    void theRouteKeyIsTheAppANulAndTheRoom() {
        assertThat(new RoomKey("app", "room").routeKey()).isEqualTo("app\0room");
    }

    static Stream<Arguments> ambiguous() {
        return Stream.of(
                Arguments.of("", "room"),
                Arguments.of("app", ""),
                Arguments.of("a\0b", "room"),
                Arguments.of("app", "a\0b"),
                Arguments.of("app\0", "room"),
                Arguments.of("\0app", "room"),
                Arguments.of("app", "\0room"));
    }

    /** LEASE-2. */
    @ParameterizedTest
    @MethodSource("ambiguous")
    void whatCouldMakeTwoRoomsShareARouteKeyIsRefused(String appCode, String roomId) {
        assertThatIllegalArgumentException().isThrownBy(() -> new RoomKey(appCode, roomId));
    }

    @Test
    void idsAreComparedExactly() {
        List<RoomKey> different = List.of(
                new RoomKey("app", "Room"),
                new RoomKey("App", "room"),
                new RoomKey("app", "room"),
                new RoomKey("app", "room "),
                new RoomKey("app", "roóm"),
                new RoomKey("app", "roo\u0301m"),
                new RoomKey("app", "room\ud83d\ude00"),
                new RoomKey("app", "room\ud83d\ude01"),
                new RoomKey("appr", "oom"));

        assertThat(different).doesNotHaveDuplicates();
        for (RoomKey one : different) {
            for (RoomKey other : different) {
                assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
                assertThat(Integer.signum(one.compareTo(other))).isEqualTo(-Integer.signum(other.compareTo(one)));
            }
        }
    }
}
