package dev.roomcell.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.LogEntry;
import dev.roomcell.port.CommandStore.LogPage;
import dev.roomcell.port.CommandStore.RoomRow;
import dev.roomcell.sim.MemoryDatabase.OutboxFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What those are told who missed some of a room. */
class EventsPageTest {
    private static final RoomKey ROOM = CellWorld.ROOM;

    private static LogEntry entry(long version, int events) {
        List<RoomEvent> joins =
                Collections.nCopies(events, new Presence.RoomUserJoined("ann", Presence.MemberKind.USER, 1));
        return new LogEntry(version, 1_000 + version, "c-" + version, "ann", CellWorld.CODEC.encodeEvents(joins));
    }

    private static EventsPage page(long since, int most, long version, long firstKept, LogEntry... entries) {
        RoomRow row = new RoomRow(Lifecycle.Status.ACTIVE, version, 1, "a");
        return EventsPage.of(ROOM, since, most, new LogPage(row, firstKept, List.of(entries)), CellWorld.CODEC);
    }

    private static void assertReaches(EventsPage page, int events, long lastVersion, boolean truncated) {
        assertThat(page.facts()).hasSize(events);
        assertThat(page.lastVersion()).isEqualTo(lastVersion);
        assertThat(page.truncated()).isEqualTo(truncated);
    }

    @Test
    void allThatThereIsIsToldWhenItFits() {
        assertReaches(page(0, 6, 3, 1, entry(1, 1), entry(2, 2), entry(3, 3)), 6, 3, false);
    }

    @Test
    void aPageHoldsWholeVersions() {
        assertReaches(page(0, 5, 3, 1, entry(1, 1), entry(2, 2), entry(3, 3)), 3, 2, true);
    }

    @Test
    void aVersionThatIsLongerThanAPageComesWhole() {
        assertReaches(page(0, 2, 3, 1, entry(1, 5), entry(2, 1), entry(3, 1)), 5, 1, true);
    }

    @Test
    void whoKnowsEverythingIsToldSo() {
        assertReaches(page(3, 10, 3, 1), 0, 3, false);
    }

    @Test
    void whoClaimsToKnowMoreIsToldWhereTheRoomIs() {
        assertReaches(page(9, 10, 3, 1), 0, 3, false);
    }

    @Test
    void whatWasCommittedWhileThePageWasReadIsForTheNextPage() {
        assertReaches(page(2, 10, 4, 1, entry(3, 1)), 1, 3, true);
        assertReaches(page(3, 10, 4, 1), 0, 3, true);
    }

    /** LOG-1. */
    @Test
    void whatIsKeptNoMoreIsNotWaitedFor() {
        assertReaches(page(0, 10, 4, 5), 0, 4, false);
        assertThat(page(0, 10, 4, 5).firstKeptVersion()).isEqualTo(5);
        assertReaches(page(0, 10, 4, 4, entry(4, 1)), 1, 4, false);
    }

    /** OUT-8: whether an event came through the outbox or is asked for, it is the same event. */
    @Test
    void theEnvelopesAreTheOutboxsToTheByte() {
        CellWorld world = new CellWorld();
        CellNode node = world.node("a");
        node.createWith(ROOM, "ben", "cid");
        Answers.assertDone(node.ask(ROOM, "leave", Wishes.leave("ben")));
        world.advance(1_000);
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        List<OutboxFields> outbox = world.database.outbox(ROOM);
        assertThat(outbox).hasSizeGreaterThanOrEqualTo(5);

        List<byte[]> told = new ArrayList<>();
        RoomQueries queries = new RoomQueries(node.loop, node.database, node.database, CellWorld.CODEC);
        for (long since = 0; since < world.row(ROOM).version(); ) {
            EventsPage page = node.outcome(queries.events(ROOM, since, 1)).orElseThrow();
            page.facts().forEach(fact -> told.add(fact.envelope()));
            since = page.lastVersion();
        }

        assertThat(told)
                .usingElementComparator(Arrays::compare)
                .containsExactlyElementsOf(
                        outbox.stream().map(row -> row.fact().envelope()).toList());
    }

    /** ROOM-1. */
    @Test
    void aRoomInCreationIsNotThereYet() {
        CellWorld world = new CellWorld();
        CellNode node = world.node("a");
        assertThat(world.database.insertCreating(ROOM, Long.MAX_VALUE).result()).isTrue();
        RoomQueries queries = new RoomQueries(node.loop, node.database, node.database, CellWorld.CODEC);

        assertThat(node.outcome(queries.events(ROOM, 0, 10))).isEmpty();
        assertThat(node.outcome(queries.events(CellWorld.OTHER_ROOM, 0, 10))).isEmpty();
    }
}
