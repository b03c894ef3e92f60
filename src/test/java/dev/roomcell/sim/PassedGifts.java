package dev.roomcell.sim;

import dev.roomcell.port.GiftStore;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Another store of intents, passed on as it is. */
class PassedGifts implements GiftStore {
    private final GiftStore right;

    PassedGifts(GiftStore right) {
        this.right = right;
    }

    @Override
    public Future<List<Intent>> begin(List<Intent> intents, long voidAfterMs) {
        return right.begin(intents, voidAfterMs);
    }

    @Override
    public Future<Map<GiftKey, Intent>> find(Collection<GiftKey> keys) {
        return right.find(keys);
    }

    @Override
    public Future<Optional<State>> giveUp(GiftKey key, long againMs) {
        return right.giveUp(key, againMs);
    }

    @Override
    public Future<Void> voided(GiftKey key) {
        return right.voided(key);
    }

    @Override
    public Future<Void> drawn(GiftKey key, long rewardCoins, long againMs) {
        return right.drawn(key, rewardCoins, againMs);
    }

    @Override
    public Future<Void> rewardPaid(GiftKey key) {
        return right.rewardPaid(key);
    }

    @Override
    public Future<List<Intent>> claimDue(int most, long firstAgainMs, long mostAgainMs) {
        return right.claimDue(most, firstAgainMs, mostAgainMs);
    }

    @Override
    public Future<Boolean> refused(GiftKey key, int most, String why) {
        return right.refused(key, most, why);
    }

    @Override
    public Future<Unsettled> unsettled() {
        return right.unsettled();
    }
}
