package dev.roomcell.demo;

import static dev.roomcell.demo.Stage.done;

import dev.roomcell.port.RoomCodec;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.GetRoomEventsResponse;
import dev.roomcell.proto.room.v1.PresenceKind;
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
                List<String> expected =
                        events.stream().map(FactEnvelope::getEventId).toList();
                List<String> sent = stage.within(LAG_MS, this::sent, ids -> ids.size() >= expected.size());
                seen.addAll(sent);
                step.equal("messages", expected, sent);
            });
        }
        Set<String> arrived = new LinkedHashSet<>();
        if (backstage.seesFacts()) {
            stage.step("consumers got every fact, in order, and nothing of the robot", step -> {
                List<String> expected = events.stream()
                        .filter(event -> !ofRobot(event))
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
        long version = 0;
        for (FactEnvelope event : events) {
            boolean first = event.getRoomVersion() != version;
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
                // Heat and rank are no events.
                .filter(message -> message.getInteger("index") < RoomCodec.HEAT_INDEX)
                .map((JsonObject message) -> message.getString("event_id"))
                .toList();
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
