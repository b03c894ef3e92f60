package dev.roomcell.adapter.tencent;

import java.util.function.LongSupplier;

/**
 * The signature that calls carry now. A new one is made when three quarters of the life of the last are over, or when
 * Tencent says that it has expired (B112). Belongs to one event loop.
 */
final class CurrentSig {
    private final TencentSettings settings;
    private final LongSupplier nowMs;
    private String sig = "";
    private long signedMs;

    /** None is made before the first is asked for; {@code nowMs} is the time of day, epoch ms. */
    CurrentSig(TencentSettings settings, LongSupplier nowMs) {
        this.settings = settings;
        this.nowMs = nowMs;
    }

    String get() {
        long now = nowMs.getAsLong();
        // A clock that was set back would have signed for a time that is yet to come.
        if (sig.isEmpty() || now >= signedMs + settings.sigTtlMs() / 4 * 3 || now < signedMs) {
            sig = UserSig.of(settings, now / 1000, settings.sigTtlMs() / 1000);
            signedMs = now;
        }
        return sig;
    }

    /** Tencent takes {@code refused} no more; of many calls that hear so, the first makes a new one. */
    void expired(String refused) {
        if (sig.equals(refused)) {
            sig = "";
        }
    }
}
