package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.testkit.HeldCall;
import io.vertx.core.Future;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bans, rights and robots in a room that lives: in the order of its versions, and after a load too. */
class KickTest {
    private final CellWorld world = new CellWorld();
    private final CellNode a = world.node("a");

    private Answer kick(CellNode node, String actor, String target, String commandId) {
        return node.ask(ROOM, commandId, new Moderation.KickUser(actor, target));
    }

    /** B64, CMD-7: the old join's answer is history, and lets nobody in. */
    @Test
    void theOldJoinOfWhoWasKickedIsReplayedAndMakesNobodyPresent() {
        a.createWith(ROOM, "ben");
        Answers.assertDone(kick(a, Wishes.OWNER, "ben", "kick"));

        Answers.assertReplayed(a.ask(ROOM, "join-ben", Wishes.join("ben")), world.loggedResult(ROOM, "join-ben"));
        Answers.assertRejected(a.ask(ROOM, "join-ben-again", Wishes.join("ben")), Reason.BANNED);

        assertThat(a.present(ROOM)).isEmpty();
    }

    /** B65: a ban is in the snapshot, and in the log behind it. */
    @Test
    void theNextOwnerKnowsTheBanFromTheSnapshotAndFromTheLog() {
        a.createWith(ROOM, "ben", "cid");
        Answers.assertDone(kick(a, Wishes.OWNER, "ben", "kick-ben"));
        a.outcome(a.shard.drain());
        CellNode b = world.node("b");
        Answers.assertRejected(b.ask(ROOM, "ben-1", Wishes.join("ben")), Reason.BANNED);

        Answers.assertDone(kick(b, Wishes.OWNER, "cid", "kick-cid"));
        b.loop.freeze();
        world.advance(Limits.TTL_MS + 1);
        CellNode c = world.node("c");
        Answers.assertRejected(c.ask(ROOM, "ben-2", Wishes.join("ben")), Reason.BANNED);
        Answers.assertRejected(c.ask(ROOM, "cid-2", Wishes.join("cid")), Reason.BANNED);
    }

    /** B67: one batch, and still each command sees what the one before it did. */
    @Test
    void anAdminWhoIsDemotedBeforeTheKickInTheSameBatchKicksNobody() {
        a.createWith(ROOM, "ben", "xena");
        Answers.assertDone(a.ask(ROOM, "admin", new Moderation.SetRoomAdmin(Wishes.OWNER, "xena", true)));
        HeldCall busy = a.occupy(ROOM);
        Future<Answer> demoted = a.send(ROOM, "demote", new Moderation.SetRoomAdmin(Wishes.OWNER, "xena", false));
        Future<Answer> kick = a.send(ROOM, "kick", new Moderation.KickUser("xena", "ben"));

        busy.letGo();
        world.run();

        Answers.assertDone(demoted);
        Answers.assertRejected(kick, Reason.NEED_ADMIN);
        assertThat(a.present(ROOM)).contains("ben");
    }

    /** B60: whatever the order in which they come, what was committed last is how it is. */
    @Test
    void aLeaveThatOvertakesItsJoinIsRefusedAndLeavesNoGhost() {
        a.create(ROOM);
        HeldCall busy = a.occupy(ROOM);
        Future<Answer> leave = a.send(ROOM, "leave", Wishes.leave("ben"));
        Future<Answer> join = a.send(ROOM, "join", Wishes.join("ben"));

        busy.letGo();
        world.run();

        Answers.assertRejected(leave, Reason.NOT_PRESENT);
        Answers.assertDone(join);
        Answers.assertDone(a.ask(ROOM, "leave-again", Wishes.leave("ben")));
        assertThat(a.present(ROOM)).isEmpty();
    }

    /** B51, MIC-6: two devices of one user. */
    @Test
    void aUserWhoWantsTwoSeatsAtOnceGetsOne() {
        a.createWith(ROOM, "ben");
        HeldCall busy = a.occupy(ROOM);
        Future<Answer> three = a.send(ROOM, "up-3", new MicSeats.MicUp("ben", 3));
        Future<Answer> four = a.send(ROOM, "up-4", new MicSeats.MicUp("ben", 4));

        busy.letGo();
        world.run();

        Answers.assertDone(three);
        Answers.assertRejected(four, Reason.ALREADY_ON_SEAT);
    }

    /** PRES-8: a robot's coming and going is in the log and no fact. */
    @Test
    void aRobotLeavesNoFactInTheOutbox() {
        a.create(ROOM);
        Answers.assertDone(a.ask(ROOM, "robot", new Presence.JoinRoom("r2", Presence.MemberKind.ROBOT)));
        Answers.assertDone(a.ask(ROOM, "robot-leaves", Wishes.leave("r2")));

        assertThat(world.loggedIds(ROOM)).containsExactly("create", "robot", "robot-leaves");
        assertThat(world.database.outbox(ROOM)).hasSize(1);
    }

    /** ROOM-8: what the list shows of the profile is right in the very moment of the answer. */
    @Test
    void aNewTitleIsInTheListWithTheCommit() {
        a.createWith(ROOM, "ben");
        Answers.assertDone(a.ask(
                ROOM,
                "title",
                new Profile.UpdateRoomProfile(
                        Wishes.OWNER, Optional.of("tea at six"), Optional.empty(), Optional.empty())));

        assertThat(world.database.listEntry(ROOM).orElseThrow().title()).isEqualTo("tea at six");
    }
}
