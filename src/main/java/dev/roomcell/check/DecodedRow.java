package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomCodec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A log row as far as it can be read.
 *
 * @param row the row
 * @param command what was asked; empty if it can't be read
 * @param events what happened; empty if they can't be read
 */
record DecodedRow(LogRow row, Optional<RoomCommand> command, Optional<List<RoomEvent>> events) {

    /** Reads a row, and checks that its columns say what its command says. */
    static DecodedRow of(RoomKey room, LogRow row, RoomCodec codec, Findings findings) {
        Optional<RoomCommand> command = Optional.empty();
        Optional<List<RoomEvent>> events = Optional.empty();
        try {
            command = Optional.of(codec.decodeCommand(row.command()));
        } catch (RoomCodec.UnreadableException e) {
            findings.add(Invariant.I2, at(row) + "its command can't be read: " + e.getMessage());
        }
        try {
            events = Optional.of(codec.decodeEvents(row.events()));
        } catch (RoomCodec.UnreadableException e) {
            findings.add(Invariant.I2, at(row) + "its events can't be read: " + e.getMessage());
        }
        command.ifPresent(read -> checkColumns(room, row, read, codec, findings));
        return new DecodedRow(row, command, events);
    }

    private static void checkColumns(
            RoomKey room, LogRow row, RoomCommand command, RoomCodec codec, Findings findings) {
        findings.require(
                command.kind().name().equals(row.kind()),
                Invariant.I2,
                () -> at(row) + "its kind is " + row.kind() + ", its command's is " + command.kind());
        findings.require(
                command.actorUserId().equals(row.actorUserId()),
                Invariant.I2,
                () -> at(row) + "its actor is '" + row.actorUserId() + "', its command's is '" + command.actorUserId()
                        + "'");
        findings.require(
                Arrays.equals(codec.encodeCommand(room, command).payloadHash(), row.payloadHash()),
                Invariant.CMD_1,
                () -> at(row) + "the payload hash is not its command's");
    }

    private static String at(LogRow row) {
        return "version " + row.version() + ": ";
    }

    long version() {
        return row.version();
    }

    Stamp stamp() {
        return new Stamp(row.version(), row.atMs());
    }
}
