package dev.roomcell.adapter.mysql;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection for one transaction after the other. Its session does not commit by itself, so the first statement begins
 * the transaction; it is clean again only after a COMMIT or ROLLBACK that the server confirmed.
 */
final class TransactionConnection {
    private static final Logger log = LoggerFactory.getLogger(TransactionConnection.class);

    private final SqlConnection connection;
    private final long statementTimeoutMs;
    /** Statements sent and not answered. When the connection goes, the client tells only the first of them. */
    private final Set<Promise<RowSet<Row>>> unanswered = new LinkedHashSet<>();

    private boolean clean = true;

    /** A session that was prepared; {@code onLost} hears when the connection is gone. */
    TransactionConnection(SqlConnection connection, long statementTimeoutMs, Consumer<TransactionConnection> onLost) {
        this.connection = connection;
        this.statementTimeoutMs = statementTimeoutMs;
        connection.closeHandler(closed -> {
            onLost.accept(this);
            failUnanswered();
        });
    }

    Future<RowSet<Row>> execute(String sql, Tuple parameters) {
        clean = false;
        return answered(connection.preparedQuery(sql).execute(parameters));
    }

    Future<Void> commit() {
        return end("COMMIT");
    }

    /** Never fails: a connection that could not be rolled back is not clean, and the server does it when it ends. */
    Future<Void> rollback() {
        return end("ROLLBACK").otherwiseEmpty();
    }

    private Future<Void> end(String statement) {
        return answered(connection.query(statement).execute())
                .onSuccess(ended -> clean = true)
                .mapEmpty();
    }

    private Future<RowSet<Row>> answered(Future<RowSet<Row>> statement) {
        Promise<RowSet<Row>> answer = Promise.promise();
        unanswered.add(answer);
        statement.timeout(statementTimeoutMs, TimeUnit.MILLISECONDS).onComplete(result -> {
            if (unanswered.remove(answer)) {
                answer.handle(result);
            }
        });
        return answer.future();
    }

    private void failUnanswered() {
        List<Promise<RowSet<Row>>> lost = List.copyOf(unanswered);
        unanswered.clear();
        lost.forEach(answer -> answer.fail(new IOException("the connection to MySQL was lost")));
    }

    /** Ends the connection; the server rolls back what is not committed. */
    void end() {
        connection.close().onFailure(failure -> log.debug("MySQL connection not closed: {}", failure.toString()));
    }

    /** Whether no transaction is open. */
    boolean isClean() {
        return clean;
    }
}
