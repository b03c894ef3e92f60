package dev.roomcell.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roomcell.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell between us and a server, with a shell script in the server's place. */
final class ServerProcessTest {
    private static final String READY_UNTIL_TERM = "echo up; while :; do sleep 0.1; done";

    @TempDir
    Path folder;

    @Test
    void runsUntilItIsStopped() {
        ServerProcess server = server(READY_UNTIL_TERM);
        server.start();
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        assertThat(server.isAlive()).isTrue();

        server.stop();
        assertThat(process.isAlive()).isFalse();
        assertThat(server.isAlive()).isFalse();
        assertThatThrownBy(server::pid).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesASecondStart() {
        ServerProcess server = server(READY_UNTIL_TERM);
        server.start();
        try {
            assertThatThrownBy(server::start).hasMessageContaining("runs already");
        } finally {
            server.stop();
        }
    }

    @Test
    void killsAServerThatIgnoresSigterm() {
        ServerProcess server = server("trap '' TERM; " + READY_UNTIL_TERM);
        server.start();
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();

        server.stop();
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void killEndsItAndItCanStartAgain() {
        ServerProcess server = server(READY_UNTIL_TERM);
        server.start();
        long first = server.pid();
        server.kill();
        assertThat(ProcessHandle.of(first).filter(ProcessHandle::isAlive)).isEmpty();

        server.restart();
        assertThat(server.pid()).isNotEqualTo(first);
        server.stop();
    }

    @Test
    void noticesThatTheServerEndedByItself() {
        ServerProcess server = server(READY_UNTIL_TERM);
        server.start();
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        process.destroyForcibly();

        Await.until("the server is not alive", () -> !server.isAlive());
        server.stop();
    }

    @Test
    void failedStartTellsStatusAndEndOfTheLog() {
        ServerProcess server = server("echo no space left on the moon; exit 3");
        assertThatThrownBy(server::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("status 3")
                .hasMessageContaining("no space left on the moon");
        assertThat(server.isAlive()).isFalse();
    }

    @Test
    void anOldReadyLineInTheLogDoesNotCount() {
        ServerProcess first = server(READY_UNTIL_TERM);
        first.start();
        first.stop();
        assertThatThrownBy(server("exit 4")::start).hasMessageContaining("status 4");
    }

    @Test
    void missingProgramFailsTheStart() {
        ServerProcess server = process(List.of(folder.resolve("absent").toString()));
        assertThatThrownBy(server::start).hasMessageContaining("status 127");
    }

    private ServerProcess server(String script) {
        return process(List.of("/bin/sh", "-c", script));
    }

    private ServerProcess process(List<String> command) {
        return new ServerProcess(new ServerProcess.Launch(
                "toy", command, Map.of(), folder, folder.resolve("toy.log"), "up", Duration.ofMillis(300)));
    }
}
