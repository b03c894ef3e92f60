package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.port.CellMeter;
import org.junit.jupiter.api.Test;

/** CMD-3: whoever sends an id that is in the batch already waits for the first one's outcome. */
class PendingCommandTest {
    private final PendingCommand first = command();
    private final PendingCommand second = command();

    private static PendingCommand command() {
        return new PendingCommand(
                new CommandRequest(
                        ROOM,
                        "join",
                        Wishes.join("ben"),
                        CellWorld.CODEC.encodeCommand(ROOM, Wishes.join("ben")),
                        1_000),
                CellMeter.none());
    }

    /** CMD-3: nobody is answered, or decided anew, twice. */
    @Test
    void whoeverWaitsForAnotherIsHandedOutOnce() {
        first.joinedBy(second);

        assertThat(first.takeSameId()).containsExactly(second);
        assertThat(first.takeSameId()).isEmpty();
    }
}
