package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.check.LaneChecker.Seen;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.Stamp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What clients saw, against the log. */
class LaneCheckerTest {
    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final StoredForm CODEC = new StoredForm();

    private static LogRow row(long version) {
        return new LogRow(
                version,
                "c-" + version,
                new byte[16],
                "JOIN_ROOM",
                "ann",
                1_000 + version,
                new byte[0],
                CODEC.encodeEvents(events()),
                new byte[0],
                "node",
                "token",
                1);
    }

    private static List<RoomEvent> events() {
        return List.of(
                new Presence.RoomUserJoined("ann", Presence.MemberKind.USER, 1),
                new Presence.RoomUserJoined("ben", Presence.MemberKind.USER, 2));
    }

    private static Seen seen(String sender, long version, int index, boolean answered) {
        byte[] envelope = CODEC.encodeFact(
                        ROOM, new Stamp(version, 1_000 + version), index, "c-" + version, "ann", events().get(index))
                .envelope();
        return new Seen(sender, version, index, envelope, answered);
    }

    private static List<String> problems(Seen... seen) {
        List<LogRow> log = new ArrayList<>();
        for (long version = 1; version <= 3; version++) {
            log.add(row(version));
        }
        return LaneChecker.check(ROOM, List.of(seen), log, CODEC).stream()
                .map(Violation::toString)
                .toList();
    }

    private static void assertProblem(String words, Seen... seen) {
        assertThat(problems(seen)).singleElement().asString().contains("LANE-2", words);
    }

    @Test
    void eventsInOrderAreAsTheyMustBeAndSomeMayBeMissing() {
        assertThat(problems()).isEmpty();
        assertThat(problems(seen("a", 1, 0, true), seen("a", 1, 1, true), seen("a", 3, 1, true)))
                .isEmpty();
    }

    @Test
    void eachSenderHasAnOrderOfItsOwn() {
        assertThat(problems(seen("b", 3, 0, true), seen("a", 2, 0, true), seen("b", 3, 1, true)))
                .isEmpty();
    }

    @Test
    void whatASenderGaveUpMayArriveLate() {
        assertThat(problems(seen("a", 2, 0, true), seen("a", 1, 0, false))).isEmpty();
    }

    @Test
    void anEarlierVersionOrIndexAfterALaterOneIsFound() {
        assertProblem("version 1 event 1 of a after version 2 event 0", seen("a", 2, 0, true), seen("a", 1, 1, true));
        assertProblem("version 2 event 0 of a after version 2 event 1", seen("a", 2, 1, true), seen("a", 2, 0, true));
    }

    @Test
    void aRepetitionIsFound() {
        assertProblem("version 2 event 0 of a after version 2 event 0", seen("a", 2, 0, true), seen("a", 2, 0, true));
    }

    @Test
    void whatIsNotInTheLogIsFound() {
        assertProblem("version 4 event 0 of a, which is not in the log", seen("a", 4, 0, true));
        assertProblem("version 4 event 0 of a, which is not in the log", seen("a", 4, 0, false));
    }

    @Test
    void whatTheLogHasOtherwiseIsFound() {
        Seen other = seen("a", 2, 0, true);
        assertProblem(
                "version 3 event 0 of a other than it is in the log", new Seen("a", 3, 0, other.envelope(), true));
    }
}
