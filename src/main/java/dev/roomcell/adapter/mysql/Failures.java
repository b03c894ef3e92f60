package dev.roomcell.adapter.mysql;

import dev.roomcell.port.CommandStore.Cause;
import io.vertx.mysqlclient.MySQLException;
import java.util.Set;

/** What a failed statement means for its transaction, which is rolled back in any case (a 1205 undoes only itself). */
final class Failures {
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;
    private static final int DUPLICATE_KEY = 1062;

    /** Read-only, shutting down, killed, out of connections, out of disk: the server's trouble, not the statement's. */
    private static final Set<Integer> SERVER_UNUSABLE = Set.of(
            1021, 1040, 1053, 1114, 1158, 1159, 1160, 1161, 1203, 1290, 1317, 1792, 1836, 1927, 3024, 1969, 3169);

    private Failures() {}

    static Cause causeOf(Throwable failure) {
        if (!(failure instanceof MySQLException mysql)) {
            return Cause.UNAVAILABLE;
        }
        return switch (mysql.getErrorCode()) {
            case LOCK_WAIT_TIMEOUT, DEADLOCK -> Cause.TRANSIENT;
            case DUPLICATE_KEY -> Cause.DUPLICATE_KEY;
            default -> SERVER_UNUSABLE.contains(mysql.getErrorCode()) ? Cause.UNAVAILABLE : Cause.STATEMENT;
        };
    }
}
