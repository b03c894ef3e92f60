package dev.roomcell.adapter.mysql;

import dev.roomcell.port.CommandStore.Cause;
import io.vertx.core.VertxException;
import io.vertx.mysqlclient.MySQLException;
import java.util.Set;

/** What a failed statement means for its transaction, which is rolled back in any case (a 1205 undoes only itself). */
final class Failures {
    private static final int DUPLICATE_KEY = 1062;

    /** A deadlock, a lock wait that took too long, a statement to be prepared anew after a migration. */
    private static final Set<Integer> TRANSIENT = Set.of(1205, 1213, 1615);

    /** Read-only, shutting down, killed, out of connections, memory, locks or disk: the server's trouble. */
    private static final Set<Integer> SERVER_UNUSABLE = Set.of(
            1021, 1030, 1037, 1040, 1041, 1053, 1114, 1158, 1159, 1160, 1161, 1180, 1203, 1206, 1226, 1290, 1317, 1461,
            1637, 1792, 1836, 1927, 1969, 3024, 3169, 4031);

    /** The server was demoted, or never was the right one. */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1792, 1836);

    /** A statement that this session no longer knows, or a session that the server has ended. */
    private static final Set<Integer> SESSION_UNUSABLE = Set.of(1243, 1927, 4031);

    private Failures() {}

    /** An intent that a gift's commit was to end is not there, or not as it was. */
    static final class GiftGone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        GiftGone(int expected, int ended) {
            super(ended + " of " + expected + " intents ended");
        }
    }

    static Cause causeOf(Throwable failure) {
        if (failure instanceof GiftGone) {
            return Cause.GIFT_GONE;
        }
        if (!(failure instanceof MySQLException mysql)) {
            return isOurs(failure) ? Cause.STATEMENT : Cause.UNAVAILABLE;
        }
        int code = mysql.getErrorCode();
        if (TRANSIENT.contains(code)) {
            return Cause.TRANSIENT;
        }
        if (code == DUPLICATE_KEY) {
            return Cause.DUPLICATE_KEY;
        }
        return SERVER_UNUSABLE.contains(code) || SESSION_UNUSABLE.contains(code) ? Cause.UNAVAILABLE : Cause.STATEMENT;
    }

    /** A parameter that can't be sent is the statement's fault, and will be again. */
    private static boolean isOurs(Throwable failure) {
        return failure instanceof RuntimeException && !(failure instanceof VertxException);
    }

    /** Whether the session must not be used again. */
    static boolean endsSession(Throwable failure) {
        return !(failure instanceof MySQLException mysql)
                || SESSION_UNUSABLE.contains(mysql.getErrorCode())
                || isReadOnly(failure);
    }

    /** Whether the server takes no writes: then each connection to it leads to the wrong server. */
    static boolean isReadOnly(Throwable failure) {
        return failure instanceof MySQLException mysql && READ_ONLY.contains(mysql.getErrorCode());
    }
}
