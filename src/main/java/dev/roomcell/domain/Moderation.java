package dev.roomcell.domain;

import io.vavr.collection.Map;
import io.vavr.collection.Set;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rights given and taken, silence and bans; who may do which of it stands in {@link Rights}. */
public final class Moderation {
    /** The most admins of a room, its owner not counted. */
    public static final int MAX_ADMINS = 100;
    /** The most users shut out of a room at once. */
    public static final int MAX_BANNED = 10_000;
    /** The most users silenced in a room at once. */
    public static final int MAX_MUTED = 10_000;

    private Moderation() {}

    /**
     * Switch chat for all but the owner and admins.
     *
     * @param actorUserId who asks; the owner or an admin
     * @param enabled whether everybody may write
     */
    public record SetChatEnabled(String actorUserId, boolean enabled) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.SET_CHAT_ENABLED;
        }
    }

    /**
     * Make somebody admin, or end it.
     *
     * @param actorUserId who asks; must be the owner
     * @param targetUserId whom it is about; need not be present
     * @param admin what the target shall be
     */
    public record SetRoomAdmin(String actorUserId, String targetUserId, boolean admin) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.SET_ROOM_ADMIN;
        }
    }

    /**
     * Silence somebody for a time, or end it.
     *
     * @param actorUserId who asks; the owner or an admin
     * @param targetUserId whom it is about; need not be present
     * @param durationMs for how long, ms; 0 ends it
     */
    public record MuteUser(String actorUserId, String targetUserId, long durationMs) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.MUTE_USER;
        }
    }

    /**
     * Put somebody out and shut them out (PRES-5).
     *
     * @param actorUserId who asks; the owner or an admin
     * @param targetUserId whom it is about; need not be present
     */
    public record KickUser(String actorUserId, String targetUserId) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.KICK_USER;
        }
    }

    /**
     * Let somebody in again who was kicked.
     *
     * @param actorUserId who asks; the owner or an admin
     * @param targetUserId whom it is about
     */
    public record UnbanUser(String actorUserId, String targetUserId) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.UNBAN_USER;
        }
    }

    /**
     * Chat was switched.
     *
     * @param enabled whether everybody may write now
     */
    public record RoomChatEnabledChanged(boolean enabled) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_CHAT_ENABLED_CHANGED;
        }
    }

    /**
     * Somebody became an admin, or is one no longer.
     *
     * @param userId who
     * @param admin what they are now
     */
    public record RoomAdminChanged(String userId, boolean admin) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_ADMIN_CHANGED;
        }
    }

    /**
     * Somebody was silenced, or may speak again.
     *
     * @param userId who
     * @param mutedUntilMs until when, epoch ms; 0 if it was ended
     */
    public record RoomUserMuted(String userId, long mutedUntilMs) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_USER_MUTED;
        }
    }

    /**
     * Somebody is shut out.
     *
     * @param userId who
     * @param wasPresent whether they were in the room until now
     */
    public record RoomUserKicked(String userId, boolean wasPresent) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_USER_KICKED;
        }
    }

    /**
     * Somebody who was shut out may join again.
     *
     * @param userId who
     */
    public record RoomUserUnbanned(String userId) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_USER_UNBANNED;
        }
    }

    /**
     * The answer to {@link SetChatEnabled}.
     *
     * @param roomVersion the version that switched it, or the room's version if it was so already
     * @param enabled as asked
     */
    public record ChatSwitched(long roomVersion, boolean enabled) implements CommandResult {}

    /**
     * The answer to {@link SetRoomAdmin}.
     *
     * @param roomVersion the version that changed it, or the room's version if it was so already
     * @param admin as asked
     */
    public record AdminSet(long roomVersion, boolean admin) implements CommandResult {}

    /**
     * The answer to {@link MuteUser}.
     *
     * @param roomVersion the version that changed it, or the room's version if a mute was to end that was not there
     * @param mutedUntilMs until when, epoch ms; 0 after an end
     */
    public record Muted(long roomVersion, long mutedUntilMs) implements CommandResult {}

    /**
     * The answer to {@link KickUser}.
     *
     * @param roomVersion the version that did it, or the room's version if the target was shut out already
     * @param onlineCount users present after it
     */
    public record Kicked(long roomVersion, int onlineCount) implements CommandResult {}

    /**
     * The answer to {@link UnbanUser}.
     *
     * @param roomVersion the version that did it, or the room's version if the target was not shut out
     */
    public record Unbanned(long roomVersion) implements CommandResult {}

    /**
     * Whether somebody may write in the room's chat.
     *
     * @param silencedBy the first reason why not, in the order of checks; empty if allowed
     * @param mutedUntilMs when a mute ends, epoch ms; 0 unless that is the reason
     */
    public record Speech(Optional<Rejection.Reason> silencedBy, long mutedUntilMs) {}

    static Decision setChat(RoomState state, SetChatEnabled command, Stamp stamp) {
        Optional<Decision> refused = Rights.refused(state, command.actorUserId(), Rights.Action.SWITCH_CHAT);
        if (refused.isPresent()) {
            return refused.get();
        }
        boolean enabled = command.enabled();
        if (state.houseRules().chatEnabled() == enabled) {
            return Decision.Unchanged.answering(new ChatSwitched(state.version(), enabled));
        }
        return new Decision.Accepted(
                List.of(new RoomChatEnabledChanged(enabled)), new ChatSwitched(stamp.version(), enabled));
    }

    static Decision setAdmin(RoomState state, SetRoomAdmin command, Stamp stamp) {
        String target = command.targetUserId();
        Optional<Decision> refused = Rights.refused(state, command.actorUserId(), Rights.Action.APPOINT_ADMIN, target);
        if (refused.isPresent()) {
            return refused.get();
        }
        Set<String> admins = state.houseRules().admins();
        if (admins.contains(target) == command.admin()) {
            return Decision.Unchanged.answering(new AdminSet(state.version(), command.admin()));
        }
        if (command.admin()) {
            // Who may not come in must not hold rights in there.
            Optional<Decision> banned = Rights.banned(state, target);
            if (banned.isPresent()) {
                return banned.get();
            }
            if (admins.size() >= MAX_ADMINS) {
                return limitReached("admins", MAX_ADMINS);
            }
        }
        return new Decision.Accepted(
                List.of(new RoomAdminChanged(target, command.admin())), new AdminSet(stamp.version(), command.admin()));
    }

    private static Decision limitReached(String what, int limit) {
        return new Decision.Rejected(new Rejection(
                        Rejection.Reason.LIMIT_REACHED, "the room has " + limit + " " + what + "; take one away first")
                .with("limit", Integer.toString(limit)));
    }

    static Decision mute(RoomState state, MuteUser command, Stamp stamp) {
        String target = command.targetUserId();
        Optional<Decision> refused = Rights.refused(state, command.actorUserId(), Rights.Action.MUTE, target);
        if (refused.isPresent()) {
            return refused.get();
        }
        Map<String, Long> muted = state.houseRules().mutedUntilMs();
        if (command.durationMs() == 0) {
            return mutedUntilMs(state, target) > stamp.atMs()
                    ? mutedUntil(target, 0, stamp)
                    : Decision.Unchanged.answering(new Muted(state.version(), 0));
        }
        if (muted.size() >= MAX_MUTED && !muted.containsKey(target) && ongoing(muted, stamp.atMs()) >= MAX_MUTED) {
            return limitReached("muted users", MAX_MUTED);
        }
        return mutedUntil(target, stamp.atMs() + command.durationMs(), stamp);
    }

    private static Decision mutedUntil(String userId, long untilMs, Stamp stamp) {
        return new Decision.Accepted(List.of(new RoomUserMuted(userId, untilMs)), new Muted(stamp.version(), untilMs));
    }

    private static int ongoing(Map<String, Long> muted, long atMs) {
        return muted.count(each -> each._2() > atMs);
    }

    private static long mutedUntilMs(RoomState state, String userId) {
        return state.houseRules().mutedUntilMs().getOrElse(userId, 0L);
    }

    static Decision kick(RoomState state, KickUser command, Stamp stamp) {
        String target = command.targetUserId();
        Optional<Decision> refused = Rights.refused(state, command.actorUserId(), Rights.Action.KICK, target);
        if (refused.isPresent()) {
            return refused.get();
        }
        Set<String> banned = state.houseRules().banned();
        if (banned.contains(target)) {
            return Decision.Unchanged.answering(new Kicked(state.version(), state.onlineCount()));
        }
        if (banned.size() >= MAX_BANNED) {
            return limitReached("banned users", MAX_BANNED);
        }
        List<RoomEvent> events = new ArrayList<>();
        Presence.remove(state, target, MicSeats.Cause.USER_KICKED, Presence.LeaveCause.KICKED)
                .forEach(events::add);
        boolean wasPresent = !events.isEmpty();
        if (Rights.roleOf(state, target) == Rights.Role.ADMIN) {
            events.add(new RoomAdminChanged(target, false));
        }
        events.add(new RoomUserKicked(target, wasPresent));
        int online = state.onlineCount() - (state.isUser(target) ? 1 : 0);
        return new Decision.Accepted(events, new Kicked(stamp.version(), online));
    }

    static Decision unban(RoomState state, UnbanUser command, Stamp stamp) {
        Optional<Decision> refused = Rights.refused(state, command.actorUserId(), Rights.Action.UNBAN);
        if (refused.isPresent()) {
            return refused.get();
        }
        if (!state.houseRules().banned().contains(command.targetUserId())) {
            return Decision.Unchanged.answering(new Unbanned(state.version()));
        }
        return new Decision.Accepted(
                List.of(new RoomUserUnbanned(command.targetUserId())), new Unbanned(stamp.version()));
    }

    /** Whether {@code userId} may write in the room's chat at {@code nowMs}, by the order of checks: ban, presence, rest. */
    public static Speech speech(RoomState state, String userId, long nowMs) {
        if (state.houseRules().banned().contains(userId)) {
            return silenced(Rejection.Reason.BANNED);
        }
        if (state.member(userId).isEmpty()) {
            return silenced(Rejection.Reason.NOT_PRESENT);
        }
        long mutedUntilMs = mutedUntilMs(state, userId);
        if (mutedUntilMs > nowMs) {
            return new Speech(Optional.of(Rejection.Reason.MUTED), mutedUntilMs);
        }
        return state.houseRules().chatEnabled() || Rights.roleOf(state, userId) != Rights.Role.AUDIENCE
                ? new Speech(Optional.empty(), 0)
                : silenced(Rejection.Reason.CHAT_DISABLED);
    }

    private static Speech silenced(Rejection.Reason reason) {
        return new Speech(Optional.of(reason), 0);
    }

    static RoomState evolve(RoomState state, RoomChatEnabledChanged event) {
        return state.withHouseRules(state.houseRules().withChat(event.enabled()));
    }

    static RoomState evolve(RoomState state, RoomAdminChanged event) {
        HouseRules rules = state.houseRules();
        return state.withHouseRules(rules.withAdmins(
                event.admin()
                        ? rules.admins().add(event.userId())
                        : rules.admins().remove(event.userId())));
    }

    static RoomState evolve(RoomState state, RoomUserMuted event, Stamp stamp) {
        HouseRules rules = state.houseRules();
        Map<String, Long> muted = rules.mutedUntilMs();
        if (event.mutedUntilMs() == 0) {
            return state.withHouseRules(rules.withMuted(muted.remove(event.userId())));
        }
        // Mutes that are past are only then worth a look at each of them.
        Map<String, Long> kept =
                muted.size() < MAX_MUTED ? muted : muted.filterValues(untilMs -> untilMs > stamp.atMs());
        return state.withHouseRules(rules.withMuted(kept.put(event.userId(), event.mutedUntilMs())));
    }

    static RoomState evolve(RoomState state, RoomUserKicked event) {
        HouseRules rules = state.houseRules();
        return state.withHouseRules(rules.withBanned(rules.banned().add(event.userId())));
    }

    static RoomState evolve(RoomState state, RoomUserUnbanned event) {
        HouseRules rules = state.houseRules();
        return state.withHouseRules(rules.withBanned(rules.banned().remove(event.userId())));
    }
}
