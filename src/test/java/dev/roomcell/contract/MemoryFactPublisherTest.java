package dev.roomcell.contract;

import dev.roomcell.port.FactPublisher;
import dev.roomcell.port.OutboxStore.Claimed;
import dev.roomcell.sim.MemoryStreams;
import java.util.List;

final class MemoryFactPublisherTest extends FactPublisherContract {
    private final MemoryStreams streams = new MemoryStreams();

    @Override
    FactPublisher publisher() {
        return streams;
    }

    @Override
    List<Claimed> entries(String appCode) {
        return streams.entries(appCode).stream()
                .map(entry -> new Claimed(entry.id(), entry.type(), entry.envelope(), 0))
                .toList();
    }

    @Override
    void breakApp(String appCode) {
        streams.breakApp(appCode);
    }
}
