package dev.roomcell.wire;

import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * A connection with many calls at once, on either side of it. It has a larger write buffer than Netty's 64 KB: whenever the
 * buffer is full and whenever it has room again, each open stream is told, and a thousand calls would spend their time on
 * that. And what a turn of its event loop writes leaves in one system call, as calls that one transaction commits are
 * answered in the same turn.
 */
public final class SharedConnection {
    private static final int HIGH_BYTES = 4 * 1024 * 1024;
    private static final WriteBufferWaterMark WIDE = new WriteBufferWaterMark(HIGH_BYTES / 2, HIGH_BYTES);
    /** So many writes leave at the latest, also within a turn. */
    private static final int WRITES_TOGETHER = 256;

    private SharedConnection() {}

    /**
     * Makes a connection ready; on its event loop. Has no effect on one that is, as Vert.x's gRPC client tells of its calls
     * and not of its connections, nor where Vert.x shows no channel.
     */
    public static void prepare(HttpConnection connection) {
        if (connection instanceof ConnectionBase known) {
            Channel channel = known.channel();
            if (channel.config().getWriteBufferHighWaterMark() < HIGH_BYTES) {
                channel.config().setWriteBufferWaterMark(WIDE);
                channel.pipeline().addLast(new FlushConsolidationHandler(WRITES_TOGETHER, true));
            }
        }
    }
}
