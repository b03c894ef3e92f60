package dev.roomcell.fault;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What a client has sent since its transaction began, so that its COMMIT can be told from others. */
final class TransactionBytes {
    /** Of a longer transaction the end. */
    private static final int MOST = 1 << 20;

    /** A query begins behind a header and the command's number. */
    private static final int TEXT_AT = 5;

    private static final Pattern BEGINS = Pattern.compile("(?i)\\s*(?:BEGIN|START\\s+TRANSACTION|ROLLBACK)\\b.*");
    private static final byte COM_QUERY = 0x03;

    private final StringBuilder sent = new StringBuilder();

    /** The client sends bytes that are no COMMIT. */
    void add(Buffer bytes) {
        if (begins(bytes)) {
            sent.setLength(0);
        }
        sent.append(bytes.toString(StandardCharsets.ISO_8859_1));
        if (sent.length() > MOST) {
            sent.delete(0, sent.length() - MOST);
        }
    }

    private static boolean begins(Buffer bytes) {
        return bytes.length() > TEXT_AT
                && bytes.getByte(TEXT_AT - 1) == COM_QUERY
                && BEGINS.matcher(bytes.getString(
                                TEXT_AT, Math.min(bytes.length(), TEXT_AT + 32), StandardCharsets.ISO_8859_1.name()))
                        .matches();
    }

    /** The client has sent a COMMIT: what comes is another transaction's. */
    void end() {
        sent.setLength(0);
    }

    /** Whether a statement or a parameter of it holds this text. */
    boolean hold(String text) {
        return sent.indexOf(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)) >= 0;
    }
}
