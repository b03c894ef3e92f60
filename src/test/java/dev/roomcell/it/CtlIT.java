package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.ctl.CtlCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.testkit.Await;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What an operator sees on the command line. */
final class CtlIT {
    private record Ended(int exitCode, String out, String err) {}

    private static Ended run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = new CommandLine(new CtlCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Ended(exitCode, out.toString(), err.toString());
    }

    /** LEASE-10. */
    @Test
    void aNodeIsLookedAtDrainedAndTakenBack() {
        Vertx vertx = Vertx.vertx();
        RoomNode node = Backends.shared().startNode("ctl", Map.of());
        try {
            lookAtDrainAndTakeBack(vertx, node);
        } finally {
            Await.result(node.stop());
            Await.result(vertx.close());
        }
    }

    private static void lookAtDrainAndTakeBack(Vertx vertx, RoomNode node) {
        String target = "--target=127.0.0.1:" + node.grpcPort();
        try (RawConnection connection = RawConnection.open(vertx, node.grpcPort())) {
            connection.call(RoomCalls.CREATE_ROOM, RoomCalls.create(new RoomKey("ctl", "room"), "create"));
        }

        Ended looked = run("node", target);
        assertThat(looked.exitCode()).isZero();
        assertThat(looked.out()).containsPattern("^ctl\\S* at 127\\.0\\.0\\.1:\\d+ SERVING rooms=1 members=\\[");

        Ended drained = run("drain", target, "--wait=60");
        assertThat(drained.exitCode()).as(drained.out()).isZero();
        assertThat(drained.out().lines()).last().asString().contains(" DRAINED rooms=0 since=");

        Ended back = run("undrain", target);
        assertThat(back.exitCode()).isZero();
        assertThat(back.out()).contains(" SERVING rooms=0 ");
    }

    @Test
    void aNodeThatIsNotThereIsOneLineAndAnExitCodeOfItsOwn() {
        Ended ended = run("node", "--target=127.0.0.1:" + NodeProcess.freePort());
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.err().lines()).singleElement().asString().contains("can't be reached");
        assertThat(ended.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nowhere", ":7400", "host:", "host:0", "host:65536", "host:x"})
    void aTargetThatIsNoneIsRefused(String target) {
        Ended ended = run("node", "--target=" + target);
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("--target: HOST:PORT is wanted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "3601"})
    void aWaitBeyondItsRangeIsRefused(String seconds) {
        Ended ended = run("drain", "--wait=" + seconds);
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("--wait: from 0 to 3600 seconds");
    }
}
