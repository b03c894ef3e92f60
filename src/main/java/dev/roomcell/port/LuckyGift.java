package dev.roomcell.port;

import io.vertx.core.Future;

/** Somebody else's lottery: what a lucky gift wins. It moves no money (GIFT-6). */
public interface LuckyGift {
    /**
     * Draws for a gift. The same key wins the same, whenever it is asked; so a draw whose answer was lost is asked for
     * again.
     *
     * @param timeoutMs after so many ms the call fails; at least 1
     * @return the reward, coins; 0 if it wins nothing. Fails with {@link DrawException} when there is no answer
     */
    Future<Long> draw(Draw draw, long timeoutMs);

    /**
     * A gift that may win.
     *
     * @param appCode whose lottery
     * @param key names the draw, within all apps
     * @param userId who gave and paid
     * @param giftId which gift of the catalog
     * @param pieces how many were given, over all receivers
     * @param coins what they cost together
     */
    record Draw(String appCode, String key, String userId, String giftId, long pieces, long coins) {}

    /** A draw that has no answer. */
    final class DrawException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** A draw that has no answer, for people. */
        public DrawException(String message) {
            super(message);
        }
    }
}
