package dev.roomcell.adapter.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.proto.room.v1.FactEnvelope;

/** Encoded envelopes, of this service's own making, as messages again. */
public final class Envelopes {
    private Envelopes() {}

    /**
     * The envelope of a fact.
     *
     * @throws IllegalArgumentException if its bytes are none
     */
    public static FactEnvelope of(RoomBatch.Fact fact) {
        try {
            return FactEnvelope.parseFrom(fact.envelope());
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalArgumentException("no envelope", damaged);
        }
    }
}
