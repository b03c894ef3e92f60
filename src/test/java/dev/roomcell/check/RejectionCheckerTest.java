package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Decision;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomPolicy;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** I4, on whoever was told no. Version v of the room is made at v · 1,000 ns, by a command sent 10 ns before. */
final class RejectionCheckerTest {
    private static final long STEP_NS = 1_000;

    private final List<LogRow> log;
    private final List<Operation> operations = new ArrayList<>();

    /** Version 1 is the room, 2 is ben's joining, 3 his leaving. */
    RejectionCheckerTest() {
        LivedRoom room = new LivedRoom(Doctored.ROOM);
        room.loaded("node-a");
        room.asks(new Lifecycle.CreateRoom("olga", LivedRoom.PROFILE, 3));
        room.asks(new Presence.JoinRoom("ben"));
        room.asks(new Presence.LeaveRoom("ben"));
        log = room.commits().stored().log;
        for (LogRow row : log) {
            long atNs = row.version() * STEP_NS;
            operations.add(operation(
                    row.commandId(),
                    atNs - 10,
                    atNs + 10,
                    new Outcome.Acknowledged(row.version(), Operation.resultHash(row.result()))));
        }
    }

    private static Operation operation(String commandId, long invokeNs, long returnNs, Outcome outcome) {
        return new Operation(commandId + "@" + invokeNs, Doctored.ROOM, commandId, invokeNs, returnNs, outcome);
    }

    private static Operation rejected(RoomCommand command, Reason reason, long invokeNs, long returnNs) {
        return operation("no", invokeNs, returnNs, new Outcome.Rejected(command, reason));
    }

    private List<Violation> check(Operation rejected) {
        List<Operation> all = new ArrayList<>(operations);
        all.add(rejected);
        return RejectionChecker.check(Doctored.ROOM, all, log, LivedRoom.CODEC);
    }

    private static Reason notThere() {
        RoomState empty = RoomState.creating(Doctored.ROOM);
        return reason(RoomDecider.decide(empty, new Presence.LeaveRoom("ben"), new Stamp(1, 0), RoomPolicy.STANDARD));
    }

    private static Reason reason(Decision decision) {
        return ((Decision.Rejected) decision).rejection().reason();
    }

    private Reason leavingAt(int version) {
        return reason(RoomDecider.decide(
                Replayed.states(Doctored.ROOM, log).get(version),
                new Presence.LeaveRoom("ben"),
                new Stamp(version + 1L, 0),
                RoomPolicy.STANDARD));
    }

    @Test
    void acceptsAThousandRightHistories() {
        long accepted = 0;
        for (long seed : LongStream.range(0, 1_000).toArray()) {
            List<LogRow> log = RandomRoom.of(seed).stored().log;
            List<Operation> all = RandomCallers.of(log, seed);

            assertThat(RejectionChecker.check(Doctored.ROOM, all, log, LivedRoom.CODEC))
                    .as("seed %d", seed)
                    .isEmpty();
            accepted += all.size();
        }
        assertThat(accepted).isGreaterThan(5_000);
    }

    @Test
    void aNoThatIsRightAllTheTime() {
        Reason absent = leavingAt(1);
        assertThat(check(rejected(new Presence.LeaveRoom("ben"), absent, 1_500, 1_600)))
                .isEmpty();
    }

    @Test
    void aNoThatWasRightBeforeAndIsNotAnyMore() {
        Reason absent = leavingAt(1);
        assertThat(check(rejected(new Presence.LeaveRoom("ben"), absent, 2_011, 2_100)))
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.invariant()).isEqualTo(Invariant.I4);
                    assertThat(violation.message()).contains("operation no@2011 was rejected", "from 2 to 2");
                });
    }

    @Test
    void aNoThatWillBeRightAndIsNotYet() {
        Reason absent = leavingAt(3);
        assertThat(check(rejected(new Presence.LeaveRoom("ben"), absent, 2_011, 2_989)))
                .hasSize(1);
        assertThat(check(rejected(new Presence.LeaveRoom("ben"), absent, 2_011, 2_990)))
                .isEmpty();
    }

    @Test
    void aNoThatOverlapsWithTheVersionThatMadeItWrong() {
        Reason absent = leavingAt(1);
        assertThat(check(rejected(new Presence.LeaveRoom("ben"), absent, 2_005, 2_100)))
                .isEmpty();
    }

    @Test
    void aNoForAnotherReason() {
        assertThat(check(rejected(new Presence.LeaveRoom("ben"), Reason.ROOM_CLOSED, 1_500, 1_600)))
                .hasSize(1);
    }

    /** ROOM-7: before its first version a room may have no row yet. */
    @Test
    void aRoomThatIsNotThereYet() {
        assertThat(check(rejected(new Presence.LeaveRoom("ben"), Reason.ROOM_NOT_FOUND, 100, 200)))
                .isEmpty();
        assertThat(check(rejected(new Presence.LeaveRoom("ben"), notThere(), 100, 200)))
                .isEmpty();
        assertThat(check(rejected(new Presence.LeaveRoom("ben"), Reason.ROOM_NOT_FOUND, 1_011, 1_100)))
                .hasSize(1);
    }

    /** The room's own commands nobody sends: from when on their versions were there, nobody can tell. */
    @Test
    void aVersionOfTheRoomsOwn() {
        operations.removeIf(operation -> operation.commandId().equals(log.get(2).commandId()));
        Reason absent = leavingAt(3);
        assertThat(check(rejected(new Presence.LeaveRoom("ben"), absent, 2_011, 2_100)))
                .isEmpty();
    }

    /** What was read tells what had passed, as an answer does. */
    @Test
    void aReadBeforeTheQuestion() {
        operations.removeIf(operation -> operation.commandId().equals(log.get(1).commandId()));
        Reason absent = leavingAt(1);
        Operation stale = rejected(new Presence.LeaveRoom("ben"), absent, 2_011, 2_100);
        assertThat(check(stale)).isEmpty();
        operations.add(operation("look", 2_001, 2_002, new Outcome.Unchanged(2)));
        assertThat(check(stale)).hasSize(1);
    }

    /** Callers whose wishes the room refuses, at the moment of each version. */
    private static final class RandomCallers {
        private static final List<RoomCommand> WISHES = List.of(
                new Presence.JoinRoom("ben"),
                new Presence.LeaveRoom("ben"),
                new Presence.LeaveRoom("cara"),
                new Lifecycle.CloseRoom("dora"),
                new Lifecycle.CreateRoom("olga", LivedRoom.PROFILE, 3));

        private RandomCallers() {}

        static List<Operation> of(List<LogRow> log, long seed) {
            Random random = new Random(seed);
            List<Operation> all = new ArrayList<>();
            for (RoomState state : Replayed.states(Doctored.ROOM, log)) {
                long atNs = state.version() * STEP_NS;
                if (state.version() > 0) {
                    LogRow row = log.get((int) state.version() - 1);
                    all.add(operation(
                            row.commandId(),
                            atNs - 1 - random.nextInt(5_000),
                            atNs + 1 + random.nextInt(5_000),
                            new Outcome.Acknowledged(row.version(), Operation.resultHash(row.result()))));
                }
                RoomCommand wish = WISHES.get(random.nextInt(WISHES.size()));
                if (RoomDecider.decide(state, wish, new Stamp(state.version() + 1, 0), RoomPolicy.STANDARD)
                        instanceof Decision.Rejected no) {
                    long decidedNs = atNs + 1 + random.nextInt(900);
                    all.add(rejected(
                            wish,
                            no.rejection().reason(),
                            decidedNs - random.nextInt(5_000),
                            decidedNs + random.nextInt(5_000)));
                }
            }
            return all;
        }
    }
}
