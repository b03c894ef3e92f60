package dev.roomcell.check;

import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Rockets;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An account of who is present (I11), whether the room has ended (I12), and which rockets launched (I13), kept from the
 * events alone and by other means than the room's own: where the two differ, one of them is wrong.
 */
final class EventAccount {
    private final Findings findings;
    /** Who is present, and since which version. */
    private final Map<String, Long> present = new HashMap<>();
    /** Which of them are robots: they are in no count (PRES-8). */
    private final Set<String> robots = new HashSet<>();
    /** Who may not come in. */
    private final Set<String> banned = new HashSet<>();

    /** The ids of the rockets that ignited, and of those that launched. */
    private final Set<String> ignited = new HashSet<>();

    private final Set<String> launched = new HashSet<>();
    private long closedAtVersion;

    EventAccount(Findings findings) {
        this.findings = findings;
    }

    /** The account begins with what a snapshot says. */
    void begins(RoomState base) {
        base.members().forEach((userId, member) -> {
            present.put(userId, member.joinedVersion());
            if (member.kind() == Presence.MemberKind.ROBOT) {
                robots.add(userId);
            }
        });
        banned.addAll(base.houseRules().banned().toJavaSet());
        Rockets.ignitedId(base).ifPresent(ignited::add);
        closedAtVersion = base.status() == Lifecycle.Status.CLOSED ? base.version() : 0;
    }

    void apply(long version, List<RoomEvent> events) {
        for (RoomEvent event : events) {
            findings.require(
                    closedAtVersion == 0,
                    Invariant.I12,
                    () -> at(version) + event.type() + " follows the end of the room at version " + closedAtVersion);
            switch (event.type()) {
                case ROOM_USER_JOINED -> joined(version, (Presence.RoomUserJoined) event);
                case ROOM_USER_LEFT -> left(version, (Presence.RoomUserLeft) event);
                case ROOM_CLOSED -> closed(version, (Lifecycle.RoomClosed) event);
                case ROOM_CREATED ->
                    findings.require(
                            version == 1, Invariant.I12, () -> at(version) + "the room is created a second time");
                case ROOM_USER_KICKED -> kicked(version, (Moderation.RoomUserKicked) event);
                case ROOM_USER_UNBANNED ->
                    findings.require(
                            banned.remove(((Moderation.RoomUserUnbanned) event).userId()),
                            Invariant.I11,
                            () -> at(version) + "somebody is let in again who was not shut out");
                case ROOM_GIFT_SENT -> giftSent(version, (Gifts.RoomGiftSent) event);
                case ROOM_ROCKET_IGNITED ->
                    findings.require(
                            ignited.add(
                                    ((Rockets.RoomRocketIgnited) event).rocket().id()),
                            Invariant.I13,
                            () -> at(version) + "a rocket ignites for the second time: " + event);
                case ROOM_ROCKET_LAUNCHED ->
                    findings.require(
                            ignited.contains(((Rockets.RoomRocketLaunched) event).rocketId())
                                    && launched.add(((Rockets.RoomRocketLaunched) event).rocketId()),
                            Invariant.I13,
                            () -> at(version) + "a rocket launches that did not ignite, or again: " + event);
                case ROOM_MIC_CHANGED,
                        ROOM_MIC_SEAT_LOCKED,
                        ROOM_PROFILE_UPDATED,
                        ROOM_BACKGROUND_CHANGED,
                        ROOM_CHAT_ENABLED_CHANGED,
                        ROOM_ADMIN_CHANGED,
                        ROOM_USER_MUTED,
                        ROOM_ROCKET_FUEL_CHANGED -> {
                    // Seats have no account of their own: RoomState.checked() knows their rules.
                }
            }
        }
    }

    private static String at(long version) {
        return "version " + version + ": ";
    }

    private void giftSent(long version, Gifts.RoomGiftSent sent) {
        List<String> all = new ArrayList<>(sent.receiverUserIds());
        all.add(sent.senderUserId());
        findings.require(
                present.keySet().containsAll(all),
                Invariant.I11,
                () -> at(version) + "somebody gives or gets a gift who is not present: " + all);
        findings.require(
                sent.totalPriceCoins() > 0
                        && sent.totalPriceCoins()
                                == sent.unitPriceCoins()
                                        * sent.count()
                                        * sent.receiverUserIds().size(),
                Invariant.I7,
                () -> at(version) + "a gift does not cost what its pieces cost: " + sent);
    }

    private void joined(long version, Presence.RoomUserJoined joined) {
        findings.require(
                present.put(joined.userId(), version) == null,
                Invariant.I11,
                () -> at(version) + joined.userId() + " joins, and is present already");
        findings.require(
                !banned.contains(joined.userId()),
                Invariant.I11,
                () -> at(version) + joined.userId() + " joins, and is shut out");
        if (joined.kind() == Presence.MemberKind.ROBOT) {
            robots.add(joined.userId());
        }
        count(version, joined.onlineCount());
    }

    private void left(long version, Presence.RoomUserLeft left) {
        findings.require(
                present.remove(left.userId()) != null,
                Invariant.I11,
                () -> at(version) + left.userId() + " leaves, and is not present");
        robots.remove(left.userId());
        count(version, left.onlineCount());
    }

    private void kicked(long version, Moderation.RoomUserKicked kicked) {
        findings.require(
                banned.add(kicked.userId()),
                Invariant.I11,
                () -> at(version) + kicked.userId() + " is kicked, and is shut out already");
        findings.require(
                !present.containsKey(kicked.userId()),
                Invariant.I11,
                () -> at(version) + kicked.userId() + " is kicked, and still present");
    }

    private void closed(long version, Lifecycle.RoomClosed closed) {
        count(version, closed.usersPresent());
        present.clear();
        robots.clear();
        closedAtVersion = version;
    }

    private void count(long version, int told) {
        findings.require(
                users() == told,
                Invariant.I11,
                () -> at(version) + "its event counts " + told + " users present; by joins and leavings " + users()
                        + " are");
    }

    private int users() {
        return present.size() - robots.size();
    }

    /** Whether as many are present as should be; cheap enough for every version. */
    boolean counts(RoomState state) {
        return state.onlineCount() == users() && state.robots() == robots.size();
    }

    /** Compares {@code state} with this account, user by user. */
    void compare(RoomState state) {
        state.members()
                .forEach((userId, member) -> findings.require(
                        Long.valueOf(member.joinedVersion()).equals(present.get(userId)),
                        Invariant.I11,
                        () -> at(state.version()) + userId + " is present since version " + member.joinedVersion()
                                + "; by joins and leavings since version "
                                + present.getOrDefault(userId, 0L)));
        findings.require(
                counts(state),
                Invariant.I11,
                () -> at(state.version()) + state.onlineCount() + " users and " + state.robots()
                        + " robots are present; by joins and leavings " + users() + " and " + robots.size() + " are");
        findings.require(
                state.houseRules().banned().toJavaSet().equals(banned),
                Invariant.I11,
                () -> at(state.version()) + "not the same are shut out as by kicks and pardons");
    }
}
