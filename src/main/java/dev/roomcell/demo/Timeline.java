package dev.roomcell.demo;

import static dev.roomcell.demo.Stage.done;

import dev.roomcell.port.RoomCodec;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.GetRoomEventsResponse;
import dev.roomcell.proto.room.v1.PresenceKind;
import dev.roomcell.proto.room.v1.RoomEventType;
import dev.roomcell.proto.room.v1.RoomGiftSent;
import dev.roomcell.proto.room.v1.RoomUserJoined;
import dev.roomcell.proto.room.v1.RoomUserLeft;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What came of a room, side by side: its versions with their commands, the events, and what its clients were sent. */
final class Timeline {
    private static final String EVENT = "ROOM_EVENT_TYPE_";
    private static final String LINE = "  %-8s %-26s %-40s %-8s %s";
    /** What messages and facts may lag behind, ms. */
    private static final long LAG_MS = 5_000;

    private final Stage stage;
    private final Guests guests;
    private final Backstage backstage;
    private final String room;

    Timeline(Stage stage, Guests guests, Backstage backstage, String room) {
        this.stage = stage;
        this.guests = guests;
        this.backstage = backstage;
        this.room = room;
    }

    void show() {
        List<FactEnvelope> events = new ArrayList<>();
        stage.step("GetRoomEvents: every version since the first, without a gap", step -> {
            events.addAll(everything());
            long last = done(guests.get()).getRoom().getRoomVersion();
            step.equal(
                    "versions",
                    last,
                    events.stream().map(FactEnvelope::getRoomVersion).distinct().count());
            step.equal("the last version", last, events.get(events.size() - 1).getRoomVersion());
        });
        Set<String> seen = new LinkedHashSet<>();
        if (backstage.seesMessages()) {
            stage.step("the room's clients were sent every event, in order", step -> {
                List<String> expected = events.stream()
                        // How much fuel there is, is told once in a while only.
                        .filter(event -> event.getType() != RoomEventType.ROOM_EVENT_TYPE_ROOM_ROCKET_FUEL_CHANGED)
                        .map(FactEnvelope::getEventId)
                        .toList();
                List<String> sent = stage.within(LAG_MS, this::sent, ids -> ids.size() >= expected.size());
                seen.addAll(sent);
                step.equal("messages", expected, sent);
            });
        }
        Set<String> arrived = new LinkedHashSet<>();
        if (backstage.seesFacts()) {
            stage.step("consumers got every fact, in order, and nothing of the robot or the rocket", step -> {
                List<String> expected = events.stream()
                        .filter(event -> !ofRobot(event) && !ofRocket(event))
                        .map(FactEnvelope::getEventId)
                        .toList();
                List<String> facts = stage.within(
                        LAG_MS,
                        () -> backstage.facts(guests.app(), room).stream()
                                .distinct()
                                .toList(),
                        ids -> ids.size() >= expected.size());
                arrived.addAll(facts);
                step.equal("facts", expected, facts);
            });
        }
        stage.say(String.format(LINE, "version", "command", "event", "clients", "consumers"));
        List<JsonObject> between = backstage.seesMessages() ? between() : List.of();
        long version = 0;
        for (FactEnvelope event : events) {
            boolean first = event.getRoomVersion() != version;
            if (first) {
                tell(between, version, event.getRoomVersion());
            }
            version = event.getRoomVersion();
            stage.say(String.format(
                    LINE,
                    first ? Long.toString(version) : "",
                    first ? event.getCommandId() : "",
                    inWords(event),
                    seen.contains(event.getEventId()) ? "seen" : "",
                    arrived.contains(event.getEventId()) ? "fact" : ""));
        }
    }

    /** What the clients were told that is no event of a version: at the version that the room had then. */
    private void tell(List<JsonObject> between, long fromVersion, long toVersion) {
        for (JsonObject message : between) {
            long version = Long.parseLong(message.getString("room_version"));
            if (version >= fromVersion && version < toVersion) {
                stage.say(String.format(LINE, "", "", inWords(message), "seen", ""));
            }
        }
    }

    private static String inWords(JsonObject message) {
        String type = message.getString("type");
        JsonObject payload = message.getJsonObject("payload");
        return switch (type) {
            case "ROOM_ROCKET_FUEL_CHANGED" -> type + " " + fuel(payload);
            case "ROOM_HEAT_CHANGED" -> type + " " + payload.getString("heat");
            case "ROBOT_DISPLAY" -> type + " " + message.getString("display_type");
            default -> type;
        };
    }

    private static String fuel(JsonObject payload) {
        return "level " + payload.getInteger("level") + ": " + payload.getString("fuel") + " of "
                + payload.getString("fuel_capacity");
    }

    private static boolean ofRocket(FactEnvelope event) {
        return switch (event.getPayloadCase()) {
            case ROOM_ROCKET_FUEL_CHANGED, ROOM_ROCKET_IGNITED, ROOM_ROCKET_LAUNCHED -> true;
            default -> false;
        };
    }

    private static boolean ofRobot(FactEnvelope event) {
        return event.getRoomUserJoined().getKind() == PresenceKind.PRESENCE_KIND_ROBOT
                || event.getRoomUserLeft().getKind() == PresenceKind.PRESENCE_KIND_ROBOT;
    }

    private List<FactEnvelope> everything() {
        List<FactEnvelope> events = new ArrayList<>();
        long since = 0;
        GetRoomEventsResponse page;
        do {
            page = done(guests.events(since));
            events.addAll(page.getEventsList());
            since = page.getLastVersion();
        } while (page.getTruncated());
        return events;
    }

    private List<String> sent() {
        return backstage.messages(guests.app(), room).stream()
                .filter(Timeline::isEvent)
                .map((JsonObject message) -> message.getString("event_id"))
                .toList();
    }

    private List<JsonObject> between() {
        return backstage.messages(guests.app(), room).stream()
                .filter(message -> !isEvent(message))
                .toList();
    }

    /** Heat, rank and fuel are no events, and neither is what robots show. */
    private static boolean isEvent(JsonObject message) {
        return message.getInteger("index", RoomCodec.HEAT_INDEX) < RoomCodec.HEAT_INDEX;
    }

    private static String gift(RoomGiftSent gift) {
        return gift.getSenderUserId() + " " + gift.getGiftId() + " x " + gift.getCount() + " to "
                + String.join(", ", gift.getReceiverUserIdsList());
    }

    private static String inWords(FactEnvelope event) {
        String type = event.getType().name().substring(EVENT.length());
        return switch (event.getPayloadCase()) {
            case ROOM_GIFT_SENT -> type + " " + gift(event.getRoomGiftSent());
            case ROOM_USER_JOINED -> type + " " + joined(event.getRoomUserJoined());
            case ROOM_USER_LEFT -> type + " " + left(event.getRoomUserLeft());
            case ROOM_MIC_CHANGED ->
                type + " " + event.getRoomMicChanged().getUserId() + " on "
                        + event.getRoomMicChanged().getSeatNo();
            case ROOM_USER_KICKED -> type + " " + event.getRoomUserKicked().getUserId();
            case ROOM_ROCKET_FUEL_CHANGED ->
                type + " level " + event.getRoomRocketFuelChanged().getLevel() + ": "
                        + event.getRoomRocketFuelChanged().getFuel() + " of "
                        + event.getRoomRocketFuelChanged().getFuelCapacity();
            case ROOM_ROCKET_IGNITED ->
                type + " level " + event.getRoomRocketIgnited().getLevel() + " by "
                        + event.getRoomRocketIgnited().getIgniterUserId();
            case ROOM_ROCKET_LAUNCHED ->
                type + " level " + event.getRoomRocketLaunched().getLevel();
            case ROOM_USER_MUTED -> type + " " + event.getRoomUserMuted().getUserId();
            default -> type;
        };
    }

    private static String joined(RoomUserJoined joined) {
        return joined.getUserId() + (joined.getKind() == PresenceKind.PRESENCE_KIND_ROBOT ? " (robot)" : "");
    }

    private static String left(RoomUserLeft left) {
        return left.getUserId();
    }
}
