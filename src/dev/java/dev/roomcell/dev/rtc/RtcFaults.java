package dev.roomcell.dev.rtc;

import java.util.Random;

/**
 * How callbacks go wrong. All of it is drawn from one seed, so that a run can be had again.
 *
 * @param seed of what is drawn
 * @param copies how often each event is sent at least, whatever is answered; 1 is once
 * @param latestMs each sending waits for a drawn time up to this, ms; what was sent later may so arrive before
 * @param lossPercent of the sendings that are not made at all; the event is lost if none of its copies is left
 */
public record RtcFaults(long seed, int copies, int latestMs, int lossPercent) {
    /** Each event is sent at once, once, and again only if it is not taken. */
    public static final RtcFaults NONE = new RtcFaults(0, 1, 0, 0);

    /** Draws what befalls the sendings to come. */
    Dice dice() {
        return new Dice(new Random(seed));
    }

    /** What befalls each sending, in the order of the draws. */
    final class Dice {
        private final Random random;

        private Dice(Random random) {
            this.random = random;
        }

        synchronized boolean loses() {
            return lossPercent > 0 && random.nextInt(100) < lossPercent;
        }

        synchronized int delayMs() {
            return latestMs == 0 ? 0 : random.nextInt(latestMs + 1);
        }
    }
}
