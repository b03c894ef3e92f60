package dev.roomcell.dev.wallet;

import dev.roomcell.check.WalletMovement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What was moved, and whether it adds up. Blocking; thread-safe. */
public final class Ledger {
    /** What a movement adds to the user's balance. */
    private static final String CHANGE = "(CASE kind WHEN 'DEBIT' THEN -coins ELSE coins END)";

    /** Each makes a sentence, in the column {@code wrong}, of every case of one fault. */
    private static final List<String> CHECKS = List.of("""
            SELECT CONCAT('the balances of ', app_code, ' add up to ', SUM(balance)) AS wrong
            FROM wallet_accounts GROUP BY app_code HAVING SUM(balance) <> 0
            """, """
            SELECT CONCAT(account, ' of ', app_code, ' is off its movements by ', SUM(amount)) AS wrong
            FROM (SELECT app_code, account, balance AS amount FROM wallet_accounts
                  UNION ALL SELECT app_code, CONCAT('user/', user_id), -%1$s FROM wallet_ledger
                  UNION ALL SELECT app_code, house, %1$s FROM wallet_ledger) amounts
            GROUP BY app_code, account HAVING SUM(amount) <> 0
            """.formatted(CHANGE), """
            SELECT CONCAT(account, ' of ', app_code, ' has ', balance) AS wrong
            FROM wallet_accounts WHERE LEFT(account, 5) = 'user/' AND balance < 0
            """, """
            SELECT CONCAT(movement_key, ' left ', balance_after, ' and not ', running) AS wrong
            FROM (SELECT movement_key, balance_after,
                    SUM(%s) OVER (PARTITION BY app_code, user_id ORDER BY seq) AS running
                  FROM wallet_ledger) movements
            WHERE balance_after <> running
            """.formatted(CHANGE), """
            SELECT CONCAT(refund.movement_key, ' gave back ', refund.coins, ' of ', COALESCE(debit.coins, 0)) AS wrong
            FROM wallet_ledger refund LEFT JOIN wallet_ledger debit ON debit.movement_key = refund.debit_key
            WHERE refund.kind = 'REFUND' AND (refund.coins <> COALESCE(debit.coins, 0)
              OR debit.seq > refund.seq OR debit.user_id <> refund.user_id OR debit.app_code <> refund.app_code
              OR debit.kind <> 'DEBIT')
            """);

    private final Transactions transactions;

    Ledger(Transactions transactions) {
        this.transactions = transactions;
    }

    /**
     * Whatever is wrong, a sentence each; empty when all is well: every app's balances add up to 0, every account is what
     * its movements made it, nobody has less than nothing, and a refund gave back what its debit took, and came after it.
     */
    public List<String> audit() {
        return transactions.run(connection -> {
            List<String> wrong = new ArrayList<>();
            for (String check : CHECKS) {
                wrong.addAll(Row.all(connection, check, row -> Row.text(row, "wrong")));
            }
            return wrong;
        });
    }

    /** All movements, in the order in which they were made; those of one user are, the others may overlap. */
    public List<WalletMovement> movements() {
        return transactions.run(
                connection -> Row.all(connection, WalletTables.COLUMNS + " ORDER BY seq", WalletTables::movement));
    }

    /** The movement of a key, if it was made. */
    public Optional<WalletMovement> movement(String key) {
        return transactions.run(connection ->
                Row.one(connection, WalletTables.COLUMNS + " WHERE movement_key = ?", WalletTables::movement, key));
    }
}
