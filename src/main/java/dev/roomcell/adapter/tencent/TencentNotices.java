package dev.roomcell.adapter.tencent;

import dev.roomcell.adapter.codec.MessageJson;
import dev.roomcell.port.UserNotices;
import io.vertx.core.Future;

/** Sends each notice to its user's account, in the name of the administrator. */
final class TencentNotices implements UserNotices {
    private static final long UINT32 = 0xffff_ffffL;

    private final TencentIm im;

    TencentNotices(TencentIm im) {
        this.im = im;
    }

    @Override
    public Future<Void> tell(LateReward reward, long timeoutMs) {
        // The same for each resend, wherever it comes from (B113); that two of a user's meet within a second is no
        // danger.
        long random = (reward.key().appCode() + "/" + reward.eventId()).hashCode() & UINT32;
        return im.sendToUser(reward.userId(), random, MessageJson.of(reward), timeoutMs);
    }
}
