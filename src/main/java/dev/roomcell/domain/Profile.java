package dev.roomcell.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a room looks like from outside.
 *
 * @param ownerUserId who owns it
 * @param title 1..128 bytes
 * @param region may be empty
 * @param coverUrl may be empty
 * @param backgroundUrl may be empty
 */
public record Profile(String ownerUserId, String title, String region, String coverUrl, String backgroundUrl) {
    static final Profile NONE = new Profile("", "", "", "", "");

    /** What can be changed of a profile as such. The names are stored in events: never rename one. */
    public enum Field {
        /** Its title. */
        TITLE,
        /** Where it is listed. */
        REGION,
        /** Its picture in lists. */
        COVER_URL
    }

    /**
     * Change what the room shows about itself; what is absent stays.
     *
     * @param actorUserId who asks; the owner or an admin
     * @param title 1..128 bytes
     * @param region may be empty, which takes the room out of all regions
     * @param coverUrl may be empty, which removes the picture
     */
    public record UpdateRoomProfile(
            String actorUserId, Optional<String> title, Optional<String> region, Optional<String> coverUrl)
            implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.UPDATE_ROOM_PROFILE;
        }
    }

    /**
     * Change the room's background.
     *
     * @param actorUserId who asks; the owner or an admin
     * @param backgroundUrl empty removes it
     */
    public record SetRoomBackground(String actorUserId, String backgroundUrl) implements RoomCommand {
        @Override
        public Kind kind() {
            return Kind.SET_ROOM_BACKGROUND;
        }
    }

    /**
     * The profile is another.
     *
     * @param title as it is now
     * @param region as it is now
     * @param coverUrl as it is now
     * @param changed which of them are not as before, in the order of {@link Field}; at least one
     */
    public record RoomProfileUpdated(String title, String region, String coverUrl, List<Field> changed)
            implements RoomEvent {
        /** Keeps a copy of {@code changed}. */
        public RoomProfileUpdated {
            changed = List.copyOf(changed);
        }

        @Override
        public Type type() {
            return Type.ROOM_PROFILE_UPDATED;
        }
    }

    /**
     * The background is another.
     *
     * @param backgroundUrl empty if it was removed
     */
    public record RoomBackgroundChanged(String backgroundUrl) implements RoomEvent {
        @Override
        public Type type() {
            return Type.ROOM_BACKGROUND_CHANGED;
        }
    }

    /**
     * The answer to {@link UpdateRoomProfile}.
     *
     * @param roomVersion the version that changed it, or the room's version if everything was so already
     * @param profile the whole profile after
     */
    public record Updated(long roomVersion, Profile profile) implements CommandResult {}

    /**
     * The answer to {@link SetRoomBackground}.
     *
     * @param roomVersion the version that changed it, or the room's version if it was so already
     * @param backgroundUrl the background after
     */
    public record BackgroundSet(long roomVersion, String backgroundUrl) implements CommandResult {}

    static Decision update(RoomState state, UpdateRoomProfile command, Stamp stamp) {
        Optional<Decision> refused = Rights.refused(state, command.actorUserId(), Rights.Action.EDIT_PROFILE);
        if (refused.isPresent()) {
            return refused.get();
        }
        Profile now = state.profile();
        Profile next = new Profile(
                now.ownerUserId,
                command.title().orElse(now.title),
                command.region().orElse(now.region),
                command.coverUrl().orElse(now.coverUrl),
                now.backgroundUrl);
        List<Field> changed = now.changedTo(next);
        if (changed.isEmpty()) {
            return Decision.Unchanged.answering(new Updated(state.version(), now));
        }
        return new Decision.Accepted(
                List.of(new RoomProfileUpdated(next.title, next.region, next.coverUrl, changed)),
                new Updated(stamp.version(), next));
    }

    private List<Field> changedTo(Profile next) {
        List<Field> changed = new ArrayList<>(Field.values().length);
        for (Field field : Field.values()) {
            if (!valueOf(field).equals(next.valueOf(field))) {
                changed.add(field);
            }
        }
        return changed;
    }

    private String valueOf(Field field) {
        return switch (field) {
            case TITLE -> title;
            case REGION -> region;
            case COVER_URL -> coverUrl;
        };
    }

    static Decision setBackground(RoomState state, SetRoomBackground command, Stamp stamp) {
        Optional<Decision> refused = Rights.refused(state, command.actorUserId(), Rights.Action.EDIT_PROFILE);
        if (refused.isPresent()) {
            return refused.get();
        }
        String wished = command.backgroundUrl();
        if (state.profile().backgroundUrl.equals(wished)) {
            return Decision.Unchanged.answering(new BackgroundSet(state.version(), wished));
        }
        return new Decision.Accepted(
                List.of(new RoomBackgroundChanged(wished)), new BackgroundSet(stamp.version(), wished));
    }

    static RoomState evolve(RoomState state, RoomProfileUpdated event) {
        Profile now = state.profile();
        return state.withProfile(
                new Profile(now.ownerUserId, event.title(), event.region(), event.coverUrl(), now.backgroundUrl));
    }

    static RoomState evolve(RoomState state, RoomBackgroundChanged event) {
        Profile now = state.profile();
        return state.withProfile(
                new Profile(now.ownerUserId, now.title, now.region, now.coverUrl, event.backgroundUrl()));
    }
}
