package dev.roomcell.adapter.tencent;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.ImControl;
import io.vertx.core.Future;
import java.util.function.LongSupplier;

/** Tells a room's group who may not speak, and its end. A group that is not there has nobody in it. */
final class TencentControl implements ImControl {
    static final long CALL_MS = 4_000;
    /** What Tencent takes for ever, s. */
    private static final long FOR_EVER_S = 0xffff_ffffL;

    private final TencentIm im;
    private final LongSupplier nowMs;

    /** {@code nowMs} is the time of day, epoch ms. */
    TencentControl(TencentIm im, LongSupplier nowMs) {
        this.im = im;
        this.nowMs = nowMs;
    }

    @Override
    public Future<Void> forbid(RoomKey key, String userId, long untilMs) {
        if (untilMs == FOR_EVER_MS) {
            return im.forbidSendMsg(ExternalIds.groupId(key), userId, FOR_EVER_S, CALL_MS);
        }
        long leftMs = untilMs - nowMs.getAsLong();
        if (leftMs <= 0) {
            return Future.succeededFuture();
        }
        long seconds = Math.min(FOR_EVER_S - 1, (leftMs + 999) / 1_000);
        return im.forbidSendMsg(ExternalIds.groupId(key), userId, seconds, CALL_MS);
    }

    @Override
    public Future<Void> allow(RoomKey key, String userId) {
        return im.forbidSendMsg(ExternalIds.groupId(key), userId, 0, CALL_MS);
    }

    @Override
    public Future<Void> destroy(RoomKey key) {
        return im.destroyGroup(ExternalIds.groupId(key), CALL_MS);
    }
}
