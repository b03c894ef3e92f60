package dev.roomcell.dev.wallet;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.check.WalletMovement.Kind;
import dev.roomcell.port.Wallet.DebitAnswer;
import io.vertx.core.Future;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The accounts of all users: what is asked of them is checked here, and decided in groups. Thread-safe. */
public final class WalletBooks {
    private static final int APP_BYTES = 32;
    private static final int ID_BYTES = 64;
    private static final int KEY_BYTES = 200;
    /** After so long a blocked caller gives up: the books are being kept by nobody. */
    private static final long LONGEST_WAIT_SECONDS = 120;

    private final Transactions transactions;
    private final GroupCommit<WalletMovement, OpenBooks> group;

    /** The books in a database; makes their tables. They are changed on the executor only. */
    WalletBooks(Transactions transactions, Executor executor) {
        this(transactions, executor, GroupCommit.Limits.STANDARD);
    }

    WalletBooks(Transactions transactions, Executor executor, GroupCommit.Limits limits) {
        this.transactions = transactions;
        transactions.createTables(WalletTables.TABLES);
        group = new GroupCommit<>(executor, transactions, new WalletTables(), limits);
    }

    /** Gives a user coins to begin with, once; a second opening must be of as many. Blocking. */
    public void open(String appCode, String userId, long coins) {
        waitFor(welcome(appCode, userId, coins));
    }

    /** As {@link #open}, without waiting; the balance after it. */
    Future<Long> welcome(String appCode, String userId, long coins) {
        return give(Kind.OPENING, appCode, userId, "opening/" + appCode + "/" + userId, coins);
    }

    /** Gives a user coins out of nothing, once a key; returns the balance after it. Blocking. */
    public long grant(String appCode, String userId, String key, long coins) {
        return waitFor(give(Kind.OPENING, appCode, userId, key, coins));
    }

    Future<Long> credit(String appCode, String userId, String key, long coins) {
        return give(Kind.CREDIT, appCode, userId, key, coins);
    }

    private Future<Long> give(Kind kind, String appCode, String userId, String key, long coins) {
        ServiceRefusal.requirePositive("coins", coins);
        WalletMovement wanted = checked(new WalletMovement(key, kind, appCode, userId, coins, 0, ""));
        return group.submit(wanted, books -> books.give(wanted));
    }

    Future<DebitAnswer> debit(String appCode, String userId, String key, long coins) {
        ServiceRefusal.requirePositive("coins", coins);
        WalletMovement wanted = checked(new WalletMovement(key, Kind.DEBIT, appCode, userId, coins, 0, ""));
        return group.submit(wanted, books -> books.debit(wanted));
    }

    Future<Long> refund(String appCode, String userId, String key, String debitKey) {
        ServiceRefusal.requireText("debit_key", debitKey, KEY_BYTES);
        WalletMovement asked = checked(new WalletMovement(key, Kind.REFUND, appCode, userId, 0, 0, debitKey));
        return group.submit(asked, books -> books.refund(asked));
    }

    /** A user's balance, coins; 0 for one who is not known. Blocking. */
    public long balance(String appCode, String userId) {
        ServiceRefusal.requireText("app_code", appCode, APP_BYTES);
        ServiceRefusal.requireText("user_id", userId, ID_BYTES);
        return transactions.run(connection -> Row.one(
                        connection,
                        "SELECT balance FROM wallet_accounts WHERE app_code = ? AND account = ?",
                        row -> row.getLong("balance"),
                        appCode,
                        WalletTables.USER + userId)
                .orElse(0L));
    }

    private static WalletMovement checked(WalletMovement wanted) {
        ServiceRefusal.requireText("app_code", wanted.appCode(), APP_BYTES);
        ServiceRefusal.requireText("user_id", wanted.userId(), ID_BYTES);
        ServiceRefusal.requireText("key", wanted.key(), KEY_BYTES);
        return wanted;
    }

    private static <A> A waitFor(Future<A> answer) {
        Throwable failure;
        try {
            return answer.toCompletionStage().toCompletableFuture().get(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ServiceRefusal refusal) {
                throw refusal;
            }
            failure = e.getCause();
        } catch (TimeoutException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = e;
        }
        throw new IllegalStateException("the books did not answer: " + failure, failure);
    }
}
