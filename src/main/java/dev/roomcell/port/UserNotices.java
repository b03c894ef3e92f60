package dev.roomcell.port;

import dev.roomcell.port.GiftStore.GiftKey;
import io.vertx.core.Future;

/**
 * The way to one user alone, past the rooms' groups. Best effort; nobody may depend on a notice. A user may get one twice,
 * and knows it by its event id.
 */
public interface UserNotices {
    /**
     * Tells a user that a reward was credited (GIFT-6). Completes when the provider has it. When it fails, or is given up,
     * the user may have it all the same.
     *
     * @param timeoutMs how long the sender waits, ms; what is not answered by then is to be called off
     */
    Future<Void> tell(LateReward reward, long timeoutMs);

    /** Whether notices go anywhere. */
    default boolean isConnected() {
        return true;
    }

    /** Of a node that is connected to no IM provider. */
    static UserNotices none() {
        return new UserNotices() {
            @Override
            public Future<Void> tell(LateReward reward, long timeoutMs) {
                return Future.failedFuture(new IllegalStateException("there is no IM provider"));
            }

            @Override
            public boolean isConnected() {
                return false;
            }
        };
    }

    /**
     * A reward that was not known when its gift was answered.
     *
     * @param key names the gift
     * @param roomId the room that it was given in
     * @param userId who gave, and alone is told
     * @param giftId what was given
     * @param coins what it has won, at least 1
     * @param atMs when it was credited, epoch ms
     */
    record LateReward(GiftKey key, String roomId, String userId, String giftId, long coins, long atMs) {
        /** The same for every notice of this reward, and nothing else's in its app: events' ids end in a number. */
        public String eventId() {
            return key.commandId() + "/reward";
        }
    }
}
