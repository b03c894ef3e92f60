package dev.roomcell.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roomcell.fault.FaultProxy.CutPoint;
import dev.roomcell.fault.FaultProxy.Direction;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The proxy before a server that greets with {@code hello} and then sends everything back. */
class FaultProxyTest {

    private static final int DEADLINE_MS = 20_000;
    private static final int MEGABYTE = 1 << 20;

    private final AtomicLong serverReceived = new AtomicLong();
    private final AtomicInteger serverConnections = new AtomicInteger();
    private final AtomicInteger serverResets = new AtomicInteger();
    private final List<Socket> clients = new ArrayList<>();
    private Vertx vertx;
    private NetServer server;
    private FaultProxy proxy;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        server =
                await(vertx.createNetServer().connectHandler(this::greetAndEcho).listen(0, "127.0.0.1"));
        proxy = await(FaultProxy.start(vertx, server.actualPort()));
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
        await(vertx.close());
    }

    private void greetAndEcho(NetSocket socket) {
        serverConnections.incrementAndGet();
        socket.exceptionHandler(reset -> serverResets.incrementAndGet());
        socket.closeHandler(closed -> serverConnections.decrementAndGet());
        socket.handler(bytes -> {
            serverReceived.addAndGet(bytes.length());
            send(socket, bytes.toString());
        });
        send(socket, "hello");
    }

    /** What a closed socket doesn't take is of no interest: each test looks at what arrives. */
    private static void send(NetSocket socket, String text) {
        socket.write(text).onFailure(gone -> socket.pause());
    }

    @Test
    void bytesPassInBothDirections() throws IOException {
        Socket client = greetedClient();
        write(client, "one");
        assertThat(read(client, 3)).isEqualTo("one");
        assertThat(proxy.waitingBytes()).isZero();
    }

    @Test
    void aClientThatClosesClosesTheServersConnection() throws IOException {
        Socket client = greetedClient();
        assertThat(serverConnections).hasValue(1);
        client.close();
        await(() -> serverConnections.get() == 0);
    }

    @Test
    void aServerThatClosesClosesTheClientsConnection() throws IOException {
        Socket client = greetedClient();
        await(server.close());
        assertThat(client.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void aServerThatIsDownResetsTheClient() throws IOException {
        await(server.close());
        assertReset(client());
    }

    @Test
    void aHoldKeepsBytesUntilItsRelease() throws IOException {
        Socket client = greetedClient();
        proxy.hold();
        write(client, "kept");
        await(() -> proxy.waitingBytes() == 4);
        assertThat(serverReceived).hasValue(0);
        proxy.release();
        assertThat(read(client, 4)).isEqualTo("kept");
    }

    @Test
    void aHoldKeepsTheServersBytesOnANewConnection() throws IOException {
        proxy.hold();
        Socket client = client();
        await(() -> proxy.waitingBytes() == 5);
        proxy.release();
        assertThat(read(client, 5)).isEqualTo("hello");
    }

    @Test
    void aHoldHidesFromTheServerThatTheClientHasClosed() throws IOException {
        Socket client = greetedClient();
        proxy.hold();
        write(client, "last");
        client.close();
        await(() -> proxy.waitingBytes() == 4);
        assertThat(serverConnections).hasValue(1);
        proxy.release();
        await(() -> serverConnections.get() == 0);
        assertThat(serverReceived).hasValue(4);
    }

    @Test
    void aHeldStreamStopsItsSender() throws Exception {
        Socket client = greetedClient();
        proxy.hold();
        int bytes = 32 * MEGABYTE;
        FutureTask<Void> writing = inBackground(() -> {
            write(client, "x".repeat(bytes));
            return null;
        });
        awaitSteady(proxy::waitingBytes);
        assertThat(proxy.waitingBytes()).isBetween((long) MEGABYTE, 2L * MEGABYTE);
        proxy.release();
        assertThat(read(client, bytes)).hasSize(bytes);
        writing.get(DEADLINE_MS, TimeUnit.MILLISECONDS);
        assertThat(serverReceived).hasValue(bytes);
    }

    @Test
    void aBlackHoleTowardsTheClientSwallowsAnswersOnly() throws IOException {
        Socket client = greetedClient();
        proxy.blackHole(Direction.TO_CLIENT);
        write(client, "lost");
        await(() -> proxy.swallowedBytes() == 4);
        assertThat(serverReceived).hasValue(4);
        proxy.pass();
        assertReset(client);
    }

    @Test
    void aBlackHoleTowardsTheServerSwallowsRequestsOnly() throws IOException {
        proxy.blackHole(Direction.TO_SERVER);
        Socket client = greetedClient();
        write(client, "lost");
        await(() -> proxy.swallowedBytes() == 4);
        assertThat(serverReceived).hasValue(0);
    }

    @Test
    void aBlackHoleInBothDirectionsHidesThatTheClientHasClosed() throws IOException {
        Socket client = greetedClient();
        proxy.blackHole();
        write(client, "lost");
        client.close();
        await(() -> proxy.swallowedBytes() == 4);
        assertThat(serverConnections).hasValue(1);
        proxy.pass();
        await(() -> serverConnections.get() == 0);
    }

    @Test
    void aConnectionThatLostNothingOutlivesABlackHole() throws IOException {
        Socket client = greetedClient();
        proxy.blackHole();
        proxy.pass();
        write(client, "here");
        assertThat(read(client, 4)).isEqualTo("here");
    }

    @Test
    void aResetEndsWhatIsThereAndServesWhatComes() throws IOException {
        Socket client = greetedClient();
        proxy.reset();
        assertReset(client);
        await(() -> serverConnections.get() == 0);
        assertThat(serverResets).hasValue(1);
        assertThat(greetedClient().isConnected()).isTrue();
    }

    @Test
    void aRefusalMeetsNewConnectionsOnly() throws IOException {
        Socket before = greetedClient();
        proxy.refuse();
        assertReset(client());
        write(before, "still");
        assertThat(read(before, 5)).isEqualTo("still");
        proxy.pass();
        assertThat(greetedClient().isConnected()).isTrue();
    }

    @Test
    void aDelayHoldsBytesBackAndKeepsTheirOrder() throws IOException {
        Socket client = greetedClient();
        proxy.delay(Direction.TO_SERVER, 100);
        proxy.delay(Direction.TO_CLIENT, 100);
        long sentNanos = System.nanoTime();
        write(client, "first");
        await(() -> proxy.waitingBytes() > 0);
        proxy.delay(Direction.TO_SERVER, 0);
        write(client, "second");
        assertThat(read(client, 11)).isEqualTo("firstsecond");
        assertThat(System.nanoTime() - sentNanos).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    }

    @Test
    void aClosedProxyLeavesNothingBehind() throws IOException {
        Socket client = greetedClient();
        await(proxy.close());
        assertReset(client);
        await(() -> serverConnections.get() == 0);
        assertThatThrownBy(this::client).isInstanceOf(ConnectException.class);
    }

    @Test
    void aPlainProxyKnowsNoCommit() {
        assertThatThrownBy(() -> proxy.cutNextCommit(CutPoint.BEFORE_SERVER)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(proxy::holdNextCommit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> await(proxy.releaseHeldCommit())).hasMessageContaining("no COMMIT is held");
    }

    private Socket client() throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        client.setSoTimeout(DEADLINE_MS);
        clients.add(client);
        return client;
    }

    private Socket greetedClient() throws IOException {
        Socket client = client();
        assertThat(read(client, 5)).isEqualTo("hello");
        return client;
    }

    private static void write(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(Socket client, int bytes) throws IOException {
        return new String(client.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8);
    }

    private static void assertReset(Socket client) {
        assertThatThrownBy(() -> client.getInputStream().read())
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
    }

    private static FutureTask<Void> inBackground(Callable<Void> work) {
        FutureTask<Void> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "fault-proxy-test");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static <T> T await(Future<T> future) {
        return future.timeout(DEADLINE_MS, TimeUnit.MILLISECONDS).await();
    }

    private static void await(BooleanSupplier condition) {
        long startedNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long waitedNanos = System.nanoTime() - startedNanos;
            assertThat(waitedNanos).as("waited").isLessThan(TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Until the number is above zero and fifty looks in a row have seen the same. */
    private static void awaitSteady(LongSupplier number) {
        long[] last = {0, 0};
        await(() -> {
            long now = number.getAsLong();
            last[1] = now == last[0] && now > 0 ? last[1] + 1 : 0;
            last[0] = now;
            return last[1] == 50;
        });
    }
}
