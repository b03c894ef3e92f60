package dev.roomcell.check;

import static dev.roomcell.check.Invariant.CMD_1;
import static dev.roomcell.check.Invariant.I1;
import static dev.roomcell.check.Invariant.I11;
import static dev.roomcell.check.Invariant.I2;
import static dev.roomcell.check.Invariant.I3;
import static dev.roomcell.check.Invariant.I5;
import static dev.roomcell.check.Invariant.I8;
import static dev.roomcell.check.Invariant.TIME_1;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Presence;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** The log's rows and columns. */
final class DoctoredLogTest {
    private final Doctored room = Doctored.room();

    @Test
    void aLostRow() {
        room.stored.log.remove(4);
        room.isRefused("version 5 is missing", I1, I3, I8);
    }

    @Test
    void lostRows() {
        room.stored.log.subList(2, 6).clear();
        room.isRefused("versions 3 to 6 are missing", I1, I3, I8);
    }

    @Test
    void aLostLastRow() {
        room.stored.log.remove(8);
        room.isRefused("the row's version is 9, the log ends at 8", I1, I3, I8);
    }

    @Test
    void aDoubledVersion() {
        LogRow row = room.stored.version(5);
        room.stored.log.add(5, row);
        room.isRefused("version 5 stands after version 5", I1);
    }

    @Test
    void swappedVersions() {
        room.stored.editLog(5, row -> row.version = -1);
        room.stored.editLog(6, row -> row.version = 5);
        room.stored.editLog(-1, row -> row.version = 6);
        Collections.swap(room.stored.log, 4, 5);
        room.isRefused("was acknowledged with version 5, and is in the log at version 6", I2, I3, I8, I11);
    }

    @Test
    void rowsOutOfOrder() {
        Collections.swap(room.stored.log, 4, 5);
        room.isRefused("version 5 stands after version 6", I1, I8);
    }

    @Test
    void aCommandIdTwice() {
        room.stored.editLog(7, row -> row.commandId = room.stored.version(3).commandId());
        room.isRefused("version 7: command c-2 is in the log at version 3 already", I1, I3, I8);
    }

    @Test
    void aChangedCommand() {
        byte[] leaving = room.stored.version(5).command();
        room.stored.editLog(3, row -> row.command = leaving);
        room.isRefused("version 3: its kind is JOIN_ROOM, its command's is LEAVE_ROOM", I2, CMD_1);
    }

    @Test
    void aCommandThatWouldHaveBeenRefused() {
        var encoded = LivedRoom.CODEC.encodeCommand(Doctored.ROOM, new Presence.LeaveRoom("ben"));
        room.stored.editLog(7, row -> {
            row.command = encoded.bytes();
            row.payloadHash = encoded.payloadHash();
            row.kind = "LEAVE_ROOM";
        });
        room.isRefused("version 7: LEAVE_ROOM is logged; decided again it is Rejected", I2, I3);
    }

    @Test
    void aChangedEvent() {
        room.happened(6, new Presence.RoomUserJoined("dora", Presence.MemberKind.USER, 4));
        room.isRefused("version 6: the logged events are", I2, I11);
    }

    @Test
    void aChangedResult() {
        byte[] other = room.stored.version(7).result();
        room.stored.editLog(6, row -> row.result = other);
        room.isRefused("version 6: the logged result is not Joined", I2);
    }

    @Test
    void aChangedPayloadHash() {
        room.stored.editLog(6, row -> row.payloadHash[3] ^= 1);
        room.isRefused("version 6: the payload hash is not its command's", CMD_1);
    }

    @Test
    void aChangedActor() {
        room.stored.editLog(6, row -> row.actorUserId = "ben");
        room.isRefused("version 6: its actor is 'ben', its command's is 'dora'", I2, I8);
    }

    @Test
    void aDamagedCommand() {
        room.stored.editLog(6, row -> row.command = "?".getBytes(StandardCharsets.UTF_8));
        room.isRefused("version 6: its command can't be read", I2);
    }

    @Test
    void damagedEvents() {
        room.stored.editLog(6, row -> row.events = "?".getBytes(StandardCharsets.UTF_8));
        room.isRefused("version 6: its events can't be read", I2);
    }

    @Test
    void anEpochThatGoesBack() {
        room.stored.editLog(7, row -> row.epoch = 3);
        room.isRefused("version 7: its epoch 3 is before 4 of version 6", I5);
    }

    @Test
    void twoOwnersInOneEpoch() {
        room.stored.editLog(7, row -> row.ownerNodeId = "node-a");
        room.isRefused("version 7: epoch 4 has two owners, node-b and node-a", I5);
    }

    @Test
    void aRowWithoutALeaseToken() {
        room.stored.editLog(7, row -> row.leaseToken = "");
        room.isRefused("version 7: no owner or no lease token", I5);
    }

    /** TIME-1. */
    @Test
    void aStampThatGoesBack() {
        long atMs = room.stored.version(4).atMs() - 1;
        room.stored.editLog(9, row -> row.atMs = atMs);
        room.isRefused("version 9: its stamp " + atMs + " is before", TIME_1, I8);
    }
}
