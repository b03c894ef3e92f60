package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.CARA;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.PROFILE;
import static dev.roomcell.domain.Story.closed;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.joined;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.RoomCommand.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** ROOM-2: what each command comes to in each status, for a caller against whom nothing else speaks. */
class LifecycleTableTest {
    /** A status to go to, "unchanged", or the reason of the refusal. */
    private static final String COMMANDS = """
                   CREATE_ROOM   CLOSE_ROOM     HEAL_ROOM  JOIN_ROOM      LEAVE_ROOM
        CREATING   ->ACTIVE      ROOM_CREATING  ->CLOSED   ROOM_CREATING  ROOM_CREATING
        ACTIVE     ROOM_EXISTS   ->CLOSED       unchanged  ->ACTIVE       ->ACTIVE
        CLOSING    ROOM_CLOSED   ROOM_CLOSED    ->CLOSED   ROOM_CLOSED    ROOM_CLOSED
        CLOSED     ROOM_CLOSED   ROOM_CLOSED    unchanged  ROOM_CLOSED    ROOM_CLOSED
        """;

    /** Whether a command can lead from one status (left) to another (top). */
    private static final String ARROWS = """
                   CREATING  ACTIVE  CLOSING  CLOSED
        CREATING   no        yes     no       yes
        ACTIVE     no        yes     no       yes
        CLOSING    no        no      no       yes
        CLOSED     no        no      no       no
        """;

    @Test
    void noStatusAndNoCommandIsForgotten() {
        assertThat(head(COMMANDS)).isEqualTo(names(Kind.values()));
        assertThat(statuses(COMMANDS)).isEqualTo(names(Status.values()));
        assertThat(head(ARROWS)).isEqualTo(names(Status.values()));
        assertThat(statuses(ARROWS)).isEqualTo(names(Status.values()));
    }

    static Stream<Arguments> commands() {
        return cells(COMMANDS);
    }

    /** ROOM-1, ROOM-2, ROOM-3, ROOM-5, ROOM-6. */
    @ParameterizedTest(name = "{0}, {1}: {2}")
    @MethodSource("commands")
    void everyCommandHasItsAnswerInEveryStatus(Status status, Kind kind, String expected) {
        Story story = in(status);
        long version = story.state().version();

        story.when(command(kind));

        if (expected.startsWith("->")) {
            assertThat(story.decision()).isInstanceOf(Decision.Accepted.class);
            assertThat(story.state().status()).isEqualTo(Status.valueOf(expected.substring(2)));
            assertThat(story.state().version()).isEqualTo(version + 1);
        } else if (expected.equals("unchanged")) {
            assertThat(story.decision()).isInstanceOf(Decision.Unchanged.class);
        } else {
            story.thenRejected(Rejection.Reason.valueOf(expected));
        }
    }

    static Stream<Arguments> arrows() {
        return cells(ARROWS, Status::valueOf);
    }

    @ParameterizedTest(name = "{0} -> {1}: {2}")
    @MethodSource("arrows")
    void noArrowIsThereThatShouldNotBeAndNoneIsMissing(Status from, Status to, String expected) {
        Set<Status> reached = new TreeSet<>();
        for (Kind kind : Kind.values()) {
            Story story = in(from).when(command(kind));
            if (story.decision() instanceof Decision.Accepted) {
                reached.add(story.state().status());
            }
        }

        assertThat(reached.contains(to)).isEqualTo(expected.equals("yes"));
    }

    private static Story in(Status status) {
        return switch (status) {
            case CREATING -> Story.given();
            case ACTIVE -> Story.given(created(), joined(BEN, 1));
            case CLOSING -> Story.given(created(), joined(BEN, 1)).closingBegun();
            case CLOSED -> Story.given(created(), joined(BEN, 1), closed(1));
        };
    }

    private static RoomCommand command(Kind kind) {
        return switch (kind) {
            case CREATE_ROOM -> new Lifecycle.CreateRoom(OWNER, PROFILE, 3);
            case CLOSE_ROOM -> new Lifecycle.CloseRoom(OWNER);
            case HEAL_ROOM -> new Lifecycle.HealRoom();
            case JOIN_ROOM -> new Presence.JoinRoom(CARA);
            case LEAVE_ROOM -> new Presence.LeaveRoom(BEN);
        };
    }

    private static Stream<Arguments> cells(String table) {
        return cells(table, Kind::valueOf);
    }

    private static Stream<Arguments> cells(String table, Function<String, ?> column) {
        List<String> head = head(table);
        return table.lines()
                .skip(1)
                .map(LifecycleTableTest::words)
                .flatMap(row -> IntStream.range(0, head.size())
                        .mapToObj(i ->
                                Arguments.of(Status.valueOf(row.get(0)), column.apply(head.get(i)), row.get(i + 1))));
    }

    private static List<String> head(String table) {
        return words(table.lines().findFirst().orElseThrow());
    }

    private static List<String> statuses(String table) {
        return table.lines().skip(1).map(row -> words(row).get(0)).toList();
    }

    private static List<String> words(String line) {
        return List.of(line.strip().split(" +", -1));
    }

    private static List<String> names(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name).toList();
    }
}
