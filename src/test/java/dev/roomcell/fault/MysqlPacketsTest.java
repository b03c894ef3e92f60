package dev.roomcell.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.fault.MysqlPackets.Kind;
import dev.roomcell.fault.MysqlPackets.Piece;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MysqlPacketsTest {

    private static final int OK = 0x00;
    private static final int ROW = 0x05;
    private static final int EOF = 0xFE;
    private static final int ERROR = 0xFF;

    private static final Buffer CONVERSATION = Buffer.buffer()
            .appendBuffer(packet(1, Buffer.buffer("login".repeat(20))))
            .appendBuffer(query("BEGIN"))
            .appendBuffer(query("INSERT INTO t VALUES ('" + "x".repeat(300) + "')"))
            .appendBuffer(query("commit;"))
            .appendBuffer(command(0x19))
            .appendBuffer(query("SELECT 'COMMIT'"))
            .appendBuffer(query("COMMIT"))
            .appendBuffer(command(0x01));
    private static final Kind[] ITS_COMMANDS = {Kind.COMMAND, Kind.COMMAND, Kind.COMMIT, Kind.COMMAND, Kind.COMMIT};

    @Test
    void aConversationIsUnderstoodWhereverTcpSplitsIt() {
        for (int at = 0; at <= CONVERSATION.length(); at++) {
            Buffer first = CONVERSATION.getBuffer(0, at);
            Buffer second = CONVERSATION.getBuffer(at, CONVERSATION.length());
            assertUnderstood("split at " + at, List.of(first, second));
        }
    }

    @Test
    void aConversationIsUnderstoodByteByByte() {
        List<Buffer> bytes = new ArrayList<>();
        for (int at = 0; at < CONVERSATION.length(); at++) {
            bytes.add(CONVERSATION.getBuffer(at, at + 1));
        }
        assertUnderstood("byte by byte", bytes);
    }

    private static void assertUnderstood(String how, List<Buffer> chunks) {
        MysqlPackets packets = MysqlPackets.fromClient();
        List<Piece> pieces = feedAll(packets, chunks);
        assertThat(joined(pieces)).as(how).isEqualTo(CONVERSATION);
        assertThat(kinds(pieces)).as(how).containsExactly(ITS_COMMANDS);
        assertThat(pieces)
                .filteredOn(piece -> piece.kind() == Kind.COMMIT)
                .as(how)
                .extracting(Piece::bytes)
                .containsExactly(query("commit;"), query("COMMIT"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "commit", "Commit;", "  COMMIT  ;  ", "\nCOMMIT\n"})
    void aCommitIsKnownHoweverItIsWritten(String text) {
        assertThat(kinds(MysqlPackets.fromClient().feed(query(text)))).containsExactly(Kind.COMMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ROLLBACK", "COMMITTED", "COMMIT AND CHAIN", "SELECT 'COMMIT'", "DO COMMIT", ";", ""})
    void nothingElseIsACommit(String text) {
        assertThat(kinds(MysqlPackets.fromClient().feed(query(text)))).containsExactly(Kind.COMMAND);
    }

    @Test
    void aCommitInsideALongPacketIsData() {
        Buffer text = Buffer.buffer().appendByte((byte) 0x03).appendString("COMMIT" + " ".repeat(100) + "x");
        assertThat(kinds(MysqlPackets.fromClient().feed(packet(0, text)))).containsExactly(Kind.COMMAND);
    }

    @Test
    void aPacketOfTheLoginIsNoCommand() {
        Buffer text = Buffer.buffer().appendByte((byte) 0x03).appendString("COMMIT");
        assertThat(kinds(MysqlPackets.fromClient().feed(packet(1, text)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x01, 0x18, 0x19})
    void quitCloseAndLongDataGetNoAnswer(int code) {
        assertThat(kinds(MysqlPackets.fromClient().feed(command(code)))).isEmpty();
    }

    @Test
    void onlyTheHeadOfAPacketWaits() {
        MysqlPackets packets = MysqlPackets.fromClient();
        Buffer whole = query("x".repeat(1_000));
        assertThat(packets.feed(whole.getBuffer(0, 4 + 63))).isEmpty();
        assertThat(joined(packets.feed(whole.getBuffer(4 + 63, 4 + 64)))).isEqualTo(whole.getBuffer(0, 4 + 64));
        assertThat(joined(packets.feed(whole.getBuffer(4 + 64, 500)))).isEqualTo(whole.getBuffer(4 + 64, 500));
    }

    @Test
    void theGreetingAndTheLoginAnswerNoCommand() {
        MysqlPackets packets = MysqlPackets.fromServer();
        assertThat(kinds(packets.feed(answerPacket(0, 0x0A)))).isEmpty();
        assertThat(kinds(packets.feed(answerPacket(2, OK)))).isEmpty();
        assertThat(kinds(packets.feed(answerPacket(1, OK)))).containsExactly(Kind.ANSWER);
    }

    @Test
    void answersInOneSegmentAreTold() {
        Buffer segment = Buffer.buffer()
                .appendBuffer(answerPacket(1, OK))
                .appendBuffer(answerPacket(1, ERROR))
                .appendBuffer(rows(5))
                .appendBuffer(answerPacket(1, OK));
        List<Piece> pieces = MysqlPackets.fromServer().feed(segment);
        assertThat(kinds(pieces)).containsExactly(Kind.ANSWER, Kind.ANSWER, Kind.ANSWER, Kind.ANSWER);
        assertThat(pieces.get(3).bytes()).isEqualTo(answerPacket(1, OK));
        assertThat(joined(pieces)).isEqualTo(segment);
    }

    @Test
    void anAnswerThatRunsPastSequence255IsOneAnswer() {
        for (int packets = 250; packets <= 260; packets++) {
            Buffer both = rows(packets).appendBuffer(answerPacket(1, OK));
            assertThat(kinds(MysqlPackets.fromServer().feed(both)))
                    .as("%d packets", packets)
                    .containsExactly(Kind.ANSWER, Kind.ANSWER);
        }
    }

    /** An answer of this many packets, the last an EOF. */
    private static Buffer rows(int packets) {
        Buffer answer = Buffer.buffer();
        for (int sequence = 1; sequence <= packets; sequence++) {
            answer.appendBuffer(answerPacket(sequence % 256, sequence < packets ? ROW : EOF));
        }
        return answer;
    }

    private static List<Piece> feedAll(MysqlPackets packets, List<Buffer> chunks) {
        List<Piece> pieces = new ArrayList<>();
        chunks.forEach(chunk -> pieces.addAll(packets.feed(chunk)));
        return pieces;
    }

    private static List<Kind> kinds(List<Piece> pieces) {
        return pieces.stream()
                .map(Piece::kind)
                .filter(kind -> kind != Kind.BYTES)
                .toList();
    }

    private static Buffer joined(List<Piece> pieces) {
        Buffer all = Buffer.buffer();
        pieces.forEach(piece -> all.appendBuffer(piece.bytes()));
        return all;
    }

    private static Buffer query(String text) {
        return packet(0, Buffer.buffer().appendByte((byte) 0x03).appendString(text));
    }

    private static Buffer command(int code) {
        return packet(0, Buffer.buffer().appendByte((byte) code).appendString("1234"));
    }

    private static Buffer answerPacket(int sequence, int first) {
        return packet(
                sequence, Buffer.buffer().appendUnsignedByte((short) first).appendString("1234"));
    }

    private static Buffer packet(int sequence, Buffer payload) {
        return Buffer.buffer()
                .appendMediumLE(payload.length())
                .appendUnsignedByte((short) sequence)
                .appendBuffer(payload);
    }
}
