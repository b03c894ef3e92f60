package dev.roomcell.demo;

import static dev.roomcell.demo.Stage.done;

import dev.roomcell.proto.room.v1.MicSeat;
import dev.roomcell.proto.room.v1.MicSeatStatus;
import dev.roomcell.proto.room.v1.MicUpResponse;
import dev.roomcell.proto.room.v1.RoomSnapshot;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** What RTC says is so, and who is kicked is taken out there: in a room of its own, to be played in order. */
final class RtcAct {
    private static final String HOST = "olga";
    private static final String SPEAKER = "ann";
    private static final String KICKED = "ben";
    private static final int AUDIO_STARTED = 203;
    private static final int EXITED = 104;
    private static final String BY_WILL = "&reason=1";
    /** What a callback, and the room's side tasks, may take, ms. */
    private static final long LAG_MS = 6_000;
    /** An exit so soon after a sign of life is doubted, and not believed at once, ms: clocks may differ. */
    private static final long BEYOND_DOUBT_MS = 3_000;

    private final Stage stage;
    private final Guests guests;
    private final Backstage backstage;
    private String rtcRoomId = "";
    private long onTheMicAtMs;

    /** {@code guests} must call a room that there never was. */
    RtcAct(Stage stage, Guests guests, Backstage backstage) {
        this.stage = stage;
        this.guests = guests;
        this.backstage = backstage;
    }

    void play() {
        start();
        again();
        exit();
        kick();
    }

    private static String event(int type, String user) {
        return "type=" + type + "&user=" + user;
    }

    private void happens(Stage.Step step, String event) {
        step.equal("callback taken: " + event, true, backstage.happensInRtc(rtcRoomId, event));
    }

    private MicSeat seat(int seatNo) {
        return done(guests.get()).getRoom().getSeatsList().stream()
                .filter(seat -> seat.getSeatNo() == seatNo)
                .findFirst()
                .orElseThrow();
    }

    private void becomes(Stage.Step step, int seatNo, MicSeatStatus status) {
        MicSeat seat = stage.within(LAG_MS, () -> seat(seatNo), now -> now.getStatus() == status);
        step.equal("seat " + seatNo, status, seat.getStatus());
    }

    private void start() {
        stage.step("RTC says that ann is on the air: so is her seat, without a word of hers", step -> {
            rtcRoomId = done(guests.create(HOST, "RTC", "rtc")).getResult().getRtcRoomId();
            done(guests.join(SPEAKER, "rtc-join-1"));
            done(guests.join(KICKED, "rtc-join-2"));
            MicUpResponse up = done(guests.micUp(SPEAKER, 1));
            onTheMicAtMs = System.currentTimeMillis();
            step.equal(
                    "seat 1 before",
                    MicSeatStatus.MIC_SEAT_STATUS_PENDING_PUBLISH,
                    up.getResult().getSeat().getStatus());
            happens(step, event(AUDIO_STARTED, SPEAKER));
            becomes(step, 1, MicSeatStatus.MIC_SEAT_STATUS_PUBLISHING);
        });
    }

    private void again() {
        stage.step(
                "what RTC says of guests without a seat, and of rooms that there never were, changes nothing", step -> {
                    RoomSnapshot before = done(guests.get()).getRoom();
                    happens(step, event(EXITED, "nobody") + BY_WILL);
                    step.equal("another room", true, backstage.happensInRtc("8489", event(AUDIO_STARTED, SPEAKER)));
                    RoomSnapshot after = done(guests.get()).getRoom();
                    step.equal("seats", before.getSeatsList(), after.getSeatsList());
                    step.equal("online_count", before.getOnlineCount(), after.getOnlineCount());
                });
    }

    private void exit() {
        stage.step("RTC says that she has left it: the seat is free, and she is still in the room", step -> {
            stage.within(BEYOND_DOUBT_MS, System::currentTimeMillis, nowMs -> nowMs > onTheMicAtMs + BEYOND_DOUBT_MS);
            happens(step, event(EXITED, SPEAKER) + BY_WILL);
            becomes(step, 1, MicSeatStatus.MIC_SEAT_STATUS_IDLE);
            step.equal("present", true, done(guests.check(SPEAKER)).getPresent());
        });
    }

    private void kick() {
        stage.step("KickUser: ben is taken out of the RTC room", step -> {
            done(guests.micUp(KICKED, 2));
            happens(step, event(AUDIO_STARTED, KICKED));
            becomes(step, 2, MicSeatStatus.MIC_SEAT_STATUS_PUBLISHING);
            done(guests.kick(HOST, KICKED));
            JsonObject there = stage.within(
                    LAG_MS,
                    () -> backstage.rtcRoom(rtcRoomId),
                    now -> !now.getJsonArray("users").contains(KICKED));
            step.equal("in the RTC room", new JsonArray(), there.getJsonArray("users"));
            step.equal(
                    "taken out",
                    true,
                    there.getJsonArray("removals").stream()
                            .anyMatch(removal -> KICKED.equals(((JsonObject) removal).getString("user"))));
        });
        done(guests.close(HOST, "rtc-close"));
    }
}
