package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.domain.RoomState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** I2 and I4, on the rooms that clients were shown. */
final class SightCheckerTest {
    private final Doctored room = Doctored.room();
    private final List<RoomState> states = Replayed.states(Doctored.ROOM, room.stored.log);

    private static Operation read(String id, long version, RoomState shown) {
        return new Operation(
                id, Doctored.ROOM, id, 1, 2, new Outcome.Read(version, Operation.stateHash(LivedRoom.CODEC, shown)));
    }

    private List<Violation> check(Operation... operations) {
        return SightChecker.check(Doctored.ROOM, List.of(operations), room.stored.log, LivedRoom.CODEC);
    }

    @Test
    void acceptsAThousandRightHistories() {
        for (long seed : LongStream.range(0, 1_000).toArray()) {
            LivedRoom lived = RandomRoom.of(seed);
            List<Operation> reads = new ArrayList<>();
            for (RoomState shown : Replayed.states(lived.state().key(), lived.stored().log)) {
                reads.add(read("read-" + shown.version(), shown.version(), shown));
            }

            assertThat(SightChecker.check(lived.state().key(), reads, lived.stored().log, LivedRoom.CODEC))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void anotherRoomThanTheLogMakes() {
        assertThat(check(read("read-1", 5, states.get(4)))).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).isEqualTo(Invariant.I2);
            assertThat(violation.message()).isEqualTo("operation read-1 saw another room than version 5 is by the log");
        });
    }

    @Test
    void aRoomBeforeItsFirstVersion() {
        assertThat(check(read("read-1", 0, states.get(1)))).hasSize(1);
        assertThat(check(read("read-1", 0, states.get(0)))).isEmpty();
    }

    @Test
    void aVersionThatIsNotThere() {
        long next = states.size();
        assertThat(check(read("read-1", next, states.get(0)))).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).isEqualTo(Invariant.I4);
            assertThat(violation.message()).isEqualTo("operation read-1 saw version " + next + ", which is not there");
        });
    }

    @Test
    void everyReadIsLookedAt() {
        assertThat(check(
                        read("read-1", 5, states.get(5)),
                        read("read-2", 5, states.get(4)),
                        read("read-3", 6, states.get(5))))
                .extracting(Violation::message)
                .containsExactly(
                        "operation read-2 saw another room than version 5 is by the log",
                        "operation read-3 saw another room than version 6 is by the log");
    }

    @Test
    void aPartOfARoom() {
        Operation ofFive =
                new Operation("read-1", Doctored.ROOM, "read-1", 1, 2, new Outcome.Read(5, online(states.get(5))));
        Operation ofFour =
                new Operation("read-2", Doctored.ROOM, "read-2", 1, 2, new Outcome.Read(5, online(states.get(4))));

        assertThat(SightChecker.check(
                        Doctored.ROOM,
                        List.of(ofFive, ofFour),
                        room.stored.log,
                        LivedRoom.CODEC,
                        SightCheckerTest::online))
                .extracting(Violation::message)
                .containsExactly("operation read-2 saw another room than version 5 is by the log");
    }

    private static String online(RoomState state) {
        return "online " + state.onlineCount();
    }
}
