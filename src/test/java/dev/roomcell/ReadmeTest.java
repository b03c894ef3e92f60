package dev.roomcell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Decision;
import dev.roomcell.domain.GiftBoard;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.HouseRules;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.MicSession;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.RocketPlan;
import dev.roomcell.domain.Rockets;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomPolicy;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.domain.Stamp;
import io.vavr.collection.HashMap;
import io.vavr.collection.Vector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README says what the code does. */
final class ReadmeTest {
    private static final Pattern ARROW = Pattern.compile("(\\w+) --> (\\w+): (\\w+)");
    private static final Profile PROFILE = new Profile("owner", "t", "", "", "");
    private static final List<RoomCommand> EVERY_COMMAND = List.of(
            new Lifecycle.CreateRoom("owner", PROFILE, 9),
            new Lifecycle.CloseRoom("owner"),
            new Lifecycle.HealRoom(),
            new Profile.UpdateRoomProfile("owner", Optional.of("u"), Optional.empty(), Optional.empty()),
            new Profile.SetRoomBackground("owner", "b"),
            new Presence.JoinRoom("ann"),
            new Presence.LeaveRoom("ann"),
            new Presence.SweepStale(List.of(new Presence.Silent("ann", 1, 1))),
            new MicSeats.MicUp("ann", 1),
            new MicSeats.MicDown("ann", "ann", ""),
            new MicSeats.ChangeMicSeat("ann", 2, ""),
            new MicSeats.ConfirmMicPublishing("ann", "mic-1"),
            new MicSeats.SetMicSeatLock("owner", 1, true, true),
            new MicSeats.TimeOutMic("mic-1", 1),
            report(RtcReports.Fact.AUDIO_STARTED),
            new RtcReports.DoubtMic("mic-1"),
            new Moderation.SetChatEnabled("owner", false),
            new Moderation.SetRoomAdmin("owner", "ann", true),
            new Moderation.MuteUser("owner", "ann", 1),
            new Moderation.KickUser("owner", "ann"),
            new Moderation.UnbanUser("owner", "ann"),
            new Gifts.SendGift(
                    "ann", "rose", 1, List.of("bob"), new Gifts.Payment(1, 1, 0, 0, false), Rockets.Fuel.NONE),
            new Rockets.LaunchRocket("r1", 1, 1, RocketPlan.NONE));

    private static RoomCommand report(RtcReports.Fact fact) {
        return new RtcReports.ReportRtc("ann", fact, 1_000_000);
    }

    private static String readme() throws IOException {
        return Files.readString(Path.of("README.md"));
    }

    @Test
    void draws_exactly_the_arrows_that_a_room_can_go() throws IOException {
        assertThat(EVERY_COMMAND).extracting(RoomCommand::kind).containsExactlyInAnyOrder(RoomCommand.Kind.values());
        TreeSet<String> gone = new TreeSet<>();
        for (Status from : Status.values()) {
            for (RoomCommand command : EVERY_COMMAND) {
                Status to = after(from, command);
                if (to != from) {
                    gone.add(from + " --> " + to + ": " + command.getClass().getSimpleName());
                }
            }
        }
        assertThat(drawn(Status.values())).isEqualTo(gone);
    }

    private static Status after(Status from, RoomCommand command) {
        long version = from == Status.CREATING ? 0 : 1;
        RoomState state = new RoomState(
                new RoomKey("app", "room"),
                version,
                from,
                PROFILE,
                1,
                0,
                HashMap.empty(),
                0,
                Vector.empty(),
                HouseRules.INITIAL,
                GiftBoard.EMPTY,
                Optional.empty());
        Stamp stamp = new Stamp(version + 1, 2);
        return RoomDecider.decide(state, command, stamp, RoomPolicy.STANDARD) instanceof Decision.Accepted accepted
                ? RoomDecider.evolve(state, accepted.events(), stamp).status()
                : from;
    }

    @Test
    void draws_exactly_the_arrows_that_a_seat_can_go() throws IOException {
        TreeSet<String> gone = new TreeSet<>();
        List<RoomCommand> commands = new ArrayList<>(EVERY_COMMAND);
        Stream.of(RtcReports.Fact.values()).map(ReadmeTest::report).forEach(commands::add);
        for (MicSeats.Status from : MicSeats.Status.values()) {
            for (RoomCommand command : commands) {
                // Of its session's stream nothing is known at the deadline, so that it is over.
                MicSeats.Status to = seatAfter(from, command);
                if (to != from) {
                    gone.add(from + " --> " + to + ": " + command.getClass().getSimpleName());
                }
            }
        }
        assertThat(drawn(MicSeats.Status.values())).isEqualTo(gone);
    }

    /** Seat 1, where ann sits if anybody does; bob is on seat 3. */
    private static MicSeats.Status seatAfter(MicSeats.Status from, RoomCommand command) {
        MicSession ann =
                new MicSession("mic-1", "ann", 1, 1, from == MicSeats.Status.PENDING_PUBLISH ? 1 : 0, false, 0);
        Seat seat = new Seat(1, from, from.occupied() ? ann : MicSession.NONE);
        MicSession bob = new MicSession("mic-2", "bob", 1, 1, 0, true, 0);
        RoomState state = new RoomState(
                new RoomKey("app", "room"),
                1,
                Status.ACTIVE,
                PROFILE,
                1,
                0,
                HashMap.of("ann", member("ann"), "bob", member("bob")),
                0,
                Vector.of(
                        seat,
                        new Seat(2, MicSeats.Status.IDLE, MicSession.NONE),
                        new Seat(3, MicSeats.Status.PUBLISHING, bob)),
                HouseRules.INITIAL,
                GiftBoard.EMPTY,
                Optional.empty());
        Stamp stamp = new Stamp(2, 2);
        RoomCommand asked = command instanceof MicSeats.ChangeMicSeat && !from.occupied()
                ? new MicSeats.ChangeMicSeat("bob", 1, "")
                : unlockedIf(from == MicSeats.Status.LOCKED, command);
        return RoomDecider.decide(state, asked, stamp, RoomPolicy.STANDARD) instanceof Decision.Accepted accepted
                ? RoomDecider.evolve(state, accepted.events(), stamp)
                        .seats()
                        .get(0)
                        .status()
                : from;
    }

    private static RoomCommand unlockedIf(boolean locked, RoomCommand command) {
        return locked && command instanceof MicSeats.SetMicSeatLock
                ? new MicSeats.SetMicSeatLock("owner", 1, false, false)
                : command;
    }

    private static Presence.Member member(String userId) {
        return new Presence.Member(userId, Presence.MemberKind.USER, 1, 1, 1);
    }

    private static Set<String> drawn(Enum<?>... states) throws IOException {
        List<String> names = Arrays.stream(states).map(Enum::name).toList();
        TreeSet<String> drawn = new TreeSet<>();
        Matcher arrow = ARROW.matcher(readme());
        while (arrow.find()) {
            if (names.contains(arrow.group(1))) {
                drawn.add(arrow.group());
            }
        }
        return drawn;
    }

    @Test
    void names_every_status_of_a_room_and_of_a_seat() throws IOException {
        String readme = readme();
        assertThat(Arrays.stream(Status.values()).map(Enum::name)).allMatch(readme::contains);
        assertThat(Arrays.stream(MicSeats.Status.values()).map(Enum::name))
                .allMatch(name -> readme.contains("`" + name + "`"));
    }
}
