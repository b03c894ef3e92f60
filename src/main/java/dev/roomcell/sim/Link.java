package dev.roomcell.sim;

/** The way between one node and one server: how slow it is, and what it loses. */
final class Link {
    private boolean cut;
    private int slowestMs;
    private int lossPercent;

    Link() {
        heal();
    }

    /** As good as it gets. */
    void heal() {
        cut = false;
        slowestMs = 3;
        lossPercent = 0;
    }

    /** Whatever is sent stays on the way. */
    void cut() {
        cut = true;
    }

    boolean isCut() {
        return cut;
    }

    /** A way that takes up to so many ms. */
    void slow(int ms) {
        slowestMs = ms;
    }

    int slowestMs() {
        return slowestMs;
    }

    /** A way that loses a call, or the answer to it, so many times in a hundred. */
    void lossy(int percent) {
        lossPercent = percent;
    }

    int lossPercent() {
        return lossPercent;
    }
}
