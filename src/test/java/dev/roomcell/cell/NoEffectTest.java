package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.sim.Call;
import dev.roomcell.testkit.PortScript;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CMD-8: these refusals promise that nothing happened; the same id sent again runs, once. */
class NoEffectTest {
    private final CellWorld world = new CellWorld();
    private final CellNode node = world.node("a");

    /** What stands in the way of one command, and what its caller is told. */
    private record Obstacle(Refusal refusal, String what, Consumer<NoEffectTest> arrange) {
        @Override
        public String toString() {
            return refusal + " as " + what;
        }
    }

    static Stream<Obstacle> obstacles() {
        return Stream.of(
                new Obstacle(Refusal.LEASE_LOST, "the lease is gone", test -> test.world.redis.delete(ROOM.routeKey())),
                new Obstacle(
                        Refusal.FENCED,
                        "somebody minted",
                        test -> test.world.database.mint(ROOM, "b", "token-of-b", OptionalLong.empty())),
                new Obstacle(
                        Refusal.STORE_UNAVAILABLE,
                        "the database is away",
                        test -> test.node.script.next(
                                Call.COMMIT,
                                PortScript.answered(new GroupOutcome.RolledBack(Cause.UNAVAILABLE, "no connection")))),
                new Obstacle(
                        Refusal.STORE_UNAVAILABLE,
                        "Redis is away",
                        test -> test.node.script.next(Call.VERIFY, PortScript.failed())),
                new Obstacle(
                        Refusal.STORE_UNAVAILABLE,
                        "a commit was lost",
                        test -> test.node.script.next(Call.COMMIT, PortScript.answered(PortScript.UNKNOWN))));
    }

    /** CMD-8. */
    @ParameterizedTest
    @MethodSource("obstacles")
    void theSameIdSentAgainRunsOnce(Obstacle obstacle) {
        node.create(ROOM);
        obstacle.arrange.accept(this);

        Answers.assertRefused(node.ask(ROOM, "join-ben", Wishes.join("ben")), obstacle.refusal);
        assertThat(world.loggedIds(ROOM)).containsExactly("create");

        byte[] joined = Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
        Answers.assertReplayed(node.ask(ROOM, "join-ben", Wishes.join("ben")), joined);
        assertThat(world.loggedIds(ROOM)).containsExactly("create", "join-ben");
    }
}
