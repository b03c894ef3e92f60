package dev.roomcell.adapter.tencent;

import dev.roomcell.adapter.codec.ExternalIds;
import dev.roomcell.adapter.codec.MessageJson;
import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.port.RobotDisplays;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.SendBudget;
import io.vertx.core.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** Sends what robots show to their room's group, where it gives way to every other message (LANE-5). */
final class TencentDisplays implements RobotDisplays {
    private static final long RANDOMS = 1L << 32;

    private final TencentIm im;
    private final SendBudget budget;
    private final LongSupplier monotonicMs;

    TencentDisplays(TencentIm im, SendBudget budget, LongSupplier monotonicMs) {
        this.im = im;
        this.budget = budget;
        this.monotonicMs = monotonicMs;
    }

    @Override
    public Future<Void> show(Display display, long timeoutMs) {
        if (!budget.takeSpare(monotonicMs.getAsLong())) {
            return Future.failedFuture(new RoomMessenger.DroppedException("the messages of this second need the rest"));
        }
        // A display has no id that it could be told by; every attempt to send this one has the same number.
        long random = ThreadLocalRandom.current().nextLong(RANDOMS);
        return im.sendGroupMessage(
                ExternalIds.groupId(display.key()), random, Priority.LOW, MessageJson.of(display), timeoutMs);
    }
}
