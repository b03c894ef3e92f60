package dev.roomcell.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.statistics.Statistics;

/** Whatever is asked of a room, by whomever, in whatever order. */
class AnySequenceTest {
    private static final AtomicLong commands = new AtomicLong();

    @AfterContainer
    static void manyCommandsWereAsked() {
        assertThat(commands).hasValueGreaterThan(100_000);
    }

    @Provide
    Arbitrary<List<Step>> stories() {
        Arbitrary<Step> opening = Arbitraries.frequencyOf(
                Tuple.of(
                        9,
                        Arbitraries.just(new Step.Asked(0, Step.command(RoomCommand.Kind.CREATE_ROOM, "olga", "", 0)))),
                Tuple.of(1, Step.any()));
        Arbitrary<List<Step>> steps =
                Step.any().list().ofMaxSize(100).withSizeDistribution(RandomDistribution.uniform());
        return Combinators.combine(opening, steps)
                .as((first, rest) ->
                        Stream.concat(Stream.of(first), rest.stream()).toList());
    }

    /** ROOM-3, MIC-6: a room stays one that can be, its versions have no gap, and its log and snapshots give it back. */
    @Property(tries = 2_500, edgeCases = EdgeCasesMode.NONE)
    void aRoomKeepsItsInvariantsAndComesBackFromItsLogAndItsSnapshots(@ForAll("stories") List<Step> story) {
        LivedRoom room = new LivedRoom();

        story.forEach(room::live);

        commands.addAndGet(room.commands());
        room.assertVersionsWithoutGap();
        room.assertComesBackFromItsLog();
        room.assertComesBackFromASnapshot();
        Statistics.label("status at the end").collect(room.state().status()).coverage(coverage -> {
            coverage.check(Lifecycle.Status.ACTIVE).percentage(p -> p > 5);
            coverage.check(Lifecycle.Status.CLOSED).percentage(p -> p > 5);
        });
        Statistics.label("a seat was freed")
                .collect(room.seatFreed())
                .coverage(coverage -> coverage.check(true).percentage(p -> p > 10));
    }
}
