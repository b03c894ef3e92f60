package dev.roomcell.contract;

import dev.roomcell.adapter.wallet.GrpcLuckyGift;
import dev.roomcell.adapter.wallet.GrpcWallet;
import dev.roomcell.adapter.wallet.ServiceCallMeter;
import dev.roomcell.adapter.wallet.WalletSettings;
import dev.roomcell.check.WalletMovement;
import dev.roomcell.dev.wallet.EmbeddedWallet;
import dev.roomcell.dev.wallet.LuckyOdds;
import dev.roomcell.dev.wallet.WalletDatabase;
import dev.roomcell.dev.wallet.WalletFaults;
import dev.roomcell.dev.wallet.WalletFaults.Fault;
import dev.roomcell.port.LuckyGift;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.Wallet;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The embedded wallet and lottery, called over gRPC as a node calls them; no faults before each test. */
final class GrpcWalletBackend implements WalletBackend, BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
    private static final int MAX_IN_FLIGHT = 256;
    private static final long CALL_TIMEOUT_MS = 30_000;

    private final LuckyOdds odds;
    private volatile WalletFaults faults = WalletFaults.NONE;
    private @Nullable Opened opened;

    private record Opened(Vertx vertx, EmbeddedWallet service, Client client) {}

    /** A node's way to both; every port is called on its loop. */
    record Client(EventLoop loop, GrpcWallet own, Wallet wallet, LuckyGift luckyGift) {
        boolean takesCalls() {
            return loop.call(own::takesCalls);
        }
    }

    /** Real time. */
    static final RoomClock CLOCK = new RoomClock() {
        @Override
        public long nowMs() {
            return System.currentTimeMillis();
        }

        @Override
        public long monotonicMs() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
    };

    GrpcWalletBackend(LuckyOdds odds) {
        this.odds = odds;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Vertx vertx = Vertx.vertx();
        SharedServers.MysqlServer server = SharedServers.mysql();
        WalletDatabase database =
                new WalletDatabase(server.jdbcUrl(SharedServers.newSchema()), server.user(), server.password());
        EmbeddedWallet service =
                Await.result(EmbeddedWallet.start(vertx, database, odds, (method, key) -> faults.onCall(method, key)));
        opened = new Opened(vertx, service, client(vertx, service.port(), service.luckyGiftPort(), CALL_TIMEOUT_MS));
    }

    static Client client(Vertx vertx, int walletPort, int luckyGiftPort, long callTimeoutMs) {
        EventLoop loop = EventLoop.of(vertx);
        GrpcWallet wallet = loop.call(() -> GrpcWallet.of(
                        vertx,
                        settings(walletPort, callTimeoutMs),
                        CLOCK,
                        new ServiceCallMeter(new SimpleMeterRegistry()))
                .orElseThrow());
        GrpcLuckyGift luckyGift = loop.call(() -> GrpcLuckyGift.of(
                        vertx,
                        settings(luckyGiftPort, callTimeoutMs),
                        CLOCK,
                        new ServiceCallMeter(new SimpleMeterRegistry()))
                .orElseThrow());
        return new Client(loop, wallet, loop.port(Wallet.class, wallet), loop.port(LuckyGift.class, luckyGift));
    }

    private static WalletSettings settings(int port, long callTimeoutMs) {
        return new WalletSettings("127.0.0.1", port, callTimeoutMs, MAX_IN_FLIGHT);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        faults = WalletFaults.NONE;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Await.result(service().stop());
        Await.result(vertx().close());
    }

    private Opened opened() {
        return Objects.requireNonNull(opened, "register this as a static extension");
    }

    Vertx vertx() {
        return opened().vertx;
    }

    EmbeddedWallet service() {
        return opened().service;
    }

    Client client() {
        return opened().client;
    }

    /** From now on. */
    void setFaults(WalletFaults faults) {
        this.faults = faults;
    }

    /** From now on the same for every call. */
    void setFault(Fault fault) {
        setFaults((method, key) -> fault);
    }

    @Override
    public Wallet wallet() {
        return client().wallet;
    }

    @Override
    public void open(String appCode, String userId, long coins) {
        service().books().open(appCode, userId, coins);
    }

    @Override
    public Optional<WalletMovement> movement(String key) {
        return service().ledger().movement(key);
    }

    @Override
    public List<WalletMovement> movements() {
        return service().ledger().movements();
    }

    @Override
    public List<String> audit() {
        return service().ledger().audit();
    }
}
