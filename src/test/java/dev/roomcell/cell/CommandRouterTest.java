package dev.roomcell.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node of more than one loop. */
class CommandRouterTest {
    private static final int ROOMS = 20;

    private final CellWorld world = new CellWorld();
    private final CellNode first = world.node("first");
    private final CellNode second = world.node("second");
    private final CommandRouter router = new CommandRouter(List.of(first.shard, second.shard));

    private static RoomKey room(int number) {
        return new RoomKey("lala", "room-" + number);
    }

    @Test
    void theRoomsOfANodeAreThoseOfAllItsLoops() {
        for (int i = 0; i < ROOMS; i++) {
            Future<Answer> create = router.submit(first.request(room(i), "create", Wishes.create(), 1_000));
            world.run();
            Answers.assertDone(create);
        }

        assertThat(first.loadedRooms()).isBetween(1, ROOMS - 1);
        assertThat(second.loadedRooms()).isEqualTo(ROOMS - first.loadedRooms());
        assertThat(first.outcome(router.loadedRooms())).isEqualTo(ROOMS);
        for (int i = 0; i < ROOMS; i++) {
            assertThat(first.outcome(router.read(room(i)))).isInstanceOf(ReadAnswer.Found.class);
        }
        assertThat(first.outcome(router.loadedRooms()))
                .as("each on one loop only")
                .isEqualTo(ROOMS);

        assertThat(first.outcome(router.drain())).isNull();
        assertThat(first.outcome(router.loadedRooms())).isZero();
    }

    @Test
    void aNodeHasAtLeastOneLoop() {
        assertThatIllegalArgumentException().isThrownBy(() -> new CommandRouter(List.of()));
    }
}
