package dev.roomcell.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.PortScript;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often a worker looks, whatever its looks come to. */
class TimeoutWorkerTest {
    /** More than one look takes. */
    private static final int ROOMS = 300;

    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");
    private final List<RoomKey> rooms = IntStream.range(0, ROOMS)
            .mapToObj(i -> new RoomKey("lala", "room-" + i))
            .toList();
    private final TimeoutWorker worker = node.watchTimers(Limits.TTL_MS);

    @BeforeEach
    void aSeatIsTakenInEachRoom() {
        for (RoomKey room : rooms) {
            node.createWith(room, "ben");
            Answers.assertDone(node.ask(room, "up", new MicSeats.MicUp("ben", 1)));
        }
    }

    @AfterEach
    void stop() {
        worker.stop();
    }

    private long taken() {
        return rooms.stream()
                .filter(room -> node.room(room).seats().get(0).status().occupied())
                .count();
    }

    @Test
    void aCrowdOfTimersIsActedOnWithoutAPause() {
        world.advance(Limits.PUBLISH_MS + 1_500);

        assertThat(taken()).isZero();
    }

    /** Without Redis no room can be acted on, and each timer is given back at once. */
    @Test
    void whileNothingCanBeActedOnTheDatabaseIsAskedOnceASecond() {
        node.script.breakDown(Call::toRedis);
        world.advance(Limits.PUBLISH_MS + 1_500);
        node.script.forget();

        world.advance(10_000);
        assertThat(node.script.count(Call.CLAIM_DUE)).isLessThanOrEqualTo(11);

        node.script.recover();
        world.advance(2_500);
        assertThat(taken()).isZero();
    }

    @Test
    void aFaultOfOneLookIsNotTheEndOfAll() {
        node.script.next(Call.CLAIM_DUE, PortScript.thrown());

        world.advance(Limits.PUBLISH_MS + 3_500);

        assertThat(taken()).isZero();
    }
}
