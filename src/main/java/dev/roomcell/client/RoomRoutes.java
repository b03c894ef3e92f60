package dev.roomcell.client;

import io.vertx.core.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whom to ask: the owners that hints have named, else the seeds in turn. Confined to the client's event loop. */
final class RoomRoutes {
    /** Owners remembered; the least recently used one is forgotten first, which costs its room one more hint. */
    private static final int MAX_OWNERS = 100_000;

    private final List<SocketAddress> seeds;
    private final Map<String, SocketAddress> owners = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, SocketAddress> eldest) {
            return size() > MAX_OWNERS;
        }
    };
    private int seed;

    RoomRoutes(List<SocketAddress> seeds) {
        this.seeds = seeds;
    }

    /** The owner as last hinted. */
    @Nullable
    SocketAddress owner(String room) {
        return owners.isEmpty() ? null : owners.get(room);
    }

    void learn(String room, SocketAddress owner) {
        owners.put(room, owner);
    }

    /** The room's owner is somebody else by now, or does not answer. */
    void forget(String room, SocketAddress owner) {
        owners.remove(room, owner);
    }

    /** The seed that calls begin with. */
    SocketAddress seed() {
        return seeds.get(seed);
    }

    /** The seed to try when {@code asked} did not help. */
    SocketAddress seedAfter(SocketAddress asked) {
        int index = seeds.indexOf(asked);
        return index < 0 ? seed() : seeds.get((index + 1) % seeds.size());
    }

    /** Lets later calls begin with another seed than {@code failed}; many calls may report the same failure. */
    void avoid(SocketAddress failed) {
        if (seed().equals(failed)) {
            seed = (seed + 1) % seeds.size();
        }
    }
}
