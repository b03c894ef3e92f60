package dev.roomcell.dev.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The audit finds what is wrong in the books, whatever it is. */
@Tag("I7")
final class LedgerIT {
    private Transactions transactions;
    private WalletBooks books;
    private Ledger ledger;

    @BeforeEach
    void writeBooks() {
        SharedServers.MysqlServer server = SharedServers.mysql();
        transactions = new Transactions(
                new WalletDatabase(server.jdbcUrl(SharedServers.newSchema()), server.user(), server.password()));
        books = new WalletBooks(transactions, Runnable::run);
        ledger = new Ledger(transactions);
        books.open("app", "ann", 100);
        books.open("app", "bob", 50);
        Await.result(books.debit("app", "ann", "debit/1", 30));
        Await.result(books.debit("app", "ann", "debit/2", 20));
        Await.result(books.credit("app", "ann", "credit/1", 5));
        Await.result(books.refund("app", "ann", "refund/2", "debit/2"));
        Await.result(books.refund("app", "bob", "refund/3", "debit/3"));
    }

    @AfterEach
    void close() throws SQLException {
        transactions.close();
    }

    @Test
    void whatIsRightIsNotFoundWrong() {
        assertThat(ledger.audit()).isEmpty();
        assertThat(books.balance("app", "ann")).isEqualTo(75);
        assertThat(ledger.movements()).hasSize(7);
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(
                        "UPDATE wallet_accounts SET balance = balance + 1 WHERE account = 'user/ann'",
                        List.of("the balances of app add up to 1", "user/ann of app is off its movements by 1")),
                Arguments.of(
                        "DELETE FROM wallet_ledger WHERE movement_key = 'debit/1'",
                        List.of("user/ann of app is off its movements by -30", "credit/1 left 55 and not 85")),
                Arguments.of(
                        "UPDATE wallet_ledger SET balance_after = 71 WHERE movement_key = 'debit/1'",
                        List.of("debit/1 left 71 and not 70")),
                Arguments.of(
                        "UPDATE wallet_ledger SET coins = 21 WHERE movement_key = 'refund/2'",
                        List.of("refund/2 gave back 21 of 20")),
                Arguments.of(
                        "UPDATE wallet_ledger SET debit_key = NULL WHERE movement_key = 'refund/2'",
                        List.of("refund/2 gave back 20 of 0")),
                Arguments.of(
                        "UPDATE wallet_ledger SET seq = 99 WHERE movement_key = 'debit/2'",
                        List.of("refund/2 gave back 20 of 20")),
                Arguments.of(
                        "UPDATE wallet_ledger SET house = 'house/x' WHERE movement_key = 'credit/1'",
                        List.of("house/x of app is off its movements by 5")),
                Arguments.of(
                        "DELETE FROM wallet_accounts WHERE account = 'user/bob'",
                        List.of("user/bob of app is off its movements by -50")));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void whatIsWrongIsNamed(String mistake, List<String> findings) {
        assertThat(transactions.<Integer>run(connection -> Row.change(connection, mistake)))
                .isEqualTo(1);
        assertThat(ledger.audit()).containsAll(findings);
    }
}
