package dev.roomcell.fault;

import io.vertx.core.Promise;

/**
 * What is to happen to one COMMIT.
 *
 * @param mention whose transaction it is: one that has this text in a statement or a parameter; empty: any
 * @param reached completed when it has happened; failed when the connection ends before
 */
record CommitFault(Kind kind, String mention, Promise<Void> reached) {

    enum Kind {
        /** The server never gets it; both connections close. */
        CUT_BEFORE_SERVER,
        /** The server answers it, the client doesn't get that; both connections close. */
        CUT_AFTER_SERVER,
        /** It waits in the proxy. */
        HOLD,
        /** It waits in the proxy, and the client's connection closes. */
        HOLD_CLOSING_CLIENT,
        /** It was held, is on its way now, and the answer goes on to the client. */
        RELEASE
    }
}
