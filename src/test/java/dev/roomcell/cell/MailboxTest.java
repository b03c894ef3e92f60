package dev.roomcell.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CellMeter;
import dev.roomcell.port.RoomCodec;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private static final int NO_LIMIT = Integer.MAX_VALUE;

    @Test
    void commandsAreTakenInTheOrderOfArrival() {
        Mailbox mailbox = mailbox(8);
        List<PendingCommand> sent = offered(mailbox, 1, 1, 1, 1, 1);

        assertThat(mailbox.take(2, NO_LIMIT)).containsExactlyElementsOf(sent.subList(0, 2));
        assertThat(mailbox.take(2, NO_LIMIT)).containsExactlyElementsOf(sent.subList(2, 4));
        assertThat(mailbox.take(2, NO_LIMIT)).containsExactlyElementsOf(sent.subList(4, 5));
        assertThat(mailbox.take(2, NO_LIMIT)).isEmpty();
        assertThat(mailbox.isEmpty()).isTrue();
    }

    @Test
    void aFullMailboxRefusesTheNewcomerAndKeepsTheOthers() {
        Mailbox mailbox = mailbox(2);
        List<PendingCommand> sent = offered(mailbox, 1, 1);

        assertThat(mailbox.offer(command(1))).isFalse();

        assertThat(mailbox.take(1, NO_LIMIT)).containsExactly(sent.get(0));
        PendingCommand next = command(1);
        assertThat(mailbox.offer(next)).isTrue();
        assertThat(mailbox.takeAll()).containsExactly(sent.get(1), next);
    }

    /** ROCKET-3, MIC-3: who floods a room does not keep its deadlines from it. */
    @Test
    void theRoomsOwnCommandsHaveAPlaceBesideThoseOfCallers() {
        Mailbox mailbox = mailbox(2);
        offered(mailbox, 1, 1);

        PendingCommand launch = command(1, "~launch:r4");
        assertThat(mailbox.offer(command(1))).isFalse();
        assertThat(mailbox.offer(launch)).isTrue();
        assertThat(mailbox.offer(command(1))).isFalse();
        for (int i = 1; i < 64; i++) {
            assertThat(mailbox.offer(command(1, "~mic:" + i))).isTrue();
        }
        assertThat(mailbox.offer(command(1, "~mic:64")))
                .as("bounded all the same")
                .isFalse();
        assertThat(mailbox.takeAll()).hasSize(66).contains(launch);
    }

    @Test
    void aBatchEndsBeforeItGrowsTooHeavy() {
        Mailbox mailbox = mailbox(8);
        List<PendingCommand> sent = offered(mailbox, 40, 60, 1, 99);

        assertThat(mailbox.take(8, 100)).containsExactlyElementsOf(sent.subList(0, 2));
        assertThat(mailbox.take(8, 100)).containsExactlyElementsOf(sent.subList(2, 4));
    }

    @Test
    void aCommandHeavierThanABatchGoesAlone() {
        Mailbox mailbox = mailbox(8);
        List<PendingCommand> sent = offered(mailbox, 500, 1, 500);

        assertThat(mailbox.take(8, 100)).containsExactly(sent.get(0));
        assertThat(mailbox.take(8, 100)).containsExactly(sent.get(1));
        assertThat(mailbox.take(8, 100)).containsExactly(sent.get(2));
    }

    @Test
    void whatIsPutBackComesFirstAndInItsOrderThoughTheMailboxIsFull() {
        Mailbox mailbox = mailbox(3);
        List<PendingCommand> sent = offered(mailbox, 1, 1, 1);
        List<PendingCommand> batch = mailbox.take(2, NO_LIMIT);
        List<PendingCommand> later = offered(mailbox, 1, 1);

        mailbox.putBack(batch);

        assertThat(mailbox.offer(command(1))).isFalse();
        assertThat(mailbox.takeAll())
                .containsExactly(sent.get(0), sent.get(1), sent.get(2), later.get(0), later.get(1));
        assertThat(mailbox.isEmpty()).isTrue();
    }

    /** Each number is a step: offer one, take up to two, or put the last batch back. */
    @Property(tries = 300)
    void whateverIsTakenAndPutBackTheOrderStays(
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 3) Integer> steps) {
        Mailbox mailbox = mailbox(16);
        List<PendingCommand> arrived = new ArrayList<>();
        List<PendingCommand> done = new ArrayList<>();
        List<PendingCommand> batch = List.of();
        for (int step : steps) {
            if (step <= 1) {
                PendingCommand command = command(step);
                if (mailbox.offer(command)) {
                    arrived.add(command);
                }
            } else if (step == 2) {
                done.addAll(batch);
                batch = mailbox.take(2, NO_LIMIT);
            } else {
                mailbox.putBack(batch);
                batch = List.of();
            }
        }
        done.addAll(batch);
        done.addAll(mailbox.takeAll());

        assertThat(done).containsExactlyElementsOf(arrived);
    }

    private static Mailbox mailbox(int capacity) {
        return new Mailbox(capacity, new CellWorld().node("a").clock, CellMeter.none());
    }

    private static List<PendingCommand> offered(Mailbox mailbox, int... bytes) {
        List<PendingCommand> commands = new ArrayList<>();
        for (int each : bytes) {
            PendingCommand command = command(each);
            assertThat(mailbox.offer(command)).isTrue();
            commands.add(command);
        }
        return commands;
    }

    private static PendingCommand command(int bytes) {
        return command(bytes, "command-1");
    }

    private static PendingCommand command(int bytes, String id) {
        RoomCodec.EncodedCommand encoded = new RoomCodec.EncodedCommand(new byte[bytes], new byte[16]);
        return new PendingCommand(
                new CommandRequest(new RoomKey("lala", "room-1"), id, new Presence.JoinRoom("ben"), encoded, 0),
                CellMeter.none());
    }
}
