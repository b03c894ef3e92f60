package dev.roomcell.client;

import io.netty.channel.ChannelConfig;
import io.netty.channel.WriteBufferWaterMark;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Gives a connection with many calls at once a larger write buffer. Whenever the buffer is full and whenever it has room
 * again, each open stream is told, and those with something to write fill it again: at Netty's 64 KB a thousand calls
 * spend their time on that.
 */
final class WriteBuffer {
    private static final int HIGH_BYTES = 4 * 1024 * 1024;
    private static final WriteBufferWaterMark WIDE = new WriteBufferWaterMark(HIGH_BYTES / 2, HIGH_BYTES);

    private WriteBuffer() {}

    /** Has no effect where Vert.x shows no channel. */
    static void widen(HttpConnection connection) {
        if (connection instanceof ConnectionBase known) {
            ChannelConfig config = known.channel().config();
            if (config.getWriteBufferHighWaterMark() < HIGH_BYTES) {
                config.setWriteBufferWaterMark(WIDE);
            }
        }
    }
}
