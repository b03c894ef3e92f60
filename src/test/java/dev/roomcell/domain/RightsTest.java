package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.CARA;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.joined;
import static dev.roomcell.domain.Story.seated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Rejection.Reason;
import dev.roomcell.domain.Rights.Action;
import dev.roomcell.domain.Rights.Role;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may do what, and to whom. */
class RightsTest {
    /** Admins, present and seated; the owner sits too. */
    private static final String XENIA = "xenia";

    private static final String YANN = "yann";

    /** What is done to somebody of the audience. */
    private static final DecisionTable ACTIONS = new DecisionTable("""
                       OWNER  ADMIN       AUDIENCE
        CLOSE_ROOM     yes    NEED_OWNER  NEED_OWNER
        APPOINT_ADMIN  yes    NEED_OWNER  NEED_OWNER
        EDIT_PROFILE   yes    yes         NEED_ADMIN
        SWITCH_CHAT    yes    yes         NEED_ADMIN
        MUTE           yes    yes         NEED_ADMIN
        KICK           yes    yes         NEED_ADMIN
        UNBAN          yes    yes         NEED_ADMIN
        TAKE_DOWN      yes    yes         NEED_ADMIN
        LOCK_SEAT      yes    yes         NEED_ADMIN
        """);

    /** Whoever acts (left) on whom (top): the same for everything that is done to somebody. */
    private static final DecisionTable TARGETS = new DecisionTable("""
                  OWNER             ADMIN             AUDIENCE    SELF
        OWNER     TARGET_PROTECTED  yes               yes         TARGET_PROTECTED
        ADMIN     TARGET_PROTECTED  TARGET_PROTECTED  yes         TARGET_PROTECTED
        AUDIENCE  NEED_ADMIN        NEED_ADMIN        NEED_ADMIN  NEED_ADMIN
        """);

    @Test
    void noActionAndNoRoleIsForgotten() {
        assertThat(ACTIONS.rows()).isEqualTo(DecisionTable.names(Action.values()));
        assertThat(ACTIONS.columns()).isEqualTo(DecisionTable.names(Role.values()));
        assertThat(TARGETS.rows()).isEqualTo(DecisionTable.names(Role.values()));
        assertThat(TARGETS.cells()).hasSize(Role.values().length * (Role.values().length + 1));
    }

    static Stream<Arguments> actions() {
        return ACTIONS.cells();
    }

    @ParameterizedTest(name = "{0} by {1}: {2}")
    @MethodSource("actions")
    void everyActionHasItsRoles(Action action, Role role, String expected) {
        assertOutcome(room().when(command(action, actor(role), CARA)), expected);
    }

    static Stream<Arguments> targets() {
        return TARGETS.cells();
    }

    /** B62, B68: nobody to the owner, admins not to admins, nobody to themselves. */
    @ParameterizedTest(name = "{0} to {1}: {2}")
    @MethodSource("targets")
    void whoStandsAboveIsProtected(Role role, String target, String expected) {
        String actor = actor(role);
        for (Action action : new Action[] {Action.MUTE, Action.KICK}) {
            assertOutcome(room().when(command(action, actor, target(target, actor))), expected);
        }
        if (!target(target, actor).equals(actor)) {
            assertOutcome(room().when(command(Action.TAKE_DOWN, actor, target(target, actor))), expected);
            assertOutcome(room().when(forcedLock(actor, target(target, actor))), expected);
        }
    }

    /** Nobody is protected from themselves where it is only a seat. */
    @Test
    void everybodyMayTakeThemselvesDownAndWhoMayLockMayLockTheirOwnSeat() {
        for (String user : new String[] {OWNER, XENIA, BEN}) {
            assertOutcome(room().when(new MicSeats.MicDown(user, user, "")), "yes");
        }
        assertOutcome(room().when(forcedLock(OWNER, OWNER)), "yes");
        assertOutcome(room().when(forcedLock(XENIA, XENIA)), "yes");
    }

    @Test
    void theOwnerCannotBeMadeAdmin() {
        assertOutcome(room().when(new Moderation.SetRoomAdmin(OWNER, OWNER, true)), "TARGET_PROTECTED");
    }

    /** B69: what no snapshot and no event says is not granted. */
    @Test
    void nobodyIsAdminWhomNobodyAppointed() {
        RoomState room = Story.given(created(), joined(BEN, 1)).state();

        assertThat(Rights.roleOf(room, OWNER)).isEqualTo(Role.OWNER);
        assertThat(Rights.roleOf(room, BEN)).isEqualTo(Role.AUDIENCE);
        assertThat(Rights.roleOf(room, "")).isEqualTo(Role.AUDIENCE);
    }

    /** B67: the right is looked up in the very version that the command changes. */
    @Test
    void whoWasDemotedAVersionAgoKicksNobody() {
        room().when(new Moderation.KickUser(XENIA, BEN))
                .when(new Moderation.SetRoomAdmin(OWNER, XENIA, false))
                .when(new Moderation.KickUser(XENIA, CARA))
                .thenRejected(Reason.NEED_ADMIN);
    }

    /** B68. */
    @Test
    void twoAdminsCannotPutEachOtherOut() {
        room().when(new Moderation.KickUser(XENIA, YANN))
                .thenRejected(Reason.TARGET_PROTECTED, "user_id", YANN)
                .when(new Moderation.KickUser(YANN, XENIA))
                .thenRejected(Reason.TARGET_PROTECTED, "user_id", XENIA);
    }

    private static Story room() {
        return Story.given(
                created(9),
                joined(OWNER, 1),
                joined(XENIA, 2),
                joined(YANN, 3),
                joined(BEN, 4),
                joined(CARA, 5),
                new Moderation.RoomAdminChanged(XENIA, true),
                new Moderation.RoomAdminChanged(YANN, true),
                seated(1, OWNER),
                seated(2, XENIA),
                seated(3, YANN),
                seated(4, BEN),
                seated(5, CARA),
                new Moderation.RoomUserKicked("dora", false));
    }

    private static String actor(Role role) {
        return switch (role) {
            case OWNER -> OWNER;
            case ADMIN -> XENIA;
            case AUDIENCE -> BEN;
        };
    }

    private static String target(String target, String actor) {
        if (target.equals("SELF")) {
            return actor;
        }
        return switch (Role.valueOf(target)) {
            case OWNER -> OWNER;
            case ADMIN -> YANN;
            case AUDIENCE -> CARA;
        };
    }

    private static RoomCommand command(Action action, String actor, String target) {
        return switch (action) {
            case CLOSE_ROOM -> new Lifecycle.CloseRoom(actor);
            case APPOINT_ADMIN -> new Moderation.SetRoomAdmin(actor, target, true);
            case EDIT_PROFILE ->
                new Profile.UpdateRoomProfile(actor, Optional.of("Coffee"), Optional.empty(), Optional.empty());
            case SWITCH_CHAT -> new Moderation.SetChatEnabled(actor, false);
            case MUTE -> new Moderation.MuteUser(actor, target, 1_000);
            case KICK -> new Moderation.KickUser(actor, target);
            case UNBAN -> new Moderation.UnbanUser(actor, "dora");
            case TAKE_DOWN -> new MicSeats.MicDown(actor, target, "");
            case LOCK_SEAT -> new MicSeats.SetMicSeatLock(actor, 9, true, false);
        };
    }

    private static RoomCommand forcedLock(String actor, String occupant) {
        int seatNo = MicSeats.seatOf(room().state(), occupant).orElseThrow().seatNo();
        return new MicSeats.SetMicSeatLock(actor, seatNo, true, true);
    }

    private static void assertOutcome(Story story, String expected) {
        if (expected.equals("yes")) {
            assertThat(story.decision()).isInstanceOf(Decision.Accepted.class);
        } else {
            story.thenRejected(Reason.valueOf(expected));
        }
    }
}
