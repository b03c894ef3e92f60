package dev.roomcell.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import org.junit.jupiter.api.Test;

/** The class that shows the channel is Vert.x's own: this test hears of it when it changes. */
class WriteBufferTest {
    @Test
    void aConnectionThatVertxMakesCanBeWidened() {
        Vertx vertx = Vertx.vertx();
        ScriptedNode node = ScriptedNode.start(vertx);
        HttpClient client = vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
        String address = node.address();
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
        HttpClientRequest request = Done.of(client.request(HttpMethod.POST, port, "127.0.0.1", "/"));

        WriteBuffer.widen(request.connection());

        ConnectionBase connection = (ConnectionBase) request.connection();
        assertThat(connection.channel().config().getWriteBufferHighWaterMark()).isGreaterThanOrEqualTo(1024 * 1024);
        Done.of(client.close());
        Done.of(vertx.close());
    }
}
