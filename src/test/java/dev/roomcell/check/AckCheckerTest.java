package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Rejection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** I3, I4 and I6, on what the clients of one room saw. Version v of the room is made at v · 1,000 ns. */
final class AckCheckerTest {
    private static final long STEP_NS = 1_000;

    private final Doctored room = Doctored.room();
    private final List<Operation> operations = new ArrayList<>();

    private static Operation operation(String commandId, long invokeNs, long returnNs, Outcome outcome) {
        return new Operation(commandId + "@" + invokeNs, Doctored.ROOM, commandId, invokeNs, returnNs, outcome);
    }

    private static Outcome acknowledged(LogRow row) {
        return new Outcome.Acknowledged(row.version(), Operation.resultHash(row.result()));
    }

    /** The command of {@code version} is sent and acknowledged, one after the other. */
    private Operation answered(long version) {
        LogRow row = room.stored.version(version);
        return operation(row.commandId(), version * STEP_NS - 10, version * STEP_NS + 10, acknowledged(row));
    }

    private List<Violation> check() {
        return AckChecker.check(Doctored.ROOM, operations, room.stored.log);
    }

    private void isRefused(String told, Invariant broken) {
        assertThat(check())
                .as("%s", check())
                .isNotEmpty()
                .allSatisfy(violation -> assertThat(violation.invariant()).isEqualTo(broken));
        assertThat(check())
                .extracting(Violation::message)
                .anySatisfy(message -> assertThat(message).contains(told));
    }

    @Test
    void acceptsAThousandRightHistories() {
        for (long seed : LongStream.range(0, 1_000).toArray()) {
            List<LogRow> log = RandomRoom.of(seed).stored().log;
            List<Operation> seen = RandomClients.of(log, seed);

            assertThat(AckChecker.check(Doctored.ROOM, seen, log))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void aLostCommand() {
        operations.add(operation("lost", 1, 2, new Outcome.Acknowledged(4, "?")));
        isRefused("command lost was acknowledged with version 4, and is not in the log", Invariant.I3);
    }

    @Test
    void anotherVersionThanTheLogs() {
        LogRow row = room.stored.version(4);
        operations.add(
                operation(row.commandId(), 1, 2, new Outcome.Acknowledged(5, Operation.resultHash(row.result()))));
        isRefused("was acknowledged with version 5, and is in the log at version 4", Invariant.I3);
    }

    @Test
    void anotherResultThanTheLogs() {
        LogRow row = room.stored.version(4);
        String other = Operation.resultHash(room.stored.version(5).result());
        operations.add(operation(row.commandId(), 1, 2, new Outcome.Acknowledged(4, other)));
        isRefused("was answered with another result than the log has", Invariant.I3);
    }

    @Test
    void aRefusedCommandThatIsInTheLog() {
        operations.add(operation(room.stored.version(4).commandId(), 1, 2, new Outcome.Refused()));
        isRefused("made a version, and every answer to it says that it did not", Invariant.I3);
    }

    @Test
    void anUnchangedRoomThatTheCommandHadChanged() {
        operations.add(operation(room.stored.version(4).commandId(), 4_001, 4_002, new Outcome.Unchanged(4)));
        isRefused("made a version, and every answer to it says that it did not", Invariant.I3);
    }

    @Test
    void anUnknownCommandThatIsInTheLogTwice() {
        String commandId = room.stored.version(4).commandId();
        room.stored.editLog(6, row -> row.commandId = commandId);
        operations.add(operation(commandId, 1, 2, new Outcome.Unknown()));
        isRefused("command " + commandId + " is in the log at versions 4 and 6", Invariant.I3);
    }

    @Test
    void twoAnswersToOneCommand() {
        LogRow row = room.stored.version(4);
        operations.add(answered(4));
        operations.add(operation(row.commandId(), 9_000, 9_001, new Outcome.Acknowledged(9, "?")));
        isRefused("command " + row.commandId() + " has two answers", Invariant.I6);
    }

    /** CMD-2: before a no is answered, the log is asked. */
    @Test
    void aNoToACommandThatHadBeenAcknowledged() {
        Outcome no = new Outcome.Rejected(new Presence.LeaveRoom("ben"), Rejection.Reason.NOT_PRESENT);
        operations.add(answered(4));
        operations.add(operation(room.stored.version(4).commandId(), 4_005, 4_020, no));
        assertThat(check()).isEmpty();
        operations.add(operation(room.stored.version(4).commandId(), 4_011, 4_020, no));
        isRefused("had been acknowledged, and was sent again and answered Rejected", Invariant.I6);
    }

    /** CMD-7. */
    @Test
    void aJoinThatWasAcknowledgedMayFindTheRoomClosed() {
        Outcome closed = new Outcome.Rejected(new Presence.JoinRoom("ben"), Rejection.Reason.ROOM_CLOSED);
        Outcome full = new Outcome.Rejected(new Presence.JoinRoom("ben"), Rejection.Reason.ROOM_FULL);
        operations.add(answered(4));
        operations.add(operation(room.stored.version(4).commandId(), 4_011, 4_020, closed));
        assertThat(check()).isEmpty();
        operations.add(operation(room.stored.version(4).commandId(), 4_011, 4_020, full));
        isRefused("had been acknowledged, and was sent again and answered Rejected", Invariant.I6);
    }

    /** ROOM-1: it is there from its first version on. */
    @Test
    void aRoomThatIsSaidNotToBeThereAfterItsCreationWasAcknowledged() {
        operations.add(answered(1));
        operations.add(operation("before", 1_000, 1_020, new Outcome.Absent()));
        assertThat(check()).isEmpty();
        operations.add(operation("after", 1_011, 1_020, new Outcome.Absent()));
        isRefused("operation after@1011 has version 0, and was sent after command", Invariant.I4);
    }

    @Test
    void anAcknowledgedCommandOfWhichARetryWasToldThatNothingWasToDo() {
        operations.add(answered(4));
        operations.add(operation(room.stored.version(4).commandId(), 4_011, 4_020, new Outcome.Unchanged(4)));
        isRefused("had been acknowledged, and was sent again and answered Unchanged", Invariant.I6);
    }

    @Test
    void aLaterCommandWithAnEarlierVersion() {
        LogRow late = room.stored.version(4);
        operations.add(answered(6));
        operations.add(operation(late.commandId(), 6_011, 6_020, acknowledged(late)));
        isRefused("has version 4, and was sent after command c-5 had been answered with version 6", Invariant.I4);
    }

    @Test
    void commandsAtTheSameTimeMayHaveEitherOrder() {
        LogRow other = room.stored.version(4);
        operations.add(answered(6));
        operations.add(operation(other.commandId(), 6_010, 6_020, acknowledged(other)));
        assertThat(check()).isEmpty();
    }

    @Test
    void anUnknownCommandThatWasSentTooLateForItsVersion() {
        operations.add(answered(6));
        operations.add(operation(room.stored.version(4).commandId(), 6_011, 6_020, new Outcome.Unknown()));
        isRefused("has version 4, and was sent after command c-5 had been answered with version 6", Invariant.I4);
    }

    /** CMD-6: what counts is when it was sent first. */
    @Test
    void aRetryHasTheVersionOfItsFirstTry() {
        LogRow row = room.stored.version(4);
        operations.add(operation(row.commandId(), 3_990, 4_500, new Outcome.Unknown()));
        operations.add(answered(6));
        operations.add(operation(row.commandId(), 6_011, 6_020, acknowledged(row)));
        assertThat(check()).isEmpty();
    }

    /** CMD-8: a try that was refused has done nothing, so it is no excuse for an old version. */
    @Test
    void aRetryOfARefusedTryHasAVersionOfItsOwn() {
        LogRow row = room.stored.version(4);
        operations.add(operation(row.commandId(), 3_990, 4_500, new Outcome.Refused()));
        operations.add(answered(6));
        operations.add(operation(row.commandId(), 6_011, 6_020, acknowledged(row)));
        isRefused("has version 4, and was sent after command c-5 had been answered with version 6", Invariant.I4);
    }

    @Test
    void aStaleLook() {
        operations.add(answered(6));
        operations.add(operation("look", 6_011, 6_020, new Outcome.Unchanged(5)));
        isRefused("operation look@6011 has version 5, and was sent after command c-5", Invariant.I4);
    }

    @Test
    void aStaleRead() {
        operations.add(answered(6));
        operations.add(operation("read", 6_011, 6_020, new Outcome.Read(5, "?")));
        isRefused("operation read@6011 has version 5, and was sent after command c-5", Invariant.I4);
    }

    @Test
    void aLookAtAVersionThatIsNotThere() {
        operations.add(operation("look", 6_011, 6_020, new Outcome.Unchanged(10)));
        isRefused("operation look@6011 saw version 10, the log ends at 9", Invariant.I4);
    }

    @Test
    void aVersionThatSomebodyHadSeenBeforeItsCommandWasSent() {
        LogRow row = room.stored.version(6);
        operations.add(operation("look", 5_000, 5_100, new Outcome.Unchanged(6)));
        operations.add(operation(row.commandId(), 5_200, 6_010, acknowledged(row)));
        isRefused("has version 6, and was sent after operation look@5000", Invariant.I4);
    }

    /** What clients may see of a log: tries that overlap, are refused, get lost, are sent again, and looks. */
    private static final class RandomClients {
        private final Random random;
        private final List<Operation> seen = new ArrayList<>();

        private RandomClients(long seed) {
            random = new Random(seed);
        }

        static List<Operation> of(List<LogRow> log, long seed) {
            RandomClients clients = new RandomClients(seed);
            log.forEach(clients::command);
            for (long version = 0; version <= log.size(); version++) {
                clients.look("look-" + version, version);
                clients.noEffect("nothing-" + version, version * STEP_NS);
            }
            Collections.shuffle(clients.seen, clients.random);
            return clients.seen;
        }

        private void command(LogRow row) {
            long atNs = row.version() * STEP_NS;
            if (random.nextInt(4) == 0) {
                seen.add(operation(row.commandId(), atNs - 9_000, atNs - 8_500, new Outcome.Refused()));
            }
            boolean answered = random.nextInt(4) > 0;
            seen.add(operation(
                    row.commandId(),
                    atNs - 1 - random.nextInt(5_000),
                    atNs + 1 + random.nextInt(5_000),
                    answered ? acknowledged(row) : new Outcome.Unknown()));
            if (random.nextInt(3) == 0) {
                seen.add(operation(row.commandId(), atNs + 20_000, atNs + 21_000, acknowledged(row)));
            }
        }

        private void look(String name, long version) {
            long atNs = version * STEP_NS + 1 + random.nextInt(998);
            seen.add(operation(
                    name, atNs - random.nextInt(3_000), atNs + random.nextInt(3_000), new Outcome.Unchanged(version)));
        }

        private void noEffect(String name, long atNs) {
            Outcome outcome = random.nextBoolean() ? new Outcome.Refused() : new Outcome.Unknown();
            seen.add(operation(name, atNs, atNs + 100, outcome));
        }
    }
}
