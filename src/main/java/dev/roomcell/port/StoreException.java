package dev.roomcell.port;

/** The database could not be reached, did not answer in time, or refused the statement. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure that is nobody else's, with a sentence for the log. */
    public StoreException(String message) {
        super(message);
    }

    /** A failure with a sentence for the log. */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
