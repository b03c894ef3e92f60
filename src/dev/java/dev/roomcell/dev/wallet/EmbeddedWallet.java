package dev.roomcell.dev.wallet;

import dev.roomcell.dev.FreePorts;
import dev.roomcell.port.LuckyGift.Draw;
import dev.roomcell.port.Wallet.DebitAnswer;
import dev.roomcell.proto.luckygift.v1.DrawRequest;
import dev.roomcell.proto.luckygift.v1.DrawResponse;
import dev.roomcell.proto.luckygift.v1.LuckyGiftServiceGrpcService;
import dev.roomcell.proto.wallet.v1.CreditRequest;
import dev.roomcell.proto.wallet.v1.CreditResponse;
import dev.roomcell.proto.wallet.v1.DebitRequest;
import dev.roomcell.proto.wallet.v1.DebitResponse;
import dev.roomcell.proto.wallet.v1.GetBalanceRequest;
import dev.roomcell.proto.wallet.v1.GetBalanceResponse;
import dev.roomcell.proto.wallet.v1.RefundRequest;
import dev.roomcell.proto.wallet.v1.RefundResponse;
import dev.roomcell.proto.wallet.v1.WalletServiceGrpcService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A wallet and a lottery over gRPC, on two loopback ports that stay the same while they go down and come up; and their
 * books, past the wire. {@link #environment} tells a node where they are.
 */
public final class EmbeddedWallet {
    /** Threads that read balances. */
    private static final int READERS = 2;

    private static final long LONGEST_READ_SECONDS = 60;
    private static final long LONGEST_GROUP_SECONDS = 30;

    private final Vertx vertx;
    private final Transactions transactions;
    private final WorkerExecutor readers;
    /** One thread each, so that the wallet never waits for the lottery. */
    private final ExecutorService keeper;

    private final ExecutorService drawer;
    private final WalletBooks books;
    private final Ledger ledger;
    private final LuckyDraws draws;
    private final int walletPort;
    private final int luckyGiftPort;
    private final Set<String> welcomed = ConcurrentHashMap.newKeySet();
    private volatile long welcomeCoins;
    private final MoneyService wallet;
    private final MoneyService luckyGift;

    private EmbeddedWallet(Vertx vertx, WalletDatabase database, LuckyOdds odds, WalletFaults faults)
            throws IOException {
        this.vertx = vertx;
        transactions = new Transactions(database);
        walletPort = FreePorts.pick();
        luckyGiftPort = FreePorts.pick();
        keeper = oneThread("wallet-" + walletPort);
        drawer = oneThread("lottery-" + luckyGiftPort);
        readers = vertx.createSharedWorkerExecutor(
                "balances-" + walletPort, READERS, LONGEST_READ_SECONDS, TimeUnit.SECONDS);
        books = new WalletBooks(transactions, keeper);
        ledger = new Ledger(transactions);
        draws = new LuckyDraws(transactions, drawer, odds);
        wallet = new MoneyService(vertx, walletPort, faults)
                .on(WalletServiceGrpcService.Debit, DebitRequest::getKey, this::debit)
                .on(WalletServiceGrpcService.Credit, CreditRequest::getKey, this::credit)
                .on(WalletServiceGrpcService.Refund, RefundRequest::getKey, this::refund)
                .on(WalletServiceGrpcService.GetBalance, request -> "", this::balance);
        luckyGift = new MoneyService(vertx, luckyGiftPort, faults)
                .on(LuckyGiftServiceGrpcService.Draw, DrawRequest::getKey, this::draw);
    }

    private static ExecutorService oneThread(String name) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Makes the tables that are not there and starts both services; whoever asked for it stops it. */
    public static Future<EmbeddedWallet> start(
            Vertx vertx, WalletDatabase database, LuckyOdds odds, WalletFaults faults) {
        return vertx.executeBlocking(() -> new EmbeddedWallet(vertx, database, odds, faults))
                .compose(made -> made.comeUp().map(made));
    }

    /** From now on every user has so many coins to begin with; at least 1. */
    public void welcome(long coins) {
        welcomeCoins = coins;
    }

    private Future<DebitResponse> debit(DebitRequest request) {
        return welcomed(request.getAppCode(), request.getUserId())
                .compose(welcome ->
                        books.debit(request.getAppCode(), request.getUserId(), request.getKey(), request.getCoins()))
                .map(EmbeddedWallet::response);
    }

    private Future<Void> welcomed(String appCode, String userId) {
        String user = appCode + "/" + userId;
        if (welcomeCoins == 0 || !welcomed.add(user)) {
            return Future.succeededFuture();
        }
        return Future.succeededFuture()
                .compose(begun -> books.welcome(appCode, userId, welcomeCoins))
                .onFailure(failure -> {
                    if (!(failure instanceof ServiceRefusal refusal) || refusal.status() == GrpcStatus.UNAVAILABLE) {
                        welcomed.remove(user);
                    }
                })
                .mapEmpty();
    }

    private static DebitResponse response(DebitAnswer answer) {
        DebitResponse.Builder response = DebitResponse.newBuilder();
        if (answer instanceof DebitAnswer.Debited debited) {
            response.setDebited(DebitResponse.Debited.newBuilder().setBalanceAfterCoins(debited.balanceAfter()));
        } else if (answer instanceof DebitAnswer.InsufficientBalance) {
            response.setInsufficientBalance(DebitResponse.InsufficientBalance.getDefaultInstance());
        } else {
            response.setVoided(DebitResponse.Voided.getDefaultInstance());
        }
        return response.build();
    }

    private Future<CreditResponse> credit(CreditRequest request) {
        return books.credit(request.getAppCode(), request.getUserId(), request.getKey(), request.getCoins())
                .map(balance -> CreditResponse.newBuilder()
                        .setBalanceAfterCoins(balance)
                        .build());
    }

    private Future<RefundResponse> refund(RefundRequest request) {
        return books.refund(request.getAppCode(), request.getUserId(), request.getKey(), request.getDebitKey())
                .map(coins ->
                        RefundResponse.newBuilder().setRefundedCoins(coins).build());
    }

    private Future<GetBalanceResponse> balance(GetBalanceRequest request) {
        return readers.executeBlocking(() -> books.balance(request.getAppCode(), request.getUserId()), false)
                .map(balance ->
                        GetBalanceResponse.newBuilder().setBalanceCoins(balance).build());
    }

    private Future<DrawResponse> draw(DrawRequest request) {
        Draw draw = new Draw(
                request.getAppCode(),
                request.getKey(),
                request.getUserId(),
                request.getGiftId(),
                request.getPieces(),
                request.getCoins());
        return draws.draw(draw)
                .map(reward -> DrawResponse.newBuilder().setRewardCoins(reward).build());
    }

    /** Where the wallet listens, or did. */
    public int port() {
        return walletPort;
    }

    /** Where the lottery listens, or did. */
    public int luckyGiftPort() {
        return luckyGiftPort;
    }

    /** What a node's environment says of both. */
    public Map<String, String> environment() {
        return Map.of(
                "ROOM_WALLET_HOST",
                "127.0.0.1",
                "ROOM_WALLET_PORT",
                Integer.toString(walletPort),
                "ROOM_LUCKY_GIFT_HOST",
                "127.0.0.1",
                "ROOM_LUCKY_GIFT_PORT",
                Integer.toString(luckyGiftPort));
    }

    /** The accounts: opens them, and tells balances. Blocking. */
    public WalletBooks books() {
        return books;
    }

    /** What was moved. Blocking. */
    public Ledger ledger() {
        return ledger;
    }

    /** What was drawn. Blocking. */
    public LuckyDraws draws() {
        return draws;
    }

    /** How many calls to the wallet have had their effects, or been refused: to wait for a late one. */
    public long effects() {
        return wallet.effects();
    }

    /** Ends every connection and listens no more, as if killed; effects that are under way come to their end. */
    public Future<Void> goDown() {
        return Future.join(wallet.goDown(), luckyGift.goDown()).mapEmpty();
    }

    /** Listens again, on the same ports. */
    public Future<Void> comeUp() {
        return Future.all(wallet.comeUp(), luckyGift.comeUp()).mapEmpty();
    }

    /** Ends for good; the books can be read no more. What waits for a transaction is refused. */
    public Future<Void> stop() {
        return goDown().eventually(() -> vertx.executeBlocking(this::close)).eventually(readers::close);
    }

    private Boolean close() throws SQLException, InterruptedException {
        keeper.shutdown();
        drawer.shutdown();
        boolean ended = keeper.awaitTermination(LONGEST_GROUP_SECONDS, TimeUnit.SECONDS)
                && drawer.awaitTermination(LONGEST_GROUP_SECONDS, TimeUnit.SECONDS);
        transactions.close();
        if (!ended) {
            throw new IllegalStateException("a transaction of the wallet has not ended");
        }
        return true;
    }
}
