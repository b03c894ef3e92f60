package dev.roomcell.adapter.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Longs;
import dev.roomcell.domain.CommandResult;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomCodec.EncodedCommand;
import dev.roomcell.port.SnapshotStore.Snapshot;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is stored, or was once answered, keeps its bytes for ever. */
class GoldenTest {
    private static final StoredForm CODEC = new StoredForm();
    private static final long AT_MS = 1_700_000_001_000L;

    /** With {@code -Dgolden.accept=true} what is new gets its file. */
    @BeforeAll
    static void accept() throws IOException {
        if (Boolean.getBoolean("golden.accept")) {
            GoldenFolder.COMMITTED.check(encoded(), true);
        }
    }

    /** CMD-1, CMD-6. */
    @Test
    void everythingIsWrittenAsItEverWas() throws IOException {
        GoldenFolder.COMMITTED.check(encoded(), false);
    }

    @Test
    void everythingThatWasWrittenIsStillRead() throws IOException {
        for (var command : Examples.commands().entrySet()) {
            byte[] golden = GoldenFolder.COMMITTED.bytes("command/" + command.getKey());
            assertThat(CODEC.decodeCommand(golden)).isEqualTo(command.getValue());
        }
        for (var event : Examples.events().entrySet()) {
            byte[] golden = GoldenFolder.COMMITTED.bytes("events/" + event.getKey());
            assertThat(CODEC.decodeEvents(golden)).containsExactly(event.getValue());
        }
        for (var state : Examples.states().entrySet()) {
            assertThat(CODEC.decodeState(Examples.ROOM, goldenSnapshot(state.getKey(), state.getValue())))
                    .isEqualTo(state.getValue());
        }
    }

    private static Snapshot goldenSnapshot(String name, RoomState state) throws IOException {
        return new Snapshot(
                state.version(),
                AT_MS,
                GoldenFolder.COMMITTED.bytes("state/" + name),
                Longs.fromByteArray(GoldenFolder.COMMITTED.bytes("state/" + name + "-checksum")),
                GoldenFolder.COMMITTED.bytes("state/" + name + "-last-seen"));
    }

    @Test
    void everyAnswerHasAnExample() {
        List<String> answers = Arrays.stream(CommandResult.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .toList();

        assertThat(Examples.results().values())
                .extracting(result -> result.getClass().getSimpleName())
                .containsAll(answers);
        Examples.results()
                .forEach((name, result) ->
                        assertThat(result.getClass().getSimpleName()).isEqualTo(name.split("-", 2)[0]));
    }

    private static Map<String, byte[]> encoded() {
        Map<String, byte[]> encoded = new TreeMap<>();
        Examples.commands().forEach((name, command) -> {
            EncodedCommand stored = CODEC.encodeCommand(Examples.ROOM, command);
            encoded.put("command/" + name, stored.bytes());
            encoded.put("command/" + name + "-payload-hash", stored.payloadHash());
        });
        Examples.events().forEach((name, event) -> {
            encoded.put("events/" + name, CODEC.encodeEvents(List.of(event)));
            encoded.put(
                    "fact/" + name,
                    CODEC.encodeFact(Examples.ROOM, Examples.STAMP, 3, "command-1", "ben", event)
                            .envelope());
        });
        Examples.results()
                .forEach((name, result) -> encoded.put("result/" + name, CODEC.encodeResult(Examples.ROOM, result)));
        Examples.states().forEach((name, state) -> {
            Snapshot snapshot = CODEC.encodeState(state, AT_MS);
            encoded.put("state/" + name, snapshot.state());
            encoded.put("state/" + name + "-checksum", Longs.toByteArray(snapshot.checksum()));
            encoded.put("state/" + name + "-last-seen", snapshot.lastSeen());
        });
        return encoded;
    }
}
