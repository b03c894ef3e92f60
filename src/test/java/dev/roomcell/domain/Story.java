package dev.roomcell.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.MicSeats.Cause;
import dev.roomcell.domain.MicSeats.RoomMicChanged;
import dev.roomcell.domain.MicSeats.Status;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a room, as given/when/then. Every step keeps the room's invariants and goes to a log in its stored
 * form, and the room replayed from that log must be the room that lived it.
 */
final class Story {
    static final RoomKey ROOM = new RoomKey("lala", "room-1");
    static final String OWNER = "olga";
    static final String BEN = "ben";
    static final String CARA = "cara";
    static final Profile PROFILE = new Profile(OWNER, "Tea at five", "GB", "https://x/cover", "https://x/back");

    /** Two levels, soon full; a day begins at midnight. */
    static final RocketPlan ROCKETS = new RocketPlan(
            List.of(new RocketPlan.Level(50, 2_000), new RocketPlan.Level(80, 5_000)),
            LocalTime.MIDNIGHT,
            ZoneId.of("UTC"));

    private static final long SESSION_VERSION = 2;
    /** Until when a seat of {@link #seated} waits to be confirmed. */
    static final long DEADLINE_MS = atMs(SESSION_VERSION) + RoomPolicy.STANDARD.publishWithinMs();

    private final RoomLog log = new RoomLog();
    private RoomState state = RoomState.creating(ROOM);
    private @Nullable Decision decision;

    private Story() {}

    /** When a version happens: one second after the one before. */
    static long atMs(long version) {
        return 1_700_000_000_000L + version * 1_000;
    }

    /** A room of which each event was a version. */
    static Story given(RoomEvent... events) {
        Story story = new Story();
        for (RoomEvent event : events) {
            story.happened(event);
        }
        return story;
    }

    static RoomEvent created() {
        return created(3);
    }

    static RoomEvent created(int seatCount) {
        return new Lifecycle.RoomCreated(PROFILE, seatCount);
    }

    static RoomEvent closed(int usersPresent) {
        return new Lifecycle.RoomClosed(Lifecycle.CloseCause.CLOSED_BY_OWNER, usersPresent);
    }

    static RoomEvent joined(String userId, int onlineCount) {
        return new Presence.RoomUserJoined(userId, Presence.MemberKind.USER, onlineCount);
    }

    static RoomEvent robotJoined(String userId, int onlineCount) {
        return new Presence.RoomUserJoined(userId, Presence.MemberKind.ROBOT, onlineCount);
    }

    static RoomEvent left(String userId, long joinedAtMs, int onlineCount) {
        return gone(userId, Presence.LeaveCause.LEFT, joinedAtMs, onlineCount);
    }

    static RoomEvent gone(String userId, Presence.LeaveCause cause, long joinedAtMs, int onlineCount) {
        return new Presence.RoomUserLeft(userId, Presence.MemberKind.USER, cause, joinedAtMs, onlineCount);
    }

    static RoomEvent seated(int seatNo, String userId) {
        return new RoomMicChanged(seatNo, 0, Status.IDLE, Status.PENDING_PUBLISH, pending(userId), Cause.TAKEN);
    }

    static RoomEvent published(int seatNo, String userId) {
        return new RoomMicChanged(
                seatNo, 0, Status.PENDING_PUBLISH, Status.PUBLISHING, onTheAir(userId), Cause.PUBLISH_CONFIRMED);
    }

    static RoomEvent locked(int seatNo) {
        return new MicSeats.RoomMicSeatLocked(seatNo, true);
    }

    static RoomEvent freed(int seatNo, Status from, String userId, Cause cause) {
        MicSession session = from == Status.PUBLISHING
                ? onTheAir(userId)
                : new MicSession(session(userId), userId, SESSION_VERSION, atMs(SESSION_VERSION), 0, false, 0);
        return new RoomMicChanged(seatNo, 0, from, Status.IDLE, session, cause);
    }

    /** A session whose audio is awaited until {@link #DEADLINE_MS}. */
    static MicSession pending(String userId) {
        return new MicSession(session(userId), userId, SESSION_VERSION, atMs(SESSION_VERSION), DEADLINE_MS, false, 0);
    }

    static MicSession onTheAir(String userId) {
        return new MicSession(session(userId), userId, SESSION_VERSION, atMs(SESSION_VERSION), 0, true, 0);
    }

    static String session(String userId) {
        return "mic-of-" + userId;
    }

    /** All events are one version. */
    Story happened(RoomEvent... events) {
        Stamp stamp = nextStamp();
        log.append(stamp, List.of(events));
        state = RoomDecider.evolve(state, List.of(events), stamp).checked();
        return replays();
    }

    /** The row says that the room is half closed. */
    Story closingBegun() {
        state = state.closingBegun();
        return replays();
    }

    Story seen(String userId, long seenAtMs) {
        state = Presence.seen(state, userId, seenAtMs).checked();
        return replays();
    }

    Story when(RoomCommand command) {
        return when(command, atMs(state.version() + 1));
    }

    /** The command is asked at a certain time; what it makes is stamped as every version of a story. */
    Story whenAt(long atMs, RoomCommand command) {
        return when(command, atMs);
    }

    private Story when(RoomCommand command, long atMs) {
        decision = RoomDecider.decide(state, command, new Stamp(state.version() + 1, atMs), RoomPolicy.STANDARD);
        if (decision instanceof Decision.Accepted accepted) {
            happened(accepted.events().toArray(RoomEvent[]::new));
        }
        return this;
    }

    /** The command was accepted, with these events and this answer. */
    Story then(CommandResult result, RoomEvent... events) {
        assertThat(decision).isEqualTo(new Decision.Accepted(List.of(events), result));
        return this;
    }

    /** The command found everything as wished and said so, without a version. */
    Story thenUnchanged(CommandResult result, Optional<String> seenUserId) {
        assertThat(decision).isEqualTo(new Decision.Unchanged(result, seenUserId));
        return this;
    }

    Story thenRejected(Rejection.Reason reason) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Decision.Rejected.class,
                        rejected -> assertThat(rejected.rejection())
                                .satisfies(
                                        rejection ->
                                                assertThat(rejection.reason()).isEqualTo(reason),
                                        rejection ->
                                                assertThat(rejection.message()).isNotBlank()));
        return this;
    }

    /** Refused for {@code reason}, with these details, in the order of their names. */
    Story thenRejected(Rejection.Reason reason, String... details) {
        thenRejected(reason);
        Map<String, String> told = new TreeMap<>(
                ((Decision.Rejected) decision()).rejection().details().toJavaMap());
        List<String> flat = new ArrayList<>();
        told.forEach((name, value) -> flat.addAll(List.of(name, value)));
        assertThat(flat).containsExactly(details);
        return this;
    }

    Decision decision() {
        return Objects.requireNonNull(decision, "no command was given");
    }

    RoomState state() {
        return state;
    }

    private Stamp nextStamp() {
        long version = state.version() + 1;
        return new Stamp(version, atMs(version));
    }

    private Story replays() {
        RoomState replayed = log.replay(ROOM);
        if (state.status() == Lifecycle.Status.CLOSING) {
            replayed = replayed.closingBegun();
        }
        assertThat(replayed.checked()).isEqualTo(RoomLog.withoutSignsOfLife(state));
        return this;
    }
}
