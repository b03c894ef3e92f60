package dev.roomcell.check;

import static dev.roomcell.check.Invariant.I10;
import static dev.roomcell.check.Invariant.I11;
import static dev.roomcell.check.Invariant.I12;
import static dev.roomcell.check.Invariant.I2;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSeats.RoomMicChanged;
import dev.roomcell.domain.MicSession;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomEvent;
import org.junit.jupiter.api.Test;

/** Events that can't have happened, though log and outbox agree on them. */
final class DoctoredEventsTest {
    private final Doctored room = Doctored.room();

    private static RoomEvent seated(int seatNo, String userId) {
        return new RoomMicChanged(
                seatNo,
                0,
                MicSeats.Status.IDLE,
                MicSeats.Status.PENDING_PUBLISH,
                new MicSession("mic-" + seatNo, userId, 9, 9, 10, false, 0),
                MicSeats.Cause.TAKEN);
    }

    @Test
    void aSeatTakenByAnAbsentUser() {
        room.happened(9, room.eventsOf(9).get(0), seated(2, "emil"));
        room.isRefused("whoever sits is present", I2, I10);
    }

    @Test
    void aUserOnTwoSeats() {
        room.happened(9, room.eventsOf(9).get(0), seated(2, "dora"), seated(3, "dora"));
        room.isRefused("a user has one seat", I2, I10);
    }

    @Test
    void aSeatThatTheRoomDoesNotHave() {
        room.happened(9, room.eventsOf(9).get(0), seated(4, "dora"));
        room.isRefused("version 9: its events can't be applied", I2);
    }

    @Test
    void aJoinOfSomebodyWhoIsPresent() {
        room.happened(9, new Presence.RoomUserJoined("dora", Presence.MemberKind.USER, 3));
        room.isRefused("version 9: dora joins, and is present already", I2, I11);
    }

    @Test
    void aLeavingOfSomebodyWhoIsNotPresent() {
        room.happened(9, new Presence.RoomUserLeft("emil", Presence.MemberKind.USER, Presence.LeaveCause.LEFT, 1, 3));
        room.isRefused("version 9: emil leaves, and is not present", I2, I11);
    }

    @Test
    void aJoinOfSomebodyWhoIsShutOut() {
        room.happened(
                9,
                new Moderation.RoomUserKicked("emil", false),
                new Presence.RoomUserJoined("emil", Presence.MemberKind.USER, 4));
        room.isRefused("version 9: emil joins, and is shut out", I2, I11);
    }

    @Test
    void aKickOfSomebodyWhoStays() {
        room.happened(9, room.eventsOf(9).get(0), new Moderation.RoomUserKicked("dora", true));
        room.isRefused("version 9: dora is kicked, and still present", I2, I11);
    }

    @Test
    void aPardonOfSomebodyWhoWasNotShutOut() {
        room.happened(9, room.eventsOf(9).get(0), new Moderation.RoomUserUnbanned("emil"));
        room.isRefused("version 9: somebody is let in again who was not shut out", I2, I11);
    }

    @Test
    void aRobotThatIsCounted() {
        room.happened(9, new Presence.RoomUserJoined("r2", Presence.MemberKind.ROBOT, 4));
        room.isRefused("version 9: its event counts 4 users present", I2, I11);
    }

    @Test
    void anAdminWhoIsShutOut() {
        room.happened(
                9,
                room.eventsOf(9).get(0),
                new Moderation.RoomAdminChanged("emil", true),
                new Moderation.RoomUserKicked("emil", false));
        room.isRefused("whoever is shut out is no admin", I2, I10);
    }

    @Test
    void aSeatThatWaitsForEver() {
        room.happened(
                9,
                room.eventsOf(9).get(0),
                new RoomMicChanged(
                        2,
                        0,
                        MicSeats.Status.IDLE,
                        MicSeats.Status.PENDING_PUBLISH,
                        new MicSession("mic-9", "dora", 9, 9, 0, false, 0),
                        MicSeats.Cause.TAKEN));
        room.isRefused("a publish deadline runs while a seat is pending", I2, I10);
    }

    @Test
    void aSecondCreation() {
        room.happened(9, room.eventsOf(9).get(0), room.eventsOf(1).get(0));
        room.isRefused("version 9: the room is created a second time", I2, I12);
    }

    @Test
    void aVersionAfterTheEnd() {
        Doctored closed = Doctored.closedRoom();
        closed.stored.copyLog(9, row -> {
            row.version = 10;
            row.commandId = "c-10";
        });
        closed.happened(10, new Presence.RoomUserJoined("emil", Presence.MemberKind.USER, 1));
        closed.stored.editRow(row -> row.version = 10);
        closed.isRefused("version 10: ROOM_USER_JOINED follows the end of the room at version 9", I2, I10, I12);
    }

    @Test
    void anEventAfterTheEnd() {
        Doctored closed = Doctored.closedRoom();
        RoomEvent end = closed.eventsOf(9).get(0);
        closed.happened(9, end, new Lifecycle.RoomClosed(Lifecycle.CloseCause.CLOSED_BY_OWNER, 0));
        closed.isRefused("version 9: ROOM_CLOSED follows the end of the room at version 9", I2, I12);
    }

    @Test
    void anEndThatMiscountsWhoWasPresent() {
        Doctored closed = Doctored.closedRoom();
        closed.happened(9, new Lifecycle.RoomClosed(Lifecycle.CloseCause.CLOSED_BY_OWNER, 2));
        closed.isRefused("version 9: its event counts 2 users present; by joins and leavings 3 are", I2, I11);
    }

    @Test
    void anEndByAnotherThanTheOwner() {
        Doctored closed = Doctored.closedRoom();
        var encoded = LivedRoom.CODEC.encodeCommand(Doctored.ROOM, new Lifecycle.CloseRoom("dora"));
        closed.stored.editLog(9, row -> {
            row.command = encoded.bytes();
            row.payloadHash = encoded.payloadHash();
            row.actorUserId = "dora";
        });
        closed.happened(9, closed.eventsOf(9).get(0));
        closed.isRefused("version 9: CLOSE_ROOM is logged; decided again it is Rejected", I2);
    }
}
