package dev.roomcell.fault;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Splits one direction of an unencrypted, uncompressed MySQL connection into pieces, however TCP has cut it up.
 *
 * <p>A piece begins with a packet that matters (see {@link Kind}) and may hold packets that don't after it; a commit
 * stands alone. The beginning of a packet (its header and up to {@value #HEAD_BYTES} bytes of payload) is kept back
 * until it is complete; nothing else waits.
 */
final class MysqlPackets {

    /** What a piece begins with. */
    enum Kind {
        /** Nothing that needs attention. */
        BYTES,
        /** From the client: a command that the server will answer. */
        COMMAND,
        /** From the client: a query whose text is {@code COMMIT}; it will be answered too. */
        COMMIT,
        /** From the server: the first packet of the answer to one command. */
        ANSWER,
        /** The connection's end, which no packet announces: only the proxy makes this one. */
        END
    }

    /** Bytes that go on together, and what they begin with. */
    record Piece(Kind kind, Buffer bytes) {}

    private static final int HEADER_BYTES = 4;
    private static final int HEAD_BYTES = 64;
    private static final byte COM_QUIT = 0x01;
    private static final byte COM_QUERY = 0x03;
    private static final byte COM_STMT_SEND_LONG_DATA = 0x18;
    private static final byte COM_STMT_CLOSE = 0x19;
    private static final int EOF_MARK = 0xFE;
    private static final Pattern COMMIT_TEXT = Pattern.compile("\\s*COMMIT\\s*;?\\s*", Pattern.CASE_INSENSITIVE);

    private final boolean fromClient;
    private Buffer pending = Buffer.buffer();
    private int restOfPacket;
    private int lastSequence = -1;
    private boolean lastMayEndAnswer;

    private MysqlPackets(boolean fromClient) {
        this.fromClient = fromClient;
    }

    /** The packets that a client sends, from the connection's first byte on. */
    static MysqlPackets fromClient() {
        return new MysqlPackets(true);
    }

    /** The packets that a server sends, from the connection's first byte on. */
    static MysqlPackets fromServer() {
        return new MysqlPackets(false);
    }

    /** Takes the next bytes of the connection; returns, in order, what is complete enough to go on. */
    List<Piece> feed(Buffer chunk) {
        pending.appendBuffer(chunk);
        List<Piece> pieces = new ArrayList<>();
        int at = 0;
        while (at < pending.length()) {
            int available = pending.length() - at;
            int taken;
            if (restOfPacket > 0) {
                taken = Math.min(restOfPacket, available);
                restOfPacket -= taken;
                append(pieces, Kind.BYTES, pending.getBuffer(at, at + taken));
            } else {
                int length = available < HEADER_BYTES ? 0 : pending.getUnsignedMediumLE(at);
                taken = HEADER_BYTES + Math.min(length, HEAD_BYTES);
                if (available < taken) {
                    break;
                }
                restOfPacket = HEADER_BYTES + length - taken;
                int sequence = pending.getUnsignedByte(at + 3);
                Buffer payload = pending.getBuffer(at + HEADER_BYTES, at + taken);
                append(pieces, kindOf(sequence, payload), pending.getBuffer(at, at + taken));
            }
            at += taken;
        }
        pending = pending.getBuffer(at, pending.length());
        return pieces;
    }

    private static void append(List<Piece> pieces, Kind kind, Buffer bytes) {
        if (kind == Kind.BYTES && !pieces.isEmpty()) {
            Piece last = pieces.get(pieces.size() - 1);
            if (last.kind() != Kind.COMMIT) {
                last.bytes().appendBuffer(bytes);
                return;
            }
        }
        pieces.add(new Piece(kind, bytes));
    }

    private Kind kindOf(int sequence, Buffer payload) {
        return fromClient ? kindOfCommand(sequence, payload) : kindOfAnswer(sequence, payload);
    }

    /** Every command begins at sequence 0; the packets of the login don't. */
    private Kind kindOfCommand(int sequence, Buffer payload) {
        if (sequence != 0 || payload.length() == 0) {
            return Kind.BYTES;
        }
        return switch (payload.getByte(0)) {
            case COM_QUIT, COM_STMT_SEND_LONG_DATA, COM_STMT_CLOSE -> Kind.BYTES;
            case COM_QUERY -> restOfPacket == 0 && isCommit(payload) ? Kind.COMMIT : Kind.COMMAND;
            default -> Kind.COMMAND;
        };
    }

    private static boolean isCommit(Buffer payload) {
        return COMMIT_TEXT
                .matcher(payload.getString(1, payload.length(), StandardCharsets.UTF_8.name()))
                .matches();
    }

    /**
     * An answer begins at sequence 1. A long answer comes by 1 again, after 255 and 0; then what had 0 is a row or a
     * column, while an answer that happens to end at 0 does so with an EOF, OK or error packet.
     */
    private Kind kindOfAnswer(int sequence, Buffer payload) {
        boolean wrapped = lastSequence == 0 && !lastMayEndAnswer;
        lastSequence = sequence;
        lastMayEndAnswer = payload.length() > 0 && payload.getUnsignedByte(0) >= EOF_MARK;
        return sequence == 1 && !wrapped ? Kind.ANSWER : Kind.BYTES;
    }
}
