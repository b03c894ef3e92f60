package dev.roomcell.adapter.tencent;

import dev.roomcell.cell.SlidingSecond;
import dev.roomcell.port.SendBudget;
import java.util.function.IntSupplier;

/**
 * This node's part of what a provider takes from all nodes in any second: an equal one, as the nodes do not tell each
 * other what they send.
 */
public final class AppBudget implements SendBudget {
    /** What gives way to messages leaves them one place of so many. */
    private static final int SPARE = 4;

    private final int ofAllNodes;
    private final IntSupplier nodes;
    private final SlidingSecond sent;

    /**
     * Nothing was sent yet.
     *
     * @param ofAllNodes messages in a second, 1 and up
     * @param nodes how many nodes there are now; callable from any thread
     */
    public AppBudget(int ofAllNodes, IntSupplier nodes) {
        this.ofAllNodes = ofAllNodes;
        this.nodes = nodes;
        this.sent = new SlidingSecond(ofAllNodes);
    }

    private int share() {
        return Math.max(1, ofAllNodes / Math.max(1, nodes.getAsInt()));
    }

    @Override
    public synchronized long take(long nowMs) {
        long waitMs = sent.waitMs(nowMs, share());
        if (waitMs == 0) {
            sent.happens(nowMs);
        }
        return waitMs;
    }

    @Override
    public synchronized boolean takeSpare(long nowMs) {
        int share = share();
        boolean spare = sent.waitMs(nowMs, Math.max(1, share - share / SPARE)) == 0;
        if (spare) {
            sent.happens(nowMs);
        }
        return spare;
    }

    @Override
    public synchronized void spend(long nowMs) {
        sent.happens(nowMs);
    }
}
