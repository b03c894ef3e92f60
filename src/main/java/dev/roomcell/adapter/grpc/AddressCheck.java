package dev.roomcell.adapter.grpc;

import dev.roomcell.port.Peer;
import dev.roomcell.proto.room.admin.v1.GetNodeRequest;
import dev.roomcell.proto.room.admin.v1.NodeAdminServiceGrpcClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import java.util.concurrent.TimeUnit;

/**
 * Whether a node is met at its own advertise address. Behind a load balancer's it would meet others, and calls that are
 * sent to the owner of a room would go astray (LEASE-5).
 */
public final class AddressCheck {
    private static final int ANSWER_MS = 2_000;

    private final Vertx vertx;
    private final Peer self;

    /** The check of the node {@code self}. */
    public AddressCheck(Vertx vertx, Peer self) {
        this.vertx = vertx;
        this.self = self;
    }

    /** Another node was met. */
    public static final class StrangerException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StrangerException(Peer self, String metNodeId) {
            super("node.advertise_addr " + self.advertiseAddr() + " is not this node's own: " + metNodeId
                    + " answers there. It must be the address of this very instance, not a load balancer's");
        }
    }

    /**
     * Asks who is there, over a connection of its own: a load balancer sends each to another node.
     *
     * @return fails with {@link StrangerException} if another node answers, else if none does
     */
    public Future<Void> meetSelf() {
        int colon = self.advertiseAddr().lastIndexOf(':');
        SocketAddress address = SocketAddress.inetSocketAddress(
                Integer.parseInt(self.advertiseAddr().substring(colon + 1)),
                self.advertiseAddr().substring(0, colon).replaceAll("[\\[\\]]", ""));
        GrpcClient client = GrpcClient.client(
                vertx,
                new GrpcClientOptions()
                        .setTimeout(ANSWER_MS)
                        .setTimeoutUnit(TimeUnit.MILLISECONDS)
                        .setScheduleDeadlineAutomatically(true),
                new HttpClientOptions().setHttp2ClearTextUpgrade(false).setConnectTimeout(ANSWER_MS));
        return NodeAdminServiceGrpcClient.create(client, address)
                .getNode(GetNodeRequest.getDefaultInstance())
                .timeout(ANSWER_MS, TimeUnit.MILLISECONDS)
                .<Void>compose(answer -> {
                    String met = answer.getNode().getNodeId();
                    return met.equals(self.nodeId())
                            ? Future.succeededFuture()
                            : Future.failedFuture(new StrangerException(self, met));
                })
                .eventually(client::close);
    }

    /** Asks so many times, one after the other; fails at the first answer that is not this node's. */
    public Future<Void> meetSelf(int times) {
        return times == 0 ? Future.succeededFuture() : meetSelf().compose(met -> meetSelf(times - 1));
    }
}
