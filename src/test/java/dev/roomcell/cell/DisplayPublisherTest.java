package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.OTHER_ROOM;
import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Presence.MemberKind;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.DisplayMeter.Fate;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What robots show: through a node's shard, and the publisher by itself with small limits. */
class DisplayPublisherTest {
    private static final String ROBOT = "robot-1";
    private static final int IN_A_SECOND = 3;
    private static final int WAITING = 5;
    private static final int SENDS = 2;

    private final CellWorld world = new CellWorld();
    private final CellNode node =
            world.node("a", Limits.usual().displaysOfARoom(IN_A_SECOND).settings());
    private final Displays displays = node.displays;
    private final DisplayPublisher small = new DisplayPublisher(
            node.loop, node.clock, displays.ports(), new DisplayPublisher.Limits(IN_A_SECOND, WAITING, SENDS));

    @BeforeEach
    void aRoomWithARobotAndAUser() {
        makeRoom(ROOM);
        Answers.assertDone(node.ask(ROOM, "join-ben", Wishes.join("ben")));
    }

    private void makeRoom(RoomKey key) {
        node.create(key);
        Answers.assertDone(node.ask(key, "join-robot", new Presence.JoinRoom(ROBOT, MemberKind.ROBOT)));
    }

    private static DisplayRequest display(RoomKey key, String type) {
        return new DisplayRequest(key, ROBOT, type, "");
    }

    private ReadAnswer show(RoomKey key, String type) {
        return node.outcome(node.shard.display(display(key, type)));
    }

    /** By the publisher with small limits. */
    private ReadAnswer showSmall(RoomKey key, String type) {
        ReadAnswer room = node.read(key);
        List<ReadAnswer> answer = new ArrayList<>();
        node.loop.execute(() -> answer.add(small.publish(display(key, type), room)));
        world.run();
        return answer.get(0);
    }

    private static void assertTaken(ReadAnswer answer) {
        assertThat(answer).isInstanceOf(ReadAnswer.Found.class);
    }

    @Test
    @Tag("LANE-5")
    void aDisplayIsShownAndTheRoomDoesNotKnowOfIt() {
        int versions = world.log(ROOM).size();
        int facts = world.database.outbox(ROOM).size();
        int messages = node.groups.got().size();

        ReadAnswer answer = node.outcome(node.shard.display(new DisplayRequest(ROOM, ROBOT, "dance", "{\"s\":1}")));

        assertTaken(answer);
        assertThat(displays.got()).singleElement().satisfies(shown -> {
            assertThat(shown.key()).isEqualTo(ROOM);
            assertThat(shown.version()).isEqualTo(versions);
            assertThat(shown.robotUserId()).isEqualTo(ROBOT);
            assertThat(shown.type()).isEqualTo("dance");
            assertThat(shown.payloadJson()).isEqualTo("{\"s\":1}");
            assertThat(shown.atMs()).isEqualTo(world.nowMs());
        });
        assertThat(displays.fates()).isEqualTo(Map.of(Fate.SENT, 1));
        assertThat(world.log(ROOM)).hasSize(versions);
        assertThat(world.database.outbox(ROOM)).hasSize(facts);
        assertThat(node.groups.got()).hasSize(messages);
        assertThat(node.room(ROOM).version()).isEqualTo(versions);
    }

    @Test
    @Tag("PRES-8")
    void onlyARobotThatIsInTheRoomShowsAnything() {
        for (String actor : List.of("ben", "nobody")) {
            Answers.assertRejected(
                    node.outcome(node.shard.display(new DisplayRequest(ROOM, actor, "dance", ""))), Reason.NOT_PRESENT);
        }
        Answers.assertDone(node.ask(ROOM, "leave-robot", Wishes.leave(ROBOT)));
        Answers.assertRejected(show(ROOM, "dance"), Reason.NOT_PRESENT);
        assertThat(displays.got()).isEmpty();
        assertThat(displays.fates()).isEmpty();
    }

    @Test
    void aRoomThatIsClosedOrWasNeverMadeShowsNothing() {
        Answers.assertRejected(show(OTHER_ROOM, "dance"), Reason.ROOM_NOT_FOUND);
        Answers.assertDone(node.ask(ROOM, "close", Wishes.close()));
        Answers.assertRejected(show(ROOM, "dance"), Reason.ROOM_CLOSED);
        assertThat(displays.got()).isEmpty();
    }

    @Test
    void aRoomShowsSoManyInAnySecondAndOthersShowTheirs() {
        makeRoom(OTHER_ROOM);
        assertTaken(show(ROOM, "1"));
        world.advance(400);
        assertTaken(show(ROOM, "2"));
        assertTaken(show(ROOM, "3"));
        world.advance(599);
        Answers.assertRefused(show(ROOM, "4"), Answer.Refusal.OVERLOADED);
        assertTaken(show(OTHER_ROOM, "other"));
        world.advance(1);
        assertTaken(show(ROOM, "5"));
        Answers.assertRefused(show(ROOM, "6"), Answer.Refusal.OVERLOADED);

        assertThat(displays.types()).containsExactly("1", "2", "3", "other", "5");
        assertThat(displays.fates()).isEqualTo(Map.of(Fate.SENT, 5, Fate.TOO_MANY_IN_ROOM, 2));
    }

    @Test
    @Tag("LANE-5")
    void noCommandAndNoMessageWaitsForADisplay() {
        displays.hold();
        assertTaken(show(ROOM, "stuck"));
        assertTaken(show(ROOM, "waits"));
        int messages = node.groups.got().size();

        Answers.assertDone(node.ask(ROOM, "join-cid", Wishes.join("cid")));

        assertThat(node.groups.got()).hasSize(messages + 1);
        assertThat(displays.types()).containsExactly("stuck");
    }

    @Test
    void aRoomHasOneDisplayOnItsWayAndTheNextFollowsInOrder() {
        displays.hold();
        for (String type : List.of("1", "2", "3")) {
            assertTaken(showSmall(ROOM, type));
        }
        assertThat(displays.types()).containsExactly("1");
        displays.letGo();
        world.run();
        assertThat(displays.types()).containsExactly("1", "2", "3");
    }

    @Test
    void soManyAreOnTheirWayAndSoManyWaitAndTheNextCallerIsRefused() {
        displays.hold();
        List<RoomKey> rooms = new ArrayList<>();
        for (int i = 0; i < SENDS + WAITING + 1; i++) {
            rooms.add(new RoomKey("lala", "robots-" + i));
            makeRoom(rooms.get(i));
        }
        rooms.subList(0, SENDS + WAITING).forEach(key -> assertTaken(showSmall(key, key.roomId())));
        Answers.assertRefused(showSmall(rooms.get(SENDS + WAITING), "too many"), Answer.Refusal.OVERLOADED);
        assertThat(displays.got()).hasSize(SENDS);

        displays.letGo();
        world.run();
        assertThat(displays.fates()).isEqualTo(Map.of(Fate.SENT, SENDS + WAITING, Fate.QUEUE_FULL, 1));
        assertTaken(showSmall(rooms.get(SENDS + WAITING), "again"));
        assertThat(displays.types()).endsWith("again");
    }

    @Test
    void whatFailsIsCountedAndNotTriedAgain() {
        displays.answer(display -> {
            if (display.type().equals("thrown")) {
                throw new IllegalStateException("a bug");
            }
            return Future.failedFuture(new IllegalStateException("no such group"));
        });
        assertTaken(show(ROOM, "failed"));
        assertTaken(show(ROOM, "thrown"));
        world.advance(60_000);
        assertThat(displays.types()).containsExactly("failed", "thrown");
        assertThat(displays.fates()).isEqualTo(Map.of(Fate.FAILED, 2));
    }

    @Test
    void whatHasNoAnswerIsGivenUpAndTheNextOneGoes() {
        displays.hold();
        assertTaken(show(ROOM, "1"));
        assertTaken(show(ROOM, "2"));
        world.advance(DisplayPublisher.SHOW_MS - 1);
        assertThat(displays.types()).containsExactly("1");
        world.advance(1);
        assertThat(displays.types()).containsExactly("1", "2");
        assertThat(displays.fates()).isEqualTo(Map.of(Fate.FAILED, 1));

        displays.letGo();
        world.run();
        assertThat(displays.fates())
                .as("the late answer counts no second time")
                .isEqualTo(Map.of(Fate.FAILED, 1, Fate.SENT, 1));
    }

    @Test
    void whatHasWaitedTooLongIsNotShown() {
        displays.hold();
        for (String type : List.of("1", "2", "3")) {
            assertTaken(show(ROOM, type));
        }
        world.advance(1_000);
        assertTaken(show(ROOM, "4"));
        // Three are tried, for as long as one may take; by then the fourth is too old.
        world.advance(3 * DisplayPublisher.SHOW_MS);
        assertThat(displays.types()).containsExactly("1", "2", "3");
        assertThat(displays.fates()).isEqualTo(Map.of(Fate.FAILED, 3, Fate.TOO_OLD, 1));
    }

    @Test
    void withoutAProviderTheCallerIsAnsweredAndTheDisplayCounted() {
        displays.disconnect();
        for (int i = 0; i < 2 * IN_A_SECOND; i++) {
            assertTaken(show(ROOM, "dance"));
        }
        assertThat(displays.got()).isEmpty();
        assertThat(displays.fates()).isEqualTo(Map.of(Fate.NOT_CONNECTED, 2 * IN_A_SECOND));
    }

    @Test
    void aNodeThatShutsDownDropsWhatWaits() {
        displays.hold();
        for (String type : List.of("1", "2", "3")) {
            assertTaken(show(ROOM, type));
        }
        Future<Void> over = node.shard.shutDown();
        world.advance(DisplayPublisher.SHOW_MS - 1);
        assertThat(over.succeeded()).isTrue();
        displays.letGo();
        world.run();
        assertThat(displays.types()).containsExactly("1");
        assertThat(displays.fates()).isEqualTo(Map.of(Fate.SENT, 1, Fate.SHUTDOWN, 2));
    }
}
