package dev.roomcell.sim;

import dev.roomcell.port.GiftStore;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One node's way to the intents in a shared database, with a tap on it. */
public final class WiredGifts implements GiftStore {
    private final GiftStore gifts;
    private final PortTap tap;

    /** The way to {@code gifts} that {@code tap} is on. */
    public WiredGifts(GiftStore gifts, PortTap tap) {
        this.gifts = gifts;
        this.tap = tap;
    }

    @Override
    public Future<List<Intent>> begin(List<Intent> intents, long voidAfterMs) {
        return tap.pass(Call.BEGIN_GIFTS, intents.size() + " gifts", () -> gifts.begin(intents, voidAfterMs));
    }

    @Override
    public Future<Map<GiftKey, Intent>> find(Collection<GiftKey> keys) {
        return tap.pass(Call.FIND_GIFTS, keys.size() + " gifts", () -> gifts.find(keys));
    }

    @Override
    public Future<Optional<State>> giveUp(GiftKey key, long againMs) {
        return tap.pass(Call.GIVE_UP_GIFT, key.commandId(), () -> gifts.giveUp(key, againMs));
    }

    @Override
    public Future<Void> voided(GiftKey key) {
        return tap.pass(Call.END_GIFT, key.commandId(), () -> gifts.voided(key));
    }

    @Override
    public Future<Void> drawn(GiftKey key, long rewardCoins, long againMs) {
        return tap.pass(Call.DRAWN_GIFT, key.commandId(), () -> gifts.drawn(key, rewardCoins, againMs));
    }

    @Override
    public Future<Void> rewardPaid(GiftKey key) {
        return tap.pass(Call.END_GIFT, key.commandId(), () -> gifts.rewardPaid(key));
    }

    @Override
    public Future<List<Intent>> claimDue(int most, long firstAgainMs, long mostAgainMs) {
        return tap.pass(Call.CLAIM_GIFTS, "", () -> gifts.claimDue(most, firstAgainMs, mostAgainMs));
    }

    @Override
    public Future<Boolean> refused(GiftKey key, int most, String why) {
        return tap.pass(Call.REFUSED_GIFT, key.commandId(), () -> gifts.refused(key, most, why));
    }

    @Override
    public Future<Unsettled> unsettled() {
        return tap.pass(Call.COUNT_GIFTS, "", gifts::unsettled);
    }
}
