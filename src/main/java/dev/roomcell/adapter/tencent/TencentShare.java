package dev.roomcell.adapter.tencent;

import dev.roomcell.port.RoomMessenger;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * What the event loops of a node have in common at Tencent IM.
 *
 * @param meter counts its answers
 * @param health says how it does
 * @param limits what it takes of this node
 */
public record TencentShare(ImMeter meter, ImHealth health, RoomMessenger.Limits limits) {
    /** With meters in {@code registry}. */
    public static TencentShare of(MeterRegistry registry, RoomMessenger.Limits limits) {
        return new TencentShare(new ImMeter(registry), new ImHealth(registry), limits);
    }
}
