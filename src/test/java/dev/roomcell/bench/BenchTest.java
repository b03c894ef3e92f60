package dev.roomcell.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchTest {
    private final Vertx vertx = Vertx.vertx();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder = Path.of("");

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    private CountingNode node(Predicate<String> refused) {
        return await(CountingNode.start(vertx, refused));
    }

    private int run(String target, String more) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(("--target " + target + " --seconds 1 --warmup 0 --json " + more)
                        .trim()
                        .split(" "));
    }

    private JsonObject json() {
        List<String> lines = out.toString().lines().toList();
        return new JsonObject(lines.get(lines.size() - 1));
    }

    @Test
    void everyAcknowledgedCommandIsCountedAndNoted() throws IOException {
        CountingNode node = node(user -> false);
        Path acks = folder.resolve("acks");

        assertThat(run(node.address(), "--rooms 3 --clients 8 --connections 3 --event-loops 2 --acks " + acks))
                .isZero();
        assertThat(Files.readAllLines(acks)).containsExactlyInAnyOrderElementsOf(node.acknowledged);
        assertThat(json().getLong("succeeded")).isEqualTo(node.acknowledged.size() - 3);
        assertThat(json().getLong("errors")).isZero();
        assertThat(node.outOfTurn).isEmpty();
    }

    @Test
    void theOpenLoopSendsAtItsRate() {
        CountingNode node = node(user -> false);

        assertThat(run(node.address(), "--rooms 2 --clients 200 --connections 2 --rate 250"))
                .isZero();
        assertThat(json().getLong("succeeded")).isEqualTo(250);
        assertThat(node.acknowledged).hasSize(250 + 2);
    }

    @Test
    void whatTheOpenLoopCannotSendIsAnError() {
        CountingNode node = node(user -> !user.equals("bench-owner"));

        assertThat(run(node.address(), "--clients 1 --rate 1000 --tolerate-errors"))
                .isEqualTo(1);
        JsonObject reasons = json().getJsonObject("errors_by_reason");
        assertThat(reasons.getLong("IN_FLIGHT_LIMIT")).isPositive();
        assertThat(reasons.getLong("PERMISSION_DENIED")).isPositive();
        assertThat(json().getLong("errors")).isEqualTo(1_000);
    }

    @Test
    void aClientGoesOnAsAnotherUserAfterAFailure() {
        CountingNode node = node(user -> user.endsWith("-1"));

        assertThat(run(node.address(), "--clients 2")).isEqualTo(1);
        assertThat(json().getJsonObject("errors_by_reason")).isEqualTo(new JsonObject().put("PERMISSION_DENIED", 1));
        assertThat(node.outOfTurn).isEmpty();
    }

    @Test
    void aServiceThatMakesNoRoomIsOneClearLine() {
        CountingNode node = node(user -> true);

        assertThat(run(node.address(), "")).isEqualTo(1);
        assertThat(err.toString().lines()).singleElement().asString().startsWith("bench: PERMISSION_DENIED");
    }
}
