package dev.roomcell.fault;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on loopback that misbehaves on demand. Every method may be called from any thread; a fault holds for
 * existing and new connections, and for every byte sent after the call has returned. Faults add up until
 * {@link #pass()}.
 */
public final class FaultProxy {

    /** One way through the proxy. */
    public enum Direction {
        /** From the client to the server. */
        TO_SERVER,
        /** From the server to the client. */
        TO_CLIENT
    }

    /** Where a COMMIT is lost. */
    public enum CutPoint {
        /** The server never sees the COMMIT and rolls back, when it notices that its client is gone. */
        BEFORE_SERVER,
        /** The server has answered the COMMIT, the client never sees the answer. */
        AFTER_SERVER
    }

    private static final String LOOPBACK = "127.0.0.1";

    private final Listener listener;
    final boolean mysql;
    private final Map<Direction, Long> delaysMs = new ConcurrentHashMap<>();
    private volatile Set<Direction> blackHoles = Set.of();
    volatile boolean held;
    private volatile boolean refusing;
    private final AtomicReference<@Nullable CommitFault> armed = new AtomicReference<>();
    final AtomicInteger commitsSeen = new AtomicInteger();
    final AtomicInteger cuts = new AtomicInteger();
    final AtomicLong waitingBytes = new AtomicLong();
    final AtomicLong swallowedBytes = new AtomicLong();

    private FaultProxy(int targetPort, boolean mysql) {
        this.listener = new Listener(targetPort);
        this.mysql = mysql;
    }

    /** Listens on a free port of 127.0.0.1 and forwards, whatever the protocol, to 127.0.0.1 at the given port. */
    public static Future<FaultProxy> start(Vertx vertx, int targetPort) {
        return start(vertx, new FaultProxy(targetPort, false));
    }

    /**
     * The same before a MySQL or MariaDB server, on connections without TLS and compression: it also knows a COMMIT
     * when it comes by as a plain (not prepared) statement.
     */
    public static Future<FaultProxy> startMysql(Vertx vertx, int targetPort) {
        return start(vertx, new FaultProxy(targetPort, true));
    }

    private static Future<FaultProxy> start(Vertx vertx, FaultProxy proxy) {
        return vertx.deployVerticle(proxy.listener).map(proxy);
    }

    /** Sends every connection made from now on to another port of 127.0.0.1, as a failover does; existing ones go on. */
    public void pointTo(int targetPort) {
        listener.targetPort = targetPort;
    }

    /** The port on 127.0.0.1 that clients connect to. */
    public int port() {
        return listener.port;
    }

    /** Ends every fault except those of a COMMIT. Connections that lost bytes are reset: no TCP stream has a gap. */
    public void pass() {
        blackHoles = Set.of();
        delaysMs.clear();
        refusing = false;
        release();
    }

    /**
     * Swallows bytes, and the news that a connection is closed, in the given directions (none given: both) and in no
     * other. Connections stay open.
     */
    public void blackHole(Direction... directions) {
        Set<Direction> swallowed = EnumSet.noneOf(Direction.class);
        swallowed.addAll(directions.length == 0 ? EnumSet.allOf(Direction.class) : List.of(directions));
        blackHoles = swallowed;
        listener.onEachLink(ProxyLink::pump);
    }

    /** Resets every new connection as soon as it is accepted. Existing ones go on. */
    public void refuse() {
        refusing = true;
    }

    /** Resets (RST, not FIN) every existing connection on both sides. New ones are served. */
    public void reset() {
        listener.onEachLink(ProxyLink::reset);
    }

    /** Lets every byte that comes from now on wait this many milliseconds (0 ends it); the order is kept. */
    public void delay(Direction direction, long ms) {
        delaysMs.put(direction, ms);
    }

    /** Stops all bytes, and the news that a connection is closed, in both directions, as if the peer were paused. */
    public void hold() {
        held = true;
    }

    /** Lets everything go on that {@link #hold()} has stopped. */
    public void release() {
        held = false;
        listener.onEachLink(ProxyLink::pump);
    }

    /**
     * Loses the next COMMIT that comes by, on whatever connection, and closes that connection on both sides.
     *
     * @return completes when both sides are closed; fails if the server was gone before it answered, or the proxy is
     *     closed before a COMMIT came
     * @throws IllegalStateException if the COMMIT before is still to come, or this isn't a MySQL proxy
     */
    public Future<Void> cutNextCommit(CutPoint at) {
        return cutNextCommit(at, "");
    }

    /**
     * The same, for the next COMMIT of a transaction that has a certain text in a statement or a parameter; others pass.
     *
     * @param mention the text
     */
    public Future<Void> cutNextCommit(CutPoint at, String mention) {
        boolean before = at == CutPoint.BEFORE_SERVER;
        return arm(before ? CommitFault.Kind.CUT_BEFORE_SERVER : CommitFault.Kind.CUT_AFTER_SERVER, mention);
    }

    /**
     * Keeps the next COMMIT until {@link #releaseHeldCommit()}: the transaction stays open on the server.
     *
     * @return completes when the COMMIT is here; fails if the proxy is closed before one came
     * @throws IllegalStateException if the COMMIT before is still to come or still held, or this isn't a MySQL proxy
     */
    public Future<Void> holdNextCommit() {
        return holdNextCommit("");
    }

    /** The same, for the next COMMIT of a transaction that has {@code mention} in a statement or a parameter. */
    public Future<Void> holdNextCommit(String mention) {
        return armHold(CommitFault.Kind.HOLD, mention);
    }

    /** As {@link #holdNextCommit()}, but the client finds its connection closed while the server's stays open. */
    public Future<Void> holdNextCommitClosingClient() {
        return armHold(CommitFault.Kind.HOLD_CLOSING_CLIENT, "");
    }

    /**
     * Sends the held COMMIT on to the server, late.
     *
     * @return completes when the server has answered, yes or no; fails if no COMMIT is held, or the server has ended
     *     the connection
     */
    public Future<Void> releaseHeldCommit() {
        Promise<Void> answered = Promise.promise();
        listener.run(() -> {
            ProxyLink holder = listener.holder;
            listener.holder = null;
            if (holder == null) {
                answered.fail(new IllegalStateException("no COMMIT is held, or its connection is gone"));
            } else {
                holder.releaseCommit(answered);
            }
        });
        return answered.future();
    }

    /** COMMITs that came from clients so far, cut and held ones included. */
    public int commitsSeen() {
        return commitsSeen.get();
    }

    /** COMMITs that were cut so far. */
    public int cuts() {
        return cuts.get();
    }

    /** Bytes that a hold, a delay or a slow receiver keeps in the proxy now. */
    public long waitingBytes() {
        return waitingBytes.get();
    }

    /** Bytes that a black hole has swallowed so far. */
    public long swallowedBytes() {
        return swallowedBytes.get();
    }

    /** Resets all connections, stops listening, fails what was still to happen to a COMMIT. */
    public Future<Void> close() {
        return listener.undeploy();
    }

    private Future<Void> armHold(CommitFault.Kind kind, String mention) {
        if (listener.holder != null) {
            throw new IllegalStateException("a COMMIT is held already");
        }
        return arm(kind, mention);
    }

    private Future<Void> arm(CommitFault.Kind kind, String mention) {
        if (!mysql) {
            throw new IllegalStateException("only a proxy made by startMysql knows a COMMIT");
        }
        CommitFault fault = new CommitFault(kind, mention, Promise.promise());
        if (!armed.compareAndSet(null, fault)) {
            throw new IllegalStateException("the COMMIT of the call before is still to come");
        }
        return fault.reached().future();
    }

    boolean swallows(Direction direction) {
        return blackHoles.contains(direction);
    }

    long delayMs(Direction direction) {
        return delaysMs.getOrDefault(direction, 0L);
    }

    /** The fault that a COMMIT of this transaction meets, if there is one. */
    @Nullable
    CommitFault takeArmed(TransactionBytes transaction) {
        CommitFault fault = armed.get();
        return fault != null && transaction.hold(fault.mention()) && armed.compareAndSet(fault, null) ? fault : null;
    }

    void holdsCommit(ProxyLink link) {
        listener.holder = link;
    }

    void ended(ProxyLink link) {
        listener.links.remove(link);
        if (listener.holder == link) {
            listener.holder = null;
        }
    }

    /** A verticle, so that all links live on one event loop and go with it. */
    private final class Listener extends VerticleBase {
        private volatile int targetPort;
        private final Set<ProxyLink> links = new LinkedHashSet<>();
        private volatile @Nullable ProxyLink holder;
        private volatile int port;

        Listener(int targetPort) {
            this.targetPort = targetPort;
        }

        @Override
        public Future<?> start() {
            NetClient connector = vertx.createNetClient();
            return vertx.createNetServer()
                    .connectHandler(socket -> accept(connector, socket))
                    .listen(0, LOOPBACK)
                    .onSuccess(server -> port = server.actualPort());
        }

        @Override
        public Future<?> stop() {
            List.copyOf(links).forEach(ProxyLink::reset);
            CommitFault waiting = armed.getAndSet(null);
            if (waiting != null) {
                waiting.reached().fail(new IllegalStateException("the proxy was closed before a COMMIT came"));
            }
            return Future.succeededFuture();
        }

        private void accept(NetClient connector, NetSocket socket) {
            if (refusing) {
                ProxyLink.abort(socket);
                return;
            }
            ProxyLink link = new ProxyLink(FaultProxy.this, vertx, socket);
            links.add(link);
            link.connect(connector.connect(targetPort, LOOPBACK));
        }

        private void onEachLink(Consumer<ProxyLink> action) {
            run(() -> List.copyOf(links).forEach(action));
        }

        private void run(Runnable action) {
            context.runOnContext(now -> action.run());
        }

        private Future<Void> undeploy() {
            return vertx.undeploy(context.deploymentID());
        }
    }
}
