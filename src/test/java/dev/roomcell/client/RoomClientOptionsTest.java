package dev.roomcell.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoomClientOptionsTest {
    @Test
    void seedsAreDividedByCommas() {
        assertThat(RoomClientOptions.to("127.0.0.1:7400, node-2:1,[::1]:65535").seeds())
                .containsExactly(
                        SocketAddress.inetSocketAddress(7400, "127.0.0.1"),
                        SocketAddress.inetSocketAddress(1, "node-2"),
                        SocketAddress.inetSocketAddress(65535, "::1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "host", "host:", ":7400", "host:0", "host:65536", "host:port", "::1:7400", "a:1,", "a:-1"})
    void anythingElseIsRefused(String seeds) {
        assertThatThrownBy(() -> RoomClientOptions.to(seeds))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected host:port");
    }
}
