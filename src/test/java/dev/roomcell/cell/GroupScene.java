package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static dev.roomcell.cell.CellWorld.THIRD_ROOM;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.testkit.PortScript.Commit;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Three rooms of one node, which commit together. */
abstract class GroupScene {
    static final GroupOutcome TRANSIENT = new GroupOutcome.RolledBack(Cause.TRANSIENT, "deadlock");

    static final List<RoomKey> ROOMS = List.of(ROOM, OTHER_ROOM, THIRD_ROOM);

    final CellWorld world = new CellWorld();
    CellNode node = world.node("a");

    /** Of all commits of the node so many are not looked at. */
    int begun;

    void rooms() {
        ROOMS.forEach(node::create);
        begun = node.script.commits().size();
        node.script.forget();
    }

    /** One join in each room, asked for at once. */
    List<Future<Answer>> oneJoinEach() {
        return oneJoinEach("ben");
    }

    List<Future<Answer>> oneJoinEach(String userId) {
        List<Future<Answer>> answers = new ArrayList<>();
        ROOMS.forEach(room -> answers.add(node.send(room, "join-" + userId, Wishes.join(userId))));
        return answers;
    }

    List<Commit> commits() {
        return node.script.commits().subList(begun, node.script.commits().size());
    }

    /** How many rooms each transaction had. */
    Stream<Integer> sizes() {
        return commits().stream().map(commit -> commit.batches().size());
    }
}
