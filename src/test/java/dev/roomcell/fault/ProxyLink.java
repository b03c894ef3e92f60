package dev.roomcell.fault;

import dev.roomcell.fault.FaultProxy.Direction;
import dev.roomcell.fault.MysqlPackets.Kind;
import dev.roomcell.fault.MysqlPackets.Piece;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection and the one to the server that belongs to it. Lives on the proxy's event loop. */
final class ProxyLink {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyLink.class);
    /** A stream with more than this waiting reads no further. */
    private static final long QUEUE_LIMIT_BYTES = 1 << 20;

    private final FaultProxy proxy;
    private final Vertx vertx;
    private final NetSocket client;
    private final Stream toServer;
    private final Stream toClient;
    private @Nullable NetSocket server;
    private int openSockets = 1;
    private boolean over;

    private final TransactionBytes transaction = new TransactionBytes();
    private int commands;
    private int answers;
    private @Nullable Piece heldCommit;
    /** The fault of the COMMIT that is the server's to answer; while there is one, no command follows. */
    private @Nullable CommitFault awaitingAnswer;

    ProxyLink(FaultProxy proxy, Vertx vertx, NetSocket client) {
        this.proxy = proxy;
        this.vertx = vertx;
        this.client = client;
        this.toServer = new Stream(Direction.TO_SERVER, proxy.mysql ? MysqlPackets.fromClient() : null);
        this.toClient = new Stream(Direction.TO_CLIENT, proxy.mysql ? MysqlPackets.fromServer() : null);
    }

    /** Begins to read; what the client sends waits for the server's connection. */
    void connect(Future<NetSocket> serverConnection) {
        client.closeHandler(closed -> socketClosed());
        toClient.writesTo(client);
        toServer.readsFrom(client);
        serverConnection.onSuccess(this::connected).onFailure(unreachable -> reset());
    }

    private void connected(NetSocket socket) {
        if (over) {
            abort(socket);
            return;
        }
        openSockets++;
        server = socket;
        socket.closeHandler(closed -> socketClosed());
        toServer.writesTo(socket);
        toClient.readsFrom(socket);
        pump();
    }

    /** Moves on what the faults of this moment let through. */
    void pump() {
        toServer.pump();
        toClient.pump();
    }

    /** Ends both connections with an RST. */
    void reset() {
        linger(client);
        if (server != null) {
            linger(server);
        }
        note(close());
    }

    /** Ends one connection with an RST. */
    static void abort(NetSocket socket) {
        linger(socket);
        note(socket.close());
    }

    /** Sends the held COMMIT to the server. */
    void releaseCommit(Promise<Void> answered) {
        Piece commit = heldCommit;
        heldCommit = null;
        if (commit == null) {
            answered.fail(new IllegalStateException("the COMMIT is gone"));
            return;
        }
        sendAndAwaitAnswer(commit, new CommitFault(CommitFault.Kind.RELEASE, "", answered));
    }

    private void onCommit(Piece commit) {
        commands++;
        CommitFault fault = proxy.takeArmed(transaction);
        transaction.end();
        if (fault == null) {
            toServer.write(commit.bytes());
            return;
        }
        switch (fault.kind()) {
            case CUT_BEFORE_SERVER -> cut(fault);
            case CUT_AFTER_SERVER, RELEASE -> sendAndAwaitAnswer(commit, fault);
            case HOLD, HOLD_CLOSING_CLIENT -> {
                toServer.blocked = true;
                heldCommit = commit;
                proxy.holdsCommit(this);
                boolean closing = fault.kind() == CommitFault.Kind.HOLD_CLOSING_CLIENT;
                (closing ? client.close() : Future.<Void>succeededFuture()).onComplete(fault.reached());
            }
        }
    }

    private void sendAndAwaitAnswer(Piece commit, CommitFault fault) {
        toServer.blocked = true;
        awaitingAnswer = fault;
        toServer.write(commit.bytes());
    }

    /** With pipelining the answers to earlier commands come first: the COMMIT, being the last, has all of them. */
    private void onAnswer(Piece answer) {
        answers++;
        CommitFault fault = awaitingAnswer;
        if (fault == null || answers < commands) {
            toClient.write(answer.bytes());
            return;
        }
        awaitingAnswer = null;
        if (fault.kind() == CommitFault.Kind.CUT_AFTER_SERVER) {
            cut(fault);
            return;
        }
        toClient.write(answer.bytes());
        fault.reached().complete();
        toServer.blocked = false;
        toServer.pump();
    }

    private void cut(CommitFault fault) {
        proxy.cuts.incrementAndGet();
        close().onComplete(fault.reached());
    }

    private Future<Void> close() {
        end();
        return Future.join(client.close(), server == null ? Future.succeededFuture() : server.close())
                .mapEmpty();
    }

    private void end() {
        over = true;
        toServer.drop();
        toClient.drop();
    }

    private void socketClosed() {
        if (--openSockets > 0) {
            return;
        }
        end();
        if (awaitingAnswer != null) {
            awaitingAnswer.reached().fail(new IllegalStateException("the connection ended before the COMMIT's answer"));
        }
        proxy.ended(this);
    }

    /** SO_LINGER 0 makes the close that follows an RST; Vert.x offers it for all of a server's sockets only. */
    private static void linger(NetSocket socket) {
        Channel channel = ((NetSocketInternal) socket).channelHandlerContext().channel();
        if (channel.isActive()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
    }

    /** That a peer is gone already is no news: its end comes through the other stream. */
    private static void note(Future<Void> outcome) {
        outcome.onFailure(ProxyLink::debug);
    }

    private static void debug(Throwable gone) {
        LOG.debug("a peer is gone", gone);
    }

    /** One direction: a queue that a fault stops, delays or empties. */
    private final class Stream {
        private record Waiting(Piece piece, long dueNanos) {}

        private final Direction direction;
        private final @Nullable MysqlPackets packets;
        private final Queue<Waiting> queue = new ArrayDeque<>();
        private @Nullable NetSocket from;
        private @Nullable NetSocket to;
        private long queuedBytes;
        private boolean blocked;
        private boolean hasLostBytes;
        private boolean wakeUpSet;

        Stream(Direction direction, @Nullable MysqlPackets packets) {
            this.direction = direction;
            this.packets = packets;
        }

        void readsFrom(NetSocket socket) {
            from = socket;
            socket.exceptionHandler(ProxyLink::debug);
            socket.handler(this::receive);
            socket.endHandler(end -> receive(List.of(new Piece(Kind.END, Buffer.buffer()))));
        }

        void writesTo(NetSocket socket) {
            to = socket;
            socket.drainHandler(drained -> pump());
        }

        private void receive(Buffer chunk) {
            receive(packets == null ? List.of(new Piece(Kind.BYTES, chunk)) : packets.feed(chunk));
        }

        private void receive(List<Piece> pieces) {
            if (over) {
                return;
            }
            long dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(proxy.delayMs(direction));
            for (Piece piece : pieces) {
                if (piece.kind() == Kind.COMMIT) {
                    proxy.commitsSeen.incrementAndGet();
                }
                queue.add(new Waiting(piece, dueNanos));
                count(piece.bytes().length());
            }
            pump();
        }

        void pump() {
            if (over) {
                return;
            }
            if (proxy.swallows(direction)) {
                hasLostBytes |= !queue.isEmpty();
                proxy.swallowedBytes.addAndGet(queuedBytes);
                drop();
            } else if (hasLostBytes) {
                reset();
                return;
            }
            while (mayDeliver()) {
                Piece piece = queue.remove().piece();
                count(-piece.bytes().length());
                deliver(piece);
            }
            if (from == null) {
                return;
            }
            if (queuedBytes > QUEUE_LIMIT_BYTES) {
                from.pause();
            } else {
                from.resume();
            }
        }

        private boolean mayDeliver() {
            if (to == null || blocked || proxy.held || queue.isEmpty() || to.writeQueueFull()) {
                return false;
            }
            long waitNanos = queue.element().dueNanos() - System.nanoTime();
            if (waitNanos > 0) {
                wakeUpIn(waitNanos);
            }
            return waitNanos <= 0;
        }

        private void wakeUpIn(long nanos) {
            if (wakeUpSet) {
                return;
            }
            wakeUpSet = true;
            vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(nanos) + 1, due -> {
                wakeUpSet = false;
                pump();
            });
        }

        private void deliver(Piece piece) {
            switch (piece.kind()) {
                case COMMIT -> onCommit(piece);
                case ANSWER -> onAnswer(piece);
                case COMMAND -> {
                    commands++;
                    pass(piece);
                }
                case BYTES -> pass(piece);
                case END -> note(to == null ? Future.succeededFuture() : to.close());
            }
        }

        private void pass(Piece piece) {
            if (direction == Direction.TO_SERVER && packets != null) {
                transaction.add(piece.bytes());
            }
            write(piece.bytes());
        }

        void write(Buffer bytes) {
            if (to != null) {
                note(to.write(bytes));
            }
        }

        void drop() {
            queue.clear();
            count(-queuedBytes);
        }

        private void count(long bytes) {
            queuedBytes += bytes;
            proxy.waitingBytes.addAndGet(bytes);
        }
    }
}
