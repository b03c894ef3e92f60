package dev.roomcell.verticle;

import dev.roomcell.adapter.eventbus.BusPeerLink;
import dev.roomcell.port.Peer;
import dev.roomcell.port.PeerAnswer;
import dev.roomcell.port.PeerCall;
import dev.roomcell.port.PeerLink;
import dev.roomcell.port.PeerLink.PeerException.Fate;
import dev.roomcell.port.RoomClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The node's link to its peers, on one event loop. */
public final class PeerVerticle extends VerticleBase implements PeerLink<PeerCall, PeerAnswer> {
    private final Consumer<Consumer<Set<String>>> members;
    private final MeterRegistry metrics;
    private final RoomClock clock;
    private volatile @Nullable BusPeerLink link;

    /**
     * A verticle that sends nothing and hears nothing until {@link #listen}.
     *
     * @param members takes a listener, and tells it who the members are whenever they have changed
     */
    public PeerVerticle(Consumer<Consumer<Set<String>>> members, MeterRegistry metrics, RoomClock clock) {
        this.members = members;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** From now on peers reach this node as {@code self}, and it reaches them; completes when they can find it. */
    public Future<Void> listen(Peer self, BusPeerLink.Server server) {
        return Future.future(listening -> context.runOnContext(turn -> Future.<Void>succeededFuture()
                .compose(begun -> open(self, server))
                .onComplete(listening)));
    }

    private Future<Void> open(Peer self, BusPeerLink.Server server) {
        BusPeerLink opened = new BusPeerLink(vertx, context, self, server, metrics, clock);
        link = opened;
        members.accept(opened::membersAre);
        return opened.listening();
    }

    @Override
    public Future<PeerAnswer> send(Peer peer, PeerCall call, long timeoutMs) {
        BusPeerLink opened = link;
        return opened == null
                ? Future.failedFuture(new PeerException("this node does not listen yet", Fate.NOT_RUN))
                : opened.send(peer, call, timeoutMs);
    }

    @Override
    public Future<?> stop() {
        BusPeerLink opened = link;
        return opened == null ? Future.succeededFuture() : opened.close();
    }
}
