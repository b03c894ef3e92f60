package dev.roomcell.domain;

import io.vavr.collection.HashMap;
import io.vavr.collection.HashSet;
import io.vavr.collection.Map;
import io.vavr.collection.Set;

/**
 * The rules of the house.
 *
 * @param chatEnabled whether everybody may write, or only the owner and admins
 * @param admins who may do what an admin may; never the owner
 * @param banned who may not join; never the owner, an admin or anybody present
 * @param mutedUntilMs until when somebody is silenced, epoch ms; what is past silences nobody
 */
public record HouseRules(boolean chatEnabled, Set<String> admins, Set<String> banned, Map<String, Long> mutedUntilMs) {
    /** Everybody may write, nobody is admin, banned or muted. */
    public static final HouseRules INITIAL = new HouseRules(true, HashSet.empty(), HashSet.empty(), HashMap.empty());

    HouseRules withChat(boolean enabled) {
        return new HouseRules(enabled, admins, banned, mutedUntilMs);
    }

    HouseRules withAdmins(Set<String> newAdmins) {
        return new HouseRules(chatEnabled, newAdmins, banned, mutedUntilMs);
    }

    HouseRules withBanned(Set<String> newBanned) {
        return new HouseRules(chatEnabled, admins, newBanned, mutedUntilMs);
    }

    HouseRules withMuted(Map<String, Long> newMuted) {
        return new HouseRules(chatEnabled, admins, banned, newMuted);
    }
}
