package dev.roomcell.domain;

import static dev.roomcell.domain.Story.BEN;
import static dev.roomcell.domain.Story.CARA;
import static dev.roomcell.domain.Story.OWNER;
import static dev.roomcell.domain.Story.PROFILE;
import static dev.roomcell.domain.Story.closed;
import static dev.roomcell.domain.Story.created;
import static dev.roomcell.domain.Story.joined;
import static dev.roomcell.domain.Story.seated;
import static dev.roomcell.domain.Story.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.RoomCommand.Kind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** ROOM-2: what each command comes to in each status, for a caller against whom nothing else speaks. */
class LifecycleTableTest {
    /** A status to go to, "unchanged", or the reason of the refusal. */
    private static final DecisionTable COMMANDS = new DecisionTable("""
                               CREATING       ACTIVE       CLOSING      CLOSED
        CREATE_ROOM            ->ACTIVE       ROOM_EXISTS  ROOM_CLOSED  ROOM_CLOSED
        CLOSE_ROOM             ROOM_CREATING  ->CLOSED     ROOM_CLOSED  ROOM_CLOSED
        HEAL_ROOM              ->CLOSED       unchanged    ->CLOSED     unchanged
        UPDATE_ROOM_PROFILE    ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        SET_ROOM_BACKGROUND    ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        JOIN_ROOM              ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        LEAVE_ROOM             ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        SWEEP_STALE            ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        MIC_UP                 ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        MIC_DOWN               ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        CHANGE_MIC_SEAT        ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        CONFIRM_MIC_PUBLISHING ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        SET_MIC_SEAT_LOCK      ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        TIME_OUT_MIC           ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        REPORT_RTC             ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        DOUBT_MIC              ROOM_CREATING  unchanged    ROOM_CLOSED  ROOM_CLOSED
        SET_CHAT_ENABLED       ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        SET_ROOM_ADMIN         ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        MUTE_USER              ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        KICK_USER              ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        UNBAN_USER             ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        SEND_GIFT              ROOM_CREATING  ->ACTIVE     ROOM_CLOSED  ROOM_CLOSED
        LAUNCH_ROCKET          ROOM_CREATING  unchanged    ROOM_CLOSED  ROOM_CLOSED
        """);

    /** Whether a command can lead from one status (left) to another (top). */
    private static final DecisionTable ARROWS = new DecisionTable("""
                   CREATING  ACTIVE  CLOSING  CLOSED
        CREATING   no        yes     no       yes
        ACTIVE     no        yes     no       yes
        CLOSING    no        no      no       yes
        CLOSED     no        no      no       no
        """);

    private static final String EVE = "eve";

    @Test
    void noStatusAndNoCommandIsForgotten() {
        assertThat(COMMANDS.rows()).isEqualTo(DecisionTable.names(Kind.values()));
        assertThat(COMMANDS.columns()).isEqualTo(DecisionTable.names(Status.values()));
        assertThat(COMMANDS.cells()).hasSize(Kind.values().length * Status.values().length);
        assertThat(ARROWS.rows()).isEqualTo(DecisionTable.names(Status.values()));
        assertThat(ARROWS.columns()).isEqualTo(DecisionTable.names(Status.values()));
    }

    static Stream<Arguments> commands() {
        return COMMANDS.cells();
    }

    /** ROOM-1, ROOM-2, ROOM-3, ROOM-5, ROOM-6. */
    @ParameterizedTest(name = "{0}, {1}: {2}")
    @MethodSource("commands")
    void everyCommandHasItsAnswerInEveryStatus(Kind kind, Status status, String expected) {
        Story story = in(status);
        long version = story.state().version();

        ask(story, kind);

        if (expected.startsWith("->")) {
            assertThat(story.decision()).isInstanceOf(Decision.Accepted.class);
            assertThat(story.state().status()).isEqualTo(Status.valueOf(expected.substring(2)));
            assertThat(story.state().version()).isEqualTo(version + 1);
        } else if (expected.equals("unchanged")) {
            assertThat(story.decision()).isInstanceOf(Decision.Unchanged.class);
        } else {
            story.thenRejected(Rejection.Reason.valueOf(expected));
        }
    }

    static Stream<Arguments> arrows() {
        return ARROWS.cells();
    }

    @ParameterizedTest(name = "{0} -> {1}: {2}")
    @MethodSource("arrows")
    void noArrowIsThereThatShouldNotBeAndNoneIsMissing(Status from, Status to, String expected) {
        Set<Status> reached = new TreeSet<>();
        for (Kind kind : Kind.values()) {
            Story story = in(from);
            ask(story, kind);
            if (story.decision() instanceof Decision.Accepted) {
                reached.add(story.state().status());
            }
        }

        assertThat(reached.contains(to)).isEqualTo(expected.equals("yes"));
    }

    /** Ben sits and has not been heard; dora is shut out. */
    private static Story in(Status status) {
        RoomEvent banned = new Moderation.RoomUserKicked("dora", false);
        return switch (status) {
            case CREATING -> Story.given();
            case ACTIVE -> Story.given(created(), joined(BEN, 1), joined(EVE, 2), seated(1, BEN), banned);
            case CLOSING ->
                Story.given(created(), joined(BEN, 1), joined(EVE, 2), seated(1, BEN), banned)
                        .closingBegun();
            case CLOSED -> Story.given(created(), joined(BEN, 1), banned, closed(1));
        };
    }

    private static void ask(Story story, Kind kind) {
        long atMs = kind == Kind.TIME_OUT_MIC ? Story.DEADLINE_MS : Story.atMs(9);
        story.whenAt(atMs, command(kind));
    }

    private static RoomCommand command(Kind kind) {
        return switch (kind) {
            case CREATE_ROOM -> new Lifecycle.CreateRoom(OWNER, PROFILE, 3);
            case CLOSE_ROOM -> new Lifecycle.CloseRoom(OWNER);
            case HEAL_ROOM -> new Lifecycle.HealRoom();
            case UPDATE_ROOM_PROFILE ->
                new Profile.UpdateRoomProfile(OWNER, Optional.of("Coffee"), Optional.empty(), Optional.empty());
            case SET_ROOM_BACKGROUND -> new Profile.SetRoomBackground(OWNER, "https://x/other");
            case JOIN_ROOM -> new Presence.JoinRoom(CARA);
            case LEAVE_ROOM -> new Presence.LeaveRoom(BEN);
            case SWEEP_STALE -> new Presence.SweepStale(List.of(new Presence.Silent(BEN, 2, Story.atMs(2))));
            case MIC_UP -> new MicSeats.MicUp(EVE, 2);
            case MIC_DOWN -> new MicSeats.MicDown(BEN, BEN, "");
            case CHANGE_MIC_SEAT -> new MicSeats.ChangeMicSeat(BEN, 2, "");
            case CONFIRM_MIC_PUBLISHING -> new MicSeats.ConfirmMicPublishing(BEN, session(BEN));
            case SET_MIC_SEAT_LOCK -> new MicSeats.SetMicSeatLock(OWNER, 3, true, false);
            case TIME_OUT_MIC -> new MicSeats.TimeOutMic(session(BEN), Story.DEADLINE_MS);
            case REPORT_RTC -> new RtcReports.ReportRtc(BEN, RtcReports.Fact.AUDIO_STARTED, Story.atMs(9));
            case DOUBT_MIC -> new RtcReports.DoubtMic(session(BEN));
            case SET_CHAT_ENABLED -> new Moderation.SetChatEnabled(OWNER, false);
            case SET_ROOM_ADMIN -> new Moderation.SetRoomAdmin(OWNER, BEN, true);
            case MUTE_USER -> new Moderation.MuteUser(OWNER, BEN, 1_000);
            case KICK_USER -> new Moderation.KickUser(OWNER, BEN);
            case UNBAN_USER -> new Moderation.UnbanUser(OWNER, "dora");
            case SEND_GIFT ->
                new Gifts.SendGift(
                        BEN, "rose", 1, List.of(EVE), new Gifts.Payment(10, 10, 90, 0, false), Rockets.Fuel.NONE);
            case LAUNCH_ROCKET -> new Rockets.LaunchRocket("r1", 1, 1, RocketPlan.NONE);
        };
    }
}
