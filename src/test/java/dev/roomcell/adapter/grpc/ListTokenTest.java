package dev.roomcell.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roomcell.port.RoomListStore.Place;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListTokenTest {
    @Test
    void aTokenIsThePlaceItWasMadeOf() {
        for (Place place : List.of(
                new Place(0, "room"), new Place(Long.MAX_VALUE, "r"), new Place(7, "\ud83c\udf89 ".repeat(12)))) {
            String token = ListToken.of("app", "eu", place);
            assertThat(token.length()).isLessThanOrEqualTo(512);
            assertThat(ListToken.place("app", "eu", token)).contains(place);
        }
        assertThat(ListToken.place("app", "eu", "")).isEmpty();
    }

    @Test
    void aTokenOfAnotherListIsRefused() {
        String token = ListToken.of("app", "eu", new Place(7, "room"));
        assertRefused("app", "us", token);
        assertRefused("app", "", token);
        assertRefused("other", "eu", token);
        // The same letters, divided otherwise.
        assertRefused("ap", "peu", token);
    }

    @Test
    void aTokenThatWasTouchedIsRefused() {
        String token = ListToken.of("app", "eu", new Place(7, "room"));
        for (int i = 0; i < token.length(); i++) {
            char other = token.charAt(i) == 'A' ? 'B' : 'A';
            assertRefused("app", "eu", token.substring(0, i) + other + token.substring(i + 1));
            assertRefused("app", "eu", token.substring(0, i) + token.substring(i + 1));
        }
        assertRefused("app", "eu", token + "A");
    }

    private static void assertRefused(String appCode, String region, String token) {
        assertThatThrownBy(() -> ListToken.place(appCode, region, token))
                .as(token)
                .isInstanceOf(ApiException.class)
                .extracting(refused -> ((ApiException) refused).error())
                .hasToString(Fields.invalid("page_token", "is none that ListRooms gave for this app and region")
                        .error()
                        .toString());
    }
}
