package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.Peer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where rooms of other nodes were last: who asks there first asks neither the database nor Redis. A route is only where
 * to try; whoever is asked there knows better. Callable from any thread.
 */
final class RouteCache {
    /** Routes remembered; the least recently used one is forgotten first, which costs its room one look more. */
    private static final int MOST_ROUTES = 100_000;

    private final Map<RoomKey, Peer> routes = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RoomKey, Peer> eldest) {
            return size() > MOST_ROUTES;
        }
    };

    synchronized Optional<Peer> find(RoomKey key) {
        return Optional.ofNullable(routes.get(key));
    }

    synchronized void learn(RoomKey key, Peer owner) {
        routes.put(key, owner);
    }

    /** The room is not there any more; a route learned meanwhile stays. */
    synchronized void forget(RoomKey key, Peer owner) {
        routes.remove(key, owner);
    }
}
