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
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A wallet and a lottery over gRPC, on two loopback ports that stay the same while they go down and come up; and their
 * books, past the wire. {@link #environment} tells a node where they are.
 */
public final class EmbeddedWallet {
    private static final int WORKERS = 16;
    private static final long LONGEST_EFFECT_SECONDS = 60;

    private final Transactions transactions;
    private final WorkerExecutor workers;
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
        transactions = new Transactions(database);
        books = new WalletBooks(transactions);
        ledger = new Ledger(transactions);
        draws = new LuckyDraws(transactions, odds);
        walletPort = FreePorts.pick();
        luckyGiftPort = FreePorts.pick();
        workers = vertx.createSharedWorkerExecutor(
                "wallet-" + walletPort, WORKERS, LONGEST_EFFECT_SECONDS, TimeUnit.SECONDS);
        wallet = new MoneyService(vertx, workers, walletPort, faults)
                .on(WalletServiceGrpcService.Debit, DebitRequest::getKey, this::debit)
                .on(WalletServiceGrpcService.Credit, CreditRequest::getKey, this::credit)
                .on(WalletServiceGrpcService.Refund, RefundRequest::getKey, this::refund)
                .on(WalletServiceGrpcService.GetBalance, request -> "", this::balance);
        luckyGift = new MoneyService(vertx, workers, luckyGiftPort, faults)
                .on(LuckyGiftServiceGrpcService.Draw, DrawRequest::getKey, this::draw);
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

    private DebitResponse debit(DebitRequest request) {
        if (welcomeCoins > 0 && welcomed.add(request.getAppCode() + "/" + request.getUserId())) {
            books.open(request.getAppCode(), request.getUserId(), welcomeCoins);
        }
        DebitAnswer answer =
                books.debit(request.getAppCode(), request.getUserId(), request.getKey(), request.getCoins());
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

    private CreditResponse credit(CreditRequest request) {
        long balance = books.credit(request.getAppCode(), request.getUserId(), request.getKey(), request.getCoins());
        return CreditResponse.newBuilder().setBalanceAfterCoins(balance).build();
    }

    private RefundResponse refund(RefundRequest request) {
        long coins = books.refund(request.getAppCode(), request.getUserId(), request.getKey(), request.getDebitKey());
        return RefundResponse.newBuilder().setRefundedCoins(coins).build();
    }

    private GetBalanceResponse balance(GetBalanceRequest request) {
        long balance = books.balance(request.getAppCode(), request.getUserId());
        return GetBalanceResponse.newBuilder().setBalanceCoins(balance).build();
    }

    private DrawResponse draw(DrawRequest request) {
        Draw draw = new Draw(
                request.getAppCode(),
                request.getKey(),
                request.getUserId(),
                request.getGiftId(),
                request.getPieces(),
                request.getCoins());
        return DrawResponse.newBuilder().setRewardCoins(draws.draw(draw)).build();
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

    /** Ends for good; the books can be read no more. */
    public Future<Void> stop() {
        return goDown().eventually(workers::close).map(stopped -> {
            try {
                transactions.close();
            } catch (SQLException e) {
                throw new IllegalStateException("a connection was not closed", e);
            }
            return null;
        });
    }
}
