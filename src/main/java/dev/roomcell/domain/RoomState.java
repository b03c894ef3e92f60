package dev.roomcell.domain;

import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.MicSeats.Seat;
import dev.roomcell.domain.Presence.Member;
import dev.roomcell.domain.Presence.MemberKind;
import io.vavr.collection.HashMap;
import io.vavr.collection.HashSet;
import io.vavr.collection.Map;
import io.vavr.collection.Set;
import io.vavr.collection.Vector;
import java.util.Optional;

/**
 * Everything a room is, at one version. Immutable, and cheap to change: a working copy of a room with ten thousand
 * users shares all but a few nodes with the original.
 *
 * @param key which room
 * @param version how many commands it has accepted; 0 is a room that is still being created
 * @param status where it is in its life
 * @param profile what it looks like; empty while it is being created
 * @param createdAtMs when it was created, epoch ms; 0 before
 * @param closedAtMs when it was closed, epoch ms; 0 before
 * @param members who is present, by user id
 * @param robots how many of the members are robots
 * @param seats the mic seats; seat n stands at index n - 1
 * @param houseRules who may do what
 * @param board what was given in it
 * @param rocket the one that takes fuel, or waits; empty before the first fuel
 */
public record RoomState(
        RoomKey key,
        long version,
        Status status,
        Profile profile,
        long createdAtMs,
        long closedAtMs,
        Map<String, Member> members,
        int robots,
        Vector<Seat> seats,
        HouseRules houseRules,
        GiftBoard board,
        Optional<Rocket> rocket) {

    /** The room before its first version. */
    public static RoomState creating(RoomKey key) {
        return new RoomState(
                key,
                0,
                Status.CREATING,
                Profile.NONE,
                0,
                0,
                HashMap.empty(),
                0,
                Vector.empty(),
                HouseRules.INITIAL,
                GiftBoard.EMPTY,
                Optional.empty());
    }

    /** The user's presence, if the user is present. */
    public Optional<Member> member(String userId) {
        return members.get(userId).toJavaOptional();
    }

    /** Users present; robots are not counted (PRES-8). */
    public int onlineCount() {
        return members.size() - robots;
    }

    /** Whether {@code userId} is present and no robot. */
    boolean isUser(String userId) {
        return member(userId).filter(member -> member.kind() == MemberKind.USER).isPresent();
    }

    /**
     * Whether the room must stay loaded: a user is present, a seat is taken, a rocket waits, or its life is half way
     * (LEASE-14). Robots alone keep no room.
     */
    public boolean live() {
        return status == Status.CREATING
                || status == Status.CLOSING
                || onlineCount() > 0
                || seats.exists(seat -> seat.status().occupied())
                || rocket.filter(Rocket::ignited).isPresent();
    }

    /**
     * This state with the row's word that a closing has begun (ROOM-5): nothing but the row knows it.
     */
    public RoomState closingBegun() {
        return with(version, Status.CLOSING, profile, members, robots, seats, houseRules, board);
    }

    RoomState atVersion(long newVersion) {
        return with(newVersion, status, profile, members, robots, seats, houseRules, board);
    }

    RoomState created(Profile newProfile, Vector<Seat> newSeats, long atMs) {
        return new RoomState(
                key, version, Status.ACTIVE, newProfile, atMs, 0, members, robots, newSeats, houseRules, board, rocket);
    }

    RoomState closed(long atMs) {
        return new RoomState(
                key,
                version,
                Status.CLOSED,
                profile,
                createdAtMs,
                atMs,
                HashMap.empty(),
                0,
                seats,
                houseRules,
                board,
                Optional.empty());
    }

    RoomState withProfile(Profile newProfile) {
        return with(version, status, newProfile, members, robots, seats, houseRules, board);
    }

    RoomState withMember(Member member) {
        int robotsMore = member.kind() == MemberKind.ROBOT && !members.containsKey(member.userId()) ? 1 : 0;
        Map<String, Member> newMembers = members.put(member.userId(), member);
        return with(version, status, profile, newMembers, robots + robotsMore, seats, houseRules, board);
    }

    RoomState withoutMember(String userId) {
        int robotsLess = members.containsKey(userId) && !isUser(userId) ? 1 : 0;
        return with(version, status, profile, members.remove(userId), robots - robotsLess, seats, houseRules, board);
    }

    RoomState withSeats(Vector<Seat> newSeats) {
        return with(version, status, profile, members, robots, newSeats, houseRules, board);
    }

    RoomState withHouseRules(HouseRules newRules) {
        return with(version, status, profile, members, robots, seats, newRules, board);
    }

    RoomState withBoard(GiftBoard newBoard) {
        return with(version, status, profile, members, robots, seats, houseRules, newBoard);
    }

    RoomState withRocket(Optional<Rocket> newRocket) {
        return with(version, status, profile, members, robots, seats, houseRules, board, newRocket);
    }

    private RoomState with(
            long newVersion,
            Status newStatus,
            Profile newProfile,
            Map<String, Member> newMembers,
            int newRobots,
            Vector<Seat> newSeats,
            HouseRules newRules,
            GiftBoard newBoard) {
        return with(newVersion, newStatus, newProfile, newMembers, newRobots, newSeats, newRules, newBoard, rocket);
    }

    private RoomState with(
            long newVersion,
            Status newStatus,
            Profile newProfile,
            Map<String, Member> newMembers,
            int newRobots,
            Vector<Seat> newSeats,
            HouseRules newRules,
            GiftBoard newBoard,
            Optional<Rocket> newRocket) {
        return new RoomState(
                key,
                newVersion,
                newStatus,
                newProfile,
                createdAtMs,
                closedAtMs,
                newMembers,
                newRobots,
                newSeats,
                newRules,
                newBoard,
                newRocket);
    }

    /**
     * This state, when it is one that a room can be in; checked before every commit and after every load (MIC-6).
     *
     * @throws IllegalStateException naming the broken rule: a fault of ours, never a caller's
     */
    public RoomState checked() {
        Set<String> seated = HashSet.empty();
        for (int i = 0; i < seats.size(); i++) {
            Seat seat = seats.get(i);
            require(seat.seatNo() == i + 1, "seat numbers are 1..n");
            require(seat.status().occupied() != seat.userId().isEmpty(), "a seat has a user when it is occupied");
            require(seat.status().occupied() != seat.micSessionId().isEmpty(), "an occupied seat has a mic session");
            require(
                    (seat.status() == MicSeats.Status.PENDING_PUBLISH)
                            == (seat.session().publishDeadlineMs() > 0),
                    "a publish deadline runs while a seat is pending");
            if (seat.status().occupied()) {
                require(members.containsKey(seat.userId()), "whoever sits is present");
                require(!seated.contains(seat.userId()), "a user has one seat");
                seated = seated.add(seat.userId());
            }
        }
        require(!houseRules.admins().contains(profile.ownerUserId()), "the owner is no admin");
        for (String admin : houseRules.admins()) {
            require(!houseRules.banned().contains(admin), "whoever is shut out is no admin");
        }
        require(status != Status.CLOSED || members.isEmpty(), "a closed room is empty");
        require(
                status == Status.ACTIVE || status == Status.CLOSING || rocket.isEmpty(),
                "only an open room has a rocket");
        require(rocket.filter(each -> !each.sound()).isEmpty(), "a rocket is ignited when it is full");
        require(status != Status.CREATING || (version == 0 && members.isEmpty()), "a room being created is empty");
        return this;
    }

    private void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalStateException("room " + key + " at version " + version + ": " + rule);
        }
    }
}
