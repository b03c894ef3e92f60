package dev.roomcell.it;

import com.google.protobuf.Message;
import dev.roomcell.client.RoomClient;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Clients that know no room's owner: each begins with another node, and is replaced by a new one before it has learnt too
 * much. So a call is sent to a node by chance, as from another gateway. Thread-safe.
 */
final class Strangers {
    /** Calls that one client makes. */
    private static final int CALLS = 60;

    private final IntFunction<RoomClient> factory;
    private final List<Stranger> strangers = new ArrayList<>();
    private int turn;

    /** {@code factory} makes a client that begins with the node of a number below {@code nodes}. */
    Strangers(int nodes, IntFunction<RoomClient> factory) {
        this.factory = factory;
        for (int node = 0; node < nodes; node++) {
            strangers.add(new Stranger(factory.apply(node)));
        }
    }

    private static final class Stranger {
        private final RoomClient client;
        private int begun;
        private int underWay;

        Stranger(RoomClient client) {
            this.client = client;
        }
    }

    /** Sends a call by the next of them. */
    Future<Message> send(PartyCall<?, ?> call) {
        Stranger stranger = next();
        return call.sendBy(stranger.client).onComplete(over -> over(stranger));
    }

    private synchronized Stranger next() {
        turn = (turn + 1) % strangers.size();
        Stranger stranger = strangers.get(turn);
        stranger.begun++;
        stranger.underWay++;
        if (stranger.begun == CALLS) {
            strangers.set(turn, new Stranger(factory.apply(turn)));
        }
        return stranger;
    }

    private synchronized void over(Stranger stranger) {
        stranger.underWay--;
        if (stranger.begun == CALLS && stranger.underWay == 0) {
            stranger.client.close().onFailure(failure -> {
                throw new IllegalStateException("a client is not closed", failure);
            });
        }
    }
}
