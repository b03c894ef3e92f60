package dev.roomcell.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {
    private static BenchSettings settings(String... args) {
        BenchCommand command = new BenchCommand();
        new CommandLine(command).parseArgs(args);
        return command.settings();
    }

    @Test
    void withoutOptionsOneRoomIsLoadedInAClosedLoop() {
        BenchSettings settings = settings();

        assertThat(settings.target()).isEqualTo("127.0.0.1:7400");
        assertThat(settings.rooms()).isEqualTo(1);
        assertThat(settings.clients()).isEqualTo(64);
        assertThat(settings.warmupSeconds()).isEqualTo(15);
        assertThat(settings.command()).isEqualTo(BenchSettings.Command.JOIN_LEAVE);
        assertThat(settings.openLoop()).isFalse();
        assertThat(settings.acks()).isEmpty();
        assertThat(settings.connections()).isEqualTo(1);
        assertThat(settings.eventLoops()).isEqualTo(1);
    }

    @Test
    void everyOptionIsTaken() {
        BenchSettings settings = settings(
                ("--target a:1,b:2 --app x --rooms 200 --clients 1000 --seconds 9 --warmup 0 --command join-leave"
                                + " --rate 500 --acks f --room-prefix p --connections 4 --event-loops 2")
                        .split(" "));

        assertThat(settings)
                .isEqualTo(new BenchSettings(
                        "a:1,b:2",
                        "x",
                        200,
                        1000,
                        9,
                        0,
                        BenchSettings.Command.JOIN_LEAVE,
                        500,
                        Optional.of(Path.of("f")),
                        "p",
                        settings.runId(),
                        4,
                        2));
        assertThat(settings.openLoop()).isTrue();
        assertThat(settings.room(7)).isEqualTo("p-7");
    }

    @Test
    void runsDoNotCollide() {
        assertThat(settings().roomPrefix())
                .startsWith("bench-")
                .isNotEqualTo(settings().roomPrefix());
        assertThat(settings().runId()).isNotEqualTo(settings().runId());
    }

    @ParameterizedTest
    @CsvSource({
        "--target=here, --target: 'here' is not an address",
        "--rooms=0, '--rooms: expected 1..100000, got 0'",
        "--clients=0, --clients: expected",
        "--seconds=0, --seconds: expected",
        "--warmup=-1, --warmup: expected",
        "--rate=-1, --rate: expected",
        "--connections=0, --connections: expected",
        "--event-loops=2, '--event-loops: expected 1..1, got 2'",
        "--room-prefix=a b, --room-prefix: expected",
        "--rooms=many, 'Invalid value for option ''--rooms'''",
        "--command=dance, 'Invalid value for option ''--command'''",
    })
    void badInputIsRefusedNamingTheOption(String argument, String message) {
        assertThatThrownBy(() -> settings(argument))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining(message)
                .message()
                .doesNotContain("\n");
    }
}
