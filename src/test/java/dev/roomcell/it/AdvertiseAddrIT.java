package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.config.NodeConfig;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node is reached at its own address, or does not start (LEASE-5, B17). */
final class AdvertiseAddrIT {
    private final Backends backends = Backends.shared();
    private Vertx vertx;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    /** A port that sends connections to these ports in turn, as a load balancer does. */
    private int balancerOver(AtomicInteger... ports) {
        AtomicInteger next = new AtomicInteger();
        NetClient connector = vertx.createNetClient();
        return Await.result(vertx.createNetServer()
                        .connectHandler(inbound -> {
                            inbound.pause();
                            int port = ports[Math.floorMod(next.getAndIncrement(), ports.length)].get();
                            connector
                                    .connect(port, "127.0.0.1")
                                    .onSuccess(outbound -> pipe(inbound, outbound))
                                    .onFailure(refused -> inbound.close());
                        })
                        .listen(0, "127.0.0.1"))
                .actualPort();
    }

    private static void pipe(NetSocket inbound, NetSocket outbound) {
        inbound.pipeTo(outbound).onComplete(over -> outbound.close());
        outbound.pipeTo(inbound).onComplete(over -> inbound.close());
        inbound.resume();
    }

    @Test
    void aLoadBalancersAddressIsRefusedAtTheStart() {
        RoomNode first = backends.startNode("first", Map.of());
        AtomicInteger own = new AtomicInteger(Backends.freePort());
        int balancer = balancerOver(own, new AtomicInteger(first.grpcPort()));
        Throwable refused = Await.failure(RoomNode.start(NodeConfig.load(
                null,
                backends.environment(
                        "second",
                        Map.of(
                                "ROOM_GRPC_PORT",
                                Integer.toString(own.get()),
                                "ROOM_NODE_ADVERTISE_ADDR",
                                "127.0.0.1:" + balancer)))));
        assertThat(refused)
                .hasMessageContaining("node.advertise_addr 127.0.0.1:" + balancer)
                .hasMessageContaining(first.nodeId())
                .hasMessageContaining("load balancer");
        Await.result(first.stop());
    }

    @Test
    void anAddressWhereNobodyIsIsRefusedAtTheStart() {
        String nowhere = "127.0.0.1:" + Backends.freePort();
        Throwable refused = Await.failure(RoomNode.start(
                NodeConfig.load(null, backends.environment("lost", Map.of("ROOM_NODE_ADVERTISE_ADDR", nowhere)))));
        assertThat(refused)
                .hasMessageContaining("node.advertise_addr " + nowhere)
                .hasMessageContaining("does not reach itself");
    }

    /** Looked at again with each announcement: the address leads elsewhere by now, and then back. */
    @Test
    void anAddressThatLeadsElsewhereLaterMakesTheNodeNotReady() {
        RoomNode first = backends.startNode("first", Map.of());
        AtomicInteger where = new AtomicInteger(Backends.freePort());
        int port = where.get();
        int balancer = balancerOver(where);
        RoomNode second = backends.startNode(
                "second",
                Map.of("ROOM_GRPC_PORT", Integer.toString(port), "ROOM_NODE_ADVERTISE_ADDR", "127.0.0.1:" + balancer));
        assertThat(ready(second)).contains("UP");
        where.set(first.grpcPort());
        Await.until("it is not ready", () -> ready(second).contains(first.nodeId()));
        where.set(port);
        Await.until("it is ready", () -> ready(second).contains("UP"));
        Await.result(Future.join(first.stop(), second.stop()));
    }

    private String ready(RoomNode node) {
        return Await.result(vertx.createHttpClient()
                .request(HttpMethod.GET, node.opsPort(), "127.0.0.1", "/health/ready")
                .compose(request -> request.send().compose(response -> response.body()))
                .map(body -> body.toString()));
    }
}
