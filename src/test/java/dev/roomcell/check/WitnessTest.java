package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomCommand;
import org.junit.jupiter.api.Test;

/** What a success speaks of. */
final class WitnessTest {
    private static final RoomCommand JOIN = new Presence.JoinRoom("ben");

    private final Doctored room = Doctored.room();
    private final Witness witness = new Witness(Doctored.ROOM, room.stored.log, LivedRoom.CODEC);

    private static Outcome acknowledged(long version, byte[] result) {
        return new Outcome.Acknowledged(version, Operation.resultHash(result));
    }

    private static byte[] chatSwitched(long version, boolean enabled) {
        return LivedRoom.CODEC.encodeResult(Doctored.ROOM, new Moderation.ChatSwitched(version, enabled));
    }

    @Test
    void whatIsInTheLogWasAcknowledgedWithItsVersion() {
        LogRow row = room.stored.version(3);

        assertThat(witness.outcome(row.commandId(), JOIN, row.result(), false))
                .isEqualTo(acknowledged(3, row.result()));
        assertThat(witness.outcome(row.commandId(), JOIN, row.result(), true)).isEqualTo(acknowledged(3, row.result()));
    }

    @Test
    void anotherResultThanTheLogHasIsOfNoVersion() {
        byte[] other = room.stored.version(4).result();

        assertThat(witness.outcome(room.stored.version(3).commandId(), JOIN, other, false))
                .isEqualTo(acknowledged(-1, other));
    }

    @Test
    void whatWasAsWishedChangedNothing() {
        RoomCommand chatOn = new Moderation.SetChatEnabled("olga", true);
        byte[] result = chatSwitched(5, true);

        assertThat(witness.outcome("new", chatOn, result, false)).isEqualTo(new Outcome.Unchanged(5));
        assertThat(witness.outcome("new", chatOn, result, true))
                .as("what changed nothing is not remembered")
                .isEqualTo(acknowledged(-1, result));
    }

    @Test
    void whatWasNotAsWishedIsNoWord() {
        RoomCommand chatOff = new Moderation.SetChatEnabled("olga", false);
        byte[] neverSo = chatSwitched(5, false);
        byte[] neverThere = chatSwitched(1_000, false);

        assertThat(witness.outcome("new", chatOff, neverSo, false)).isEqualTo(acknowledged(-1, neverSo));
        assertThat(witness.outcome("new", chatOff, neverThere, false)).isEqualTo(acknowledged(-1, neverThere));
    }
}
