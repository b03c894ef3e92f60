package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.CARA;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.atMs;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.freed;
import static dev.roomcell.domain.Story.given;
import static dev.roomcell.domain.Story.gone;
import static dev.roomcell.domain.Story.joined;
import static dev.roomcell.domain.Story.published;
import static dev.roomcell.domain.Story.robotJoined;
import static dev.roomcell.domain.Story.seated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Moderation.KickUser;
import dev.roomcell.domain.Moderation.MuteUser;
import dev.roomcell.domain.Moderation.RoomAdminChanged;
import dev.roomcell.domain.Moderation.RoomChatEnabledChanged;
import dev.roomcell.domain.Moderation.RoomUserKicked;
import dev.roomcell.domain.Moderation.RoomUserMuted;
import dev.roomcell.domain.Moderation.RoomUserUnbanned;
import dev.roomcell.domain.Moderation.SetChatEnabled;
import dev.roomcell.domain.Moderation.SetRoomAdmin;
import dev.roomcell.domain.Moderation.Speech;
import dev.roomcell.domain.Moderation.UnbanUser;
import dev.roomcell.domain.Presence.JoinRoom;
import dev.roomcell.domain.Rejection.Reason;
import io.vavr.collection.HashMap;
import io.vavr.collection.HashSet;
import io.vavr.collection.LinkedHashMap;
import io.vavr.collection.Map;
import io.vavr.collection.Set;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModerationTest {
    private static final Speech ALLOWED = new Speech(Optional.empty(), 0);

    private static Speech silenced(Reason reason) {
        return new Speech(Optional.of(reason), 0);
    }

    /** PRES-5: seat, presence and ban, in one version. */
    @Test
    void aKickFreesTheSeatEndsThePresenceAndShutsOutInOneVersion() {
        Story story = given(created(3), joined(BEN, 1), joined(CARA, 2), seated(2, BEN), published(2, BEN))
                .when(new KickUser(OWNER, BEN))
                .then(
                        new Moderation.Kicked(6, 1),
                        freed(2, MicSeats.Status.PUBLISHING, BEN, MicSeats.Cause.USER_KICKED),
                        gone(BEN, Presence.LeaveCause.KICKED, atMs(2), 1),
                        new RoomUserKicked(BEN, true));

        assertThat(story.state().member(BEN)).isEmpty();
        assertThat(story.state().houseRules().banned()).containsExactly(BEN);
    }

    /** PRES-5, B64. */
    @Test
    void whoWasKickedComesBackOnlyAfterUnban() {
        given(created(), joined(BEN, 1))
                .when(new KickUser(OWNER, BEN))
                .when(new JoinRoom(BEN))
                .thenRejected(Reason.BANNED, "user_id", BEN)
                .when(new UnbanUser(OWNER, BEN))
                .then(new Moderation.Unbanned(4), new RoomUserUnbanned(BEN))
                .when(new JoinRoom(BEN))
                .then(new Presence.Joined(5, atMs(5), 1), joined(BEN, 1));
    }

    @Test
    void whoIsNotThereIsShutOutAllTheSame() {
        given(created())
                .when(new KickUser(OWNER, BEN))
                .then(new Moderation.Kicked(2, 0), new RoomUserKicked(BEN, false))
                .when(new KickUser(OWNER, BEN))
                .thenUnchanged(new Moderation.Kicked(2, 0), Optional.empty())
                .when(new JoinRoom(BEN))
                .thenRejected(Reason.BANNED, "user_id", BEN);
    }

    /** B66: whatever they try, and before any other reason. */
    @Test
    void whoIsShutOutDoesNothingInTheRoom() {
        for (RoomCommand command : List.of(
                new JoinRoom(BEN),
                new Presence.LeaveRoom(BEN),
                new MicSeats.MicUp(BEN, 1),
                new MicSeats.MicDown(BEN, BEN, ""),
                new MicSeats.ChangeMicSeat(BEN, 2, ""),
                new MicSeats.ConfirmMicPublishing(BEN, "mic-1"),
                new MicSeats.SetMicSeatLock(BEN, 1, true, false),
                new SetChatEnabled(BEN, false),
                new MuteUser(BEN, CARA, 1_000),
                new KickUser(BEN, CARA),
                new UnbanUser(BEN, BEN),
                new SetRoomAdmin(BEN, BEN, true),
                new Profile.SetRoomBackground(BEN, "https://x"),
                new Lifecycle.CloseRoom(BEN))) {
            given(created(), joined(CARA, 1), new RoomUserKicked(BEN, false))
                    .when(command)
                    .thenRejected(Reason.BANNED, "user_id", BEN);
        }
    }

    /** B62: who leaves keeps what they are. */
    @Test
    void theOwnerWhoLeavesIsStillTheOwner() {
        given(created(), joined(OWNER, 1), joined(BEN, 2))
                .when(new Presence.LeaveRoom(OWNER))
                .when(new KickUser(OWNER, BEN))
                .then(
                        new Moderation.Kicked(5, 0),
                        gone(BEN, Presence.LeaveCause.KICKED, atMs(3), 0),
                        new RoomUserKicked(BEN, true));
    }

    @Test
    void anAdminWhoIsKickedIsNoneAnyMore() {
        Story story = given(created(), joined(BEN, 1), new RoomAdminChanged(BEN, true))
                .when(new KickUser(OWNER, BEN))
                .then(
                        new Moderation.Kicked(4, 0),
                        gone(BEN, Presence.LeaveCause.KICKED, atMs(2), 0),
                        new RoomAdminChanged(BEN, false),
                        new RoomUserKicked(BEN, true));
        story.when(new UnbanUser(OWNER, BEN));

        assertThat(Rights.roleOf(story.state(), BEN)).isEqualTo(Rights.Role.AUDIENCE);
    }

    @Test
    void whoIsShutOutIsNotMadeAdmin() {
        given(created(), new RoomUserKicked(BEN, false))
                .when(new SetRoomAdmin(OWNER, BEN, true))
                .thenRejected(Reason.BANNED, "user_id", BEN)
                .when(new SetRoomAdmin(OWNER, BEN, false))
                .thenUnchanged(new Moderation.AdminSet(2, false), Optional.empty());
    }

    @Test
    void adminsAreMadeAndUnmade() {
        given(created())
                .when(new SetRoomAdmin(OWNER, BEN, true))
                .then(new Moderation.AdminSet(2, true), new RoomAdminChanged(BEN, true))
                .when(new SetRoomAdmin(OWNER, BEN, true))
                .thenUnchanged(new Moderation.AdminSet(2, true), Optional.empty())
                .when(new SetRoomAdmin(OWNER, BEN, false))
                .then(new Moderation.AdminSet(3, false), new RoomAdminChanged(BEN, false));
    }

    @Test
    void aRobotCanBePutOutAndIsInNoCount() {
        given(created(), joined(BEN, 1), robotJoined("r2", 1))
                .when(new KickUser(OWNER, "r2"))
                .then(
                        new Moderation.Kicked(4, 1),
                        new Presence.RoomUserLeft(
                                "r2", Presence.MemberKind.ROBOT, Presence.LeaveCause.KICKED, atMs(3), 1),
                        new RoomUserKicked("r2", true));
    }

    @Test
    void aMuteLastsUntilItsTimeAndIsOverByItself() {
        Story story = given(created(), joined(BEN, 1))
                .when(new MuteUser(OWNER, BEN, 1_000))
                .then(new Moderation.Muted(3, atMs(4)), new RoomUserMuted(BEN, atMs(4)));

        assertThat(Moderation.speech(story.state(), BEN, atMs(4) - 1))
                .isEqualTo(new Speech(Optional.of(Reason.MUTED), atMs(4)));
        assertThat(Moderation.speech(story.state(), BEN, atMs(4))).isEqualTo(ALLOWED);
    }

    @Test
    void aMuteCanBeSetAnewAndEnded() {
        Story story = given(created(), joined(BEN, 1))
                .when(new MuteUser(OWNER, BEN, 60_000))
                .when(new MuteUser(OWNER, BEN, 30_000))
                .then(new Moderation.Muted(4, atMs(34)), new RoomUserMuted(BEN, atMs(34)))
                .when(new MuteUser(OWNER, BEN, 0))
                .then(new Moderation.Muted(5, 0), new RoomUserMuted(BEN, 0));

        assertThat(Moderation.speech(story.state(), BEN, atMs(5))).isEqualTo(ALLOWED);
    }

    @Test
    void theEndOfAMuteThatIsNotThereChangesNothing() {
        given(created(), joined(BEN, 1))
                .when(new MuteUser(OWNER, BEN, 0))
                .thenUnchanged(new Moderation.Muted(2, 0), Optional.empty())
                .when(new MuteUser(OWNER, BEN, 1_000))
                .whenAt(atMs(4), new MuteUser(OWNER, BEN, 0))
                .thenUnchanged(new Moderation.Muted(3, 0), Optional.empty());
    }

    /** By the order of checks: ban, presence, mute, chat. */
    @Test
    void whoMayNotSpeakIsToldTheFirstReason() {
        RoomState room = given(
                        created(),
                        joined(BEN, 1),
                        joined(OWNER, 2),
                        joined("xenia", 3),
                        new RoomAdminChanged("xenia", true),
                        new RoomChatEnabledChanged(false),
                        new RoomUserMuted(BEN, atMs(99)),
                        new RoomUserMuted(CARA, atMs(99)),
                        new RoomUserMuted("dora", atMs(99)),
                        joined("adam", 4),
                        new RoomUserKicked("dora", false))
                .state();

        assertThat(Moderation.speech(room, "dora", atMs(20))).isEqualTo(silenced(Reason.BANNED));
        assertThat(Moderation.speech(room, CARA, atMs(20))).isEqualTo(silenced(Reason.NOT_PRESENT));
        assertThat(Moderation.speech(room, BEN, atMs(20))).isEqualTo(new Speech(Optional.of(Reason.MUTED), atMs(99)));
        assertThat(Moderation.speech(room, "adam", atMs(20))).isEqualTo(silenced(Reason.CHAT_DISABLED));
        assertThat(Moderation.speech(room, OWNER, atMs(20))).isEqualTo(ALLOWED);
        assertThat(Moderation.speech(room, "xenia", atMs(20))).isEqualTo(ALLOWED);
    }

    @Test
    void chatIsSwitchedOffAndOn() {
        given(created(), joined(BEN, 1))
                .when(new SetChatEnabled(OWNER, true))
                .thenUnchanged(new Moderation.ChatSwitched(2, true), Optional.empty())
                .when(new SetChatEnabled(OWNER, false))
                .then(new Moderation.ChatSwitched(3, false), new RoomChatEnabledChanged(false))
                .when(new SetChatEnabled(OWNER, true))
                .then(new Moderation.ChatSwitched(4, true), new RoomChatEnabledChanged(true));
    }

    @Test
    void eachListHasItsLimitAndSaysSo() {
        assertFull(
                rules(users(Moderation.MAX_ADMINS), HashSet.empty(), HashMap.empty()),
                new SetRoomAdmin(OWNER, BEN, true),
                Moderation.MAX_ADMINS);
        assertFull(
                rules(HashSet.empty(), users(Moderation.MAX_BANNED), HashMap.empty()),
                new KickUser(OWNER, BEN),
                Moderation.MAX_BANNED);
        assertFull(
                rules(HashSet.empty(), HashSet.empty(), muted(Moderation.MAX_MUTED, atMs(99))),
                new MuteUser(OWNER, BEN, 1_000),
                Moderation.MAX_MUTED);
    }

    /** Mutes that are past make room for new ones. */
    @Test
    void mutesThatAreOverAreForgottenWhenTheListIsFull() {
        RoomState full = rules(HashSet.empty(), HashSet.empty(), muted(Moderation.MAX_MUTED, atMs(1)));
        Stamp stamp = new Stamp(full.version() + 1, atMs(2));

        Decision decision = RoomDecider.decide(full, new MuteUser(OWNER, BEN, 1_000), stamp, RoomPolicy.STANDARD);

        assertThat(decision).isInstanceOf(Decision.Accepted.class);
        RoomState after = RoomDecider.evolve(full, ((Decision.Accepted) decision).events(), stamp);
        assertThat(after.houseRules().mutedUntilMs()).isEqualTo(HashMap.of(BEN, atMs(3)));
    }

    private static void assertFull(RoomState full, RoomCommand oneMore, int limit) {
        Stamp stamp = new Stamp(full.version() + 1, atMs(2));
        assertThat(RoomDecider.decide(full, oneMore, stamp, RoomPolicy.STANDARD))
                .isInstanceOfSatisfying(Decision.Rejected.class, no -> {
                    assertThat(no.rejection().reason()).isEqualTo(Reason.LIMIT_REACHED);
                    assertThat(no.rejection().details()).isEqualTo(LinkedHashMap.of("limit", Integer.toString(limit)));
                });
    }

    private static RoomState rules(Set<String> admins, Set<String> banned, Map<String, Long> muted) {
        return given(created()).state().withHouseRules(new HouseRules(true, admins, banned, muted));
    }

    private static Set<String> users(int count) {
        return HashSet.rangeClosed(1, count).map(i -> "user-" + i);
    }

    private static Map<String, Long> muted(int count, long untilMs) {
        return users(count).toMap(user -> user, user -> untilMs);
    }
}
