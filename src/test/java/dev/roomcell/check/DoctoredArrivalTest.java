package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.ArrivalChecker.Arrival;
import dev.roomcell.check.ArrivalChecker.Delivery;
import dev.roomcell.check.ArrivalChecker.Event;
import dev.roomcell.check.RoomHistory.OutboxRow;
import dev.roomcell.domain.RoomKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What consumers got, as it must not be. */
final class DoctoredArrivalTest {
    private static final RoomKey ROOM = new RoomKey("app", "room");

    private final List<OutboxRow> outbox = new ArrayList<>();
    private final List<Arrival> arrivals = new ArrayList<>();
    private final Set<Event> parked = new TreeSet<>();
    private final Set<Event> unfinished = new TreeSet<>();

    DoctoredArrivalTest() {
        for (int version : List.of(1, 2, 2, 5)) {
            int index = version == 2 && outbox.size() == 2 ? 1 : 0;
            outbox.add(new OutboxRow(version, index, "JOINED", envelope(version, index)));
            arrivals.add(new Arrival(version, index, "JOINED", envelope(version, index)));
        }
    }

    private static byte[] envelope(int version, int index) {
        return (version + ":" + index).getBytes(StandardCharsets.UTF_8);
    }

    private List<String> violations() {
        return ArrivalChecker.check(ROOM, outbox, new Delivery(arrivals, parked, unfinished)).stream()
                .map(Violation::toString)
                .toList();
    }

    private void isRefused(String... violations) {
        assertThat(violations()).containsExactly(violations);
    }

    @Test
    void whatIsAsItMustBe() {
        isRefused();
    }

    @Test
    void anEventThatComesAgainIsNoHarm() {
        arrivals.add(arrivals.get(0));
        arrivals.add(2, arrivals.get(1));
        isRefused();
    }

    @Test
    void anEventThatHasNotArrived() {
        arrivals.remove(2);
        isRefused("I8 app/room: version 2 event 1 has not arrived");
    }

    @Test
    void anEventThatWasGivenUpForAReasonNeedNotArrive() {
        arrivals.remove(2);
        parked.add(new Event(2, 1));
        isRefused();
    }

    @Test
    void anEventThatWasGivenUpMayComeLate() {
        arrivals.add(arrivals.remove(1));
        isRefused("I8 app/room: version 2 event 0 has arrived after version 5 event 0");
        parked.add(new Event(2, 0));
        isRefused();
    }

    @Test
    void anEventThatNobodyHasSent() {
        arrivals.add(new Arrival(7, 0, "JOINED", envelope(7, 0)));
        isRefused("I8 app/room: version 7 event 0 has arrived, and is not in the outbox");
    }

    @Test
    void anEventThatOvertakesAnother() {
        Collections.swap(arrivals, 1, 2);
        isRefused("I8 app/room: version 2 event 0 has arrived after version 2 event 1");
    }

    @Test
    void anEnvelopeThatIsAnother() {
        arrivals.set(3, new Arrival(5, 0, "JOINED", envelope(5, 1)));
        isRefused("I8 app/room: version 5 event 0 has arrived as something else");
    }

    @Test
    void aTypeThatIsAnother() {
        arrivals.set(3, new Arrival(5, 0, "LEFT", envelope(5, 0)));
        isRefused("I8 app/room: version 5 event 0 has arrived as something else");
    }

    @Test
    void anEventThatIsStillToBeSent() {
        unfinished.add(new Event(5, 0));
        isRefused("I9 app/room: version 5 event 0 is still to be delivered");
    }
}
