package dev.roomcell.adapter.tencent;

import java.util.function.LongSupplier;

/**
 * What all calls of one event loop share.
 *
 * @param settings where Tencent IM is
 * @param sig the signature that they carry
 * @param circuit whether calls are made at all
 * @param share what they share with the other loops
 * @param monotonicMs a clock that never goes back, ms
 */
record ImAccess(
        TencentSettings settings, CurrentSig sig, Circuit circuit, TencentShare share, LongSupplier monotonicMs) {
    static ImAccess of(TencentSettings settings, LongSupplier nowMs, LongSupplier monotonicMs, TencentShare share) {
        return new ImAccess(settings, new CurrentSig(settings, nowMs), new Circuit(monotonicMs), share, monotonicMs);
    }

    ImMeter meter() {
        return share.meter();
    }

    ImHealth health() {
        return share.health();
    }
}
