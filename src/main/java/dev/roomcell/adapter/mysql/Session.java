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
 * A connection, for one user after the other. It knows whether the next one may have it: not while a transaction is
 * open, and never after a statement that nobody knows the end of.
 */
final class Session {
    private static final Logger log = LoggerFactory.getLogger(Session.class);

    private final SqlConnection connection;
    private final long statementTimeoutMs;
    private final Runnable onReadOnly;
    /** Statements sent and not answered. When the connection goes, the client tells only the first of them. */
    private final Set<Promise<RowSet<Row>>> unanswered = new LinkedHashSet<>();

    private boolean inTransaction;
    private boolean broken;

    /**
     * A session that was prepared.
     *
     * @param onLost hears when the connection is gone
     * @param onReadOnly hears of every statement that the server refuses because it takes no writes
     */
    Session(SqlConnection connection, long statementTimeoutMs, Consumer<Session> onLost, Runnable onReadOnly) {
        this.connection = connection;
        this.statementTimeoutMs = statementTimeoutMs;
        this.onReadOnly = onReadOnly;
        connection.closeHandler(closed -> {
            broken = true;
            onLost.accept(this);
            failUnanswered();
        });
    }

    /** A statement of a session that commits by itself. */
    Future<RowSet<Row>> ask(String sql, Tuple parameters) {
        return answered(connection.preparedQuery(sql).execute(parameters));
    }

    /** A statement of a transaction: the first one begins it, as the session does not commit by itself. */
    Future<RowSet<Row>> execute(String sql, Tuple parameters) {
        inTransaction = true;
        return answered(connection.preparedQuery(sql).execute(parameters));
    }

    Future<Void> commit() {
        return end("COMMIT");
    }

    /** Never fails: a session that could not be rolled back is not used again, and the server does it when it ends. */
    Future<Void> rollback() {
        return end("ROLLBACK").otherwiseEmpty();
    }

    private Future<Void> end(String statement) {
        return answered(connection.query(statement).execute())
                .onSuccess(ended -> inTransaction = false)
                .mapEmpty();
    }

    private Future<RowSet<Row>> answered(Future<RowSet<Row>> statement) {
        Promise<RowSet<Row>> answer = Promise.promise();
        unanswered.add(answer);
        statement.timeout(statementTimeoutMs, TimeUnit.MILLISECONDS).onComplete(result -> {
            if (result.failed() && Failures.endsSession(result.cause())) {
                broken = true;
            }
            if (result.failed() && Failures.isReadOnly(result.cause())) {
                onReadOnly.run();
            }
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

    /** Has nobody take it any more; who has it now may finish. */
    void retire() {
        broken = true;
    }

    /** Ends the connection; the server rolls back what is not committed. */
    void end() {
        connection.close().onFailure(failure -> log.debug("MySQL connection not closed: {}", failure.toString()));
    }

    /** Whether another user may have it. */
    boolean isClean() {
        return !inTransaction && !broken;
    }
}
