package dev.roomcell.demo;

import static dev.roomcell.demo.Stage.done;

import dev.roomcell.client.RoomCallException;
import dev.roomcell.proto.room.v1.ChangeMicSeatResponse;
import dev.roomcell.proto.room.v1.CheckSpeakResponse;
import dev.roomcell.proto.room.v1.ErrorReason;
import dev.roomcell.proto.room.v1.JoinRoomResponse;
import dev.roomcell.proto.room.v1.KickUserResponse;
import dev.roomcell.proto.room.v1.ListPresenceResponse;
import dev.roomcell.proto.room.v1.ListRoomsResponse;
import dev.roomcell.proto.room.v1.MicSeat;
import dev.roomcell.proto.room.v1.MicSeatStatus;
import dev.roomcell.proto.room.v1.MicSessionStanding;
import dev.roomcell.proto.room.v1.MicUpResponse;
import dev.roomcell.proto.room.v1.PublishRobotDisplayResponse;
import dev.roomcell.proto.room.v1.RankEntry;
import dev.roomcell.proto.room.v1.RoomListEntry;
import dev.roomcell.proto.room.v1.RoomSnapshot;
import dev.roomcell.proto.room.v1.SendGiftResult;
import dev.roomcell.proto.room.v1.SetMicSeatLockResponse;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The party: nineteen guests and a robot, seats, rights, a kick, a new name, gifts and a rocket; the room is dropped and
 * comes back as it was. In acts, to be played in order.
 */
final class Party {
    private static final String HOST = "olga";
    private static final String ROBOT = "robot-1";
    private static final int GUESTS = 19;
    /** What the room list, the messages and the room's own timers may lag behind, ms. */
    private static final long LAG_MS = 3_000;

    private final Stage stage;
    private final Guests guests;
    private final Backstage backstage;
    private final String room;
    private String micSession = "";
    private long pendingUntilMs;

    /** {@code room} must be an id that was never used. */
    Party(Stage stage, Guests guests, Backstage backstage, String room) {
        this.stage = stage;
        this.guests = guests;
        this.backstage = backstage;
        this.room = room;
    }

    void play() {
        arrivals();
        robotShow();
        seats();
        rights();
        kick();
        newName();
        RocketAct rocket = new RocketAct(stage, guests, backstage, room);
        rocket.awaitItsDay();
        gifts();
        rocket.play();
        whoDidNotPublish();
        droppedAndBack();
        end();
        new Timeline(stage, guests, backstage, room).show();
    }

    static String guest(int number) {
        return "guest-" + (number < 10 ? "0" : "") + number;
    }

    private void arrivals() {
        stage.step("twenty join at once, one of them a robot: nineteen are online", step -> {
            done(guests.create(HOST, "the party", "party"));
            List<Future<JoinRoomResponse>> joins = new ArrayList<>();
            for (int i = 1; i <= GUESTS; i++) {
                joins.add(guests.join(guest(i), "join-" + i));
            }
            joins.add(guests.joinAsRobot(ROBOT, "join-robot"));
            joins.forEach(Stage::done);
            RoomSnapshot now = done(guests.get()).getRoom();
            step.equal("online_count", GUESTS, now.getOnlineCount());
            step.equal("room_version", 1L + GUESTS + 1, now.getRoomVersion());
            ListPresenceResponse list = done(guests.list(100, ""));
            step.equal("present, the robot too", GUESTS + 1, list.getEntriesCount());
        });
        stage.step("ListRooms shows the room with nineteen, two seconds later at most", step -> {
            Optional<RoomListEntry> entry = stage.within(
                    LAG_MS,
                    this::listed,
                    listed -> listed.filter(line -> line.getOnlineCount() == GUESTS)
                            .isPresent());
            step.equal(
                    "online_count",
                    GUESTS,
                    entry.map(RoomListEntry::getOnlineCount).orElse(-1));
        });
    }

    private Optional<RoomListEntry> listed() {
        String token = "";
        do {
            ListRoomsResponse page = done(guests.listRooms(token));
            for (RoomListEntry entry : page.getEntriesList()) {
                if (entry.getRoomId().equals(room)) {
                    return Optional.of(entry);
                }
            }
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return Optional.empty();
    }

    private void robotShow() {
        stage.step("PublishRobotDisplay: the clients see what the robot shows, and the room stays as it was", step -> {
            long version = done(guests.get()).getRoom().getRoomVersion();
            PublishRobotDisplayResponse shown = done(guests.display(ROBOT, "fireworks", "{\"colour\":\"red\"}"));
            step.equal("room_version", version, shown.getRoomVersion());
            step.equal("after it", version, done(guests.get()).getRoom().getRoomVersion());
            if (backstage.seesMessages()) {
                List<JsonObject> seen = stage.within(
                        LAG_MS, () -> backstage.messages(guests.app(), room, "ROBOT_DISPLAY"), now -> !now.isEmpty());
                step.equal("displays", 1, seen.size());
                step.equal("display_type", "fireworks", seen.get(0).getString("display_type"));
                step.equal(
                        "payload",
                        new JsonObject().put("colour", "red"),
                        seen.get(0).getJsonObject("payload"));
            }
        });
        stage.step("a guest shows nothing that way, and a robot nothing that is no JSON object", step -> {
            step.refused(GrpcStatus.FAILED_PRECONDITION, "NOT_PRESENT", guests.display(guest(1), "fireworks", ""));
            RoomCallException failure = step.refused(
                    GrpcStatus.INVALID_ARGUMENT, "INVALID_FIELD", guests.display(ROBOT, "fireworks", "red"));
            step.equal("field", "payload_json", failure.field().orElse("none"));
        });
    }

    private void seats() {
        stage.step("MicUp: a seat is taken, and confirmed", step -> {
            MicUpResponse up = done(guests.micUp(guest(1), 1));
            micSession = up.getResult().getSeat().getMicSessionId();
            status(
                    step,
                    MicSeatStatus.MIC_SEAT_STATUS_PENDING_PUBLISH,
                    up.getResult().getSeat());
            step.that(
                    "a publish deadline",
                    up.getResult().getSeat().getPublishDeadlineMs()
                            > up.getMeta().getServerTimeMs(),
                    up.getResult());
            status(
                    step,
                    MicSeatStatus.MIC_SEAT_STATUS_PUBLISHING,
                    done(guests.confirm(guest(1), micSession)).getResult().getSeat());
            step.equal(
                    "the session by heartbeat",
                    MicSessionStanding.MIC_SESSION_STANDING_CURRENT,
                    done(guests.heartbeat(guest(1), micSession)).getMicSession());
        });
        stage.step("of two who want a seat one gets it, and the other is told who", step -> {
            MicUpResponse up = done(guests.micUp(guest(2), 2));
            pendingUntilMs = up.getResult().getSeat().getPublishDeadlineMs();
            step.refused(GrpcStatus.FAILED_PRECONDITION, "SEAT_OCCUPIED", guests.micUp(guest(3), 2));
            step.refused(GrpcStatus.FAILED_PRECONDITION, "ALREADY_ON_SEAT", guests.micUp(guest(1), 3));
            step.refused(GrpcStatus.NOT_FOUND, "SEAT_NOT_FOUND", guests.micUp(guest(3), 20));
        });
        stage.step("ChangeMicSeat keeps the session; to an occupied seat it changes nothing", step -> {
            ChangeMicSeatResponse change = done(guests.changeSeat(guest(1), 3));
            step.equal("previous_seat_no", 1, change.getResult().getPreviousSeatNo());
            step.equal("session", micSession, change.getResult().getSeat().getMicSessionId());
            status(
                    step,
                    MicSeatStatus.MIC_SEAT_STATUS_PENDING_PUBLISH,
                    change.getResult().getSeat());
            step.refused(GrpcStatus.FAILED_PRECONDITION, "SEAT_OCCUPIED", guests.changeSeat(guest(1), 2));
            done(guests.confirm(guest(1), micSession));
        });
        stage.step("SetMicSeatLock: a free seat, and by force one that is taken", step -> {
            done(guests.lock(HOST, 5, true, false));
            step.refused(GrpcStatus.FAILED_PRECONDITION, "SEAT_LOCKED", guests.micUp(guest(4), 5));
            done(guests.micUp(guest(4), 6));
            step.refused(GrpcStatus.FAILED_PRECONDITION, "SEAT_OCCUPIED", guests.lock(HOST, 6, true, false));
            SetMicSeatLockResponse forced = done(guests.lock(HOST, 6, true, true));
            step.equal("removed_user_id", guest(4), forced.getResult().getRemovedUserId());
            status(
                    step,
                    MicSeatStatus.MIC_SEAT_STATUS_LOCKED,
                    forced.getResult().getSeat());
        });
    }

    private static void status(Stage.Step step, MicSeatStatus expected, MicSeat seat) {
        step.equal("seat " + seat.getSeatNo(), expected, seat.getStatus());
    }

    private void rights() {
        stage.step(
                "an admin mutes and is obeyed; an admin can do nothing to the owner, a guest nothing at all", step -> {
                    step.refused(GrpcStatus.PERMISSION_DENIED, "NEED_ADMIN", guests.mute(guest(5), guest(6), 60_000));
                    done(guests.setAdmin(HOST, guest(5), true));
                    long untilMs = done(guests.mute(guest(5), guest(6), 60_000))
                            .getResult()
                            .getMutedUntilMs();
                    CheckSpeakResponse muted = done(guests.checkSpeak(guest(6)));
                    step.equal("reason", ErrorReason.ERROR_REASON_MUTED, muted.getReason());
                    step.equal("muted_until_ms", untilMs, muted.getMutedUntilMs());
                    done(guests.mute(guest(5), guest(6), 0));
                    step.equal(
                            "allowed", true, done(guests.checkSpeak(guest(6))).getAllowed());
                    step.refused(GrpcStatus.PERMISSION_DENIED, "TARGET_PROTECTED", guests.kick(guest(5), HOST));
                    step.refused(GrpcStatus.PERMISSION_DENIED, "TARGET_PROTECTED", guests.kick(guest(5), guest(5)));
                    step.refused(GrpcStatus.PERMISSION_DENIED, "NEED_OWNER", guests.setAdmin(guest(5), guest(6), true));
                });
        stage.step("with chat off only the owner and admins speak", step -> {
            done(guests.setChat(guest(5), false));
            step.equal(
                    "reason",
                    ErrorReason.ERROR_REASON_CHAT_DISABLED,
                    done(guests.checkSpeak(guest(6))).getReason());
            step.equal("the admin", true, done(guests.checkSpeak(guest(5))).getAllowed());
            done(guests.setChat(HOST, true));
        });
        stage.step("an admin takes somebody down from the mic", step -> {
            done(guests.micUp(guest(7), 7));
            step.equal(
                    "seat_no",
                    7,
                    done(guests.micDown(guest(5), guest(7))).getResult().getSeatNo());
        });
    }

    private void kick() {
        stage.step(
                "KickUser: out, and not in again: not by a new join, not by an old one, not by a heartbeat", step -> {
                    KickUserResponse kick = done(guests.kick(guest(5), guest(8)));
                    step.equal("online_count", GUESTS - 1, kick.getResult().getOnlineCount());
                    step.refused(GrpcStatus.PERMISSION_DENIED, "BANNED", guests.join(guest(8), "again"));
                    step.refused(GrpcStatus.PERMISSION_DENIED, "BANNED", guests.heartbeat(guest(8)));
                    step.refused(GrpcStatus.PERMISSION_DENIED, "BANNED", guests.micUp(guest(8), 8));
                    JoinRoomResponse old = done(guests.join(guest(8), "join-8"));
                    step.equal("the old join is history", true, old.getMeta().getReplayed());
                    step.equal("present", false, done(guests.check(guest(8))).getPresent());
                });
        stage.step("UnbanUser: in again", step -> {
            done(guests.unban(HOST, guest(8)));
            JoinRoomResponse back = done(guests.join(guest(8), "back"));
            step.equal("online_count", GUESTS, back.getResult().getOnlineCount());
        });
    }

    private void newName() {
        stage.step("UpdateRoomProfile: a new title, in the list at once", step -> {
            done(guests.retitle(guest(5), "the long party"));
            done(guests.setBackground(HOST, "https://pictures.example/night"));
            step.equal(
                    "title",
                    "the long party",
                    listed().map(RoomListEntry::getTitle).orElse("none"));
            step.equal(
                    "background_url",
                    "https://pictures.example/night",
                    done(guests.get()).getRoom().getBackgroundUrl());
            step.refused(GrpcStatus.PERMISSION_DENIED, "NEED_ADMIN", guests.retitle(guest(6), "mine"));
        });
    }

    private void gifts() {
        stage.step("SendGift: two get three roses each; balance, heat and rank say so", step -> {
            SendGiftResult first = done(guests.give(guest(1), "rose", 3, "gift", guest(2), guest(3)))
                    .getResult();
            step.equal("total_price_coins", 60L, first.getTotalPriceCoins());
            SendGiftResult again = done(guests.give(guest(1), "rose", 3, "gift", guest(2), guest(3)))
                    .getResult();
            step.equal("the same command again", first, again);
            SendGiftResult next =
                    done(guests.give(guest(1), "rose", 1, "gift-2", guest(2))).getResult();
            step.equal(
                    "coin_balance_after: charged once each",
                    first.getCoinBalanceAfter() - 10,
                    next.getCoinBalanceAfter());
            step.equal("heat", 70L, done(guests.get()).getRoom().getHeat());
            List<RankEntry> rank = done(guests.rank()).getEntriesList();
            step.equal("the first", guest(1), rank.get(0).getUserId());
            step.equal("has given", 70L, rank.get(0).getScore());
        });
        stage.step("a gift that its giver cannot pay changes nothing", step -> {
            done(guests.give(guest(4), "rose", 1, "gift-3", guest(5)));
            step.refused(
                    GrpcStatus.FAILED_PRECONDITION,
                    "INSUFFICIENT_BALANCE",
                    guests.give(guest(4), "castle", 1, "gift-4", guest(5)));
            step.equal("heat", 80L, done(guests.get()).getRoom().getHeat());
        });
        stage.step("a lucky gift: what it wins is in the balance that is answered", step -> {
            SendGiftResult lucky =
                    done(guests.give(guest(6), "clover", 5, "gift-5", guest(7))).getResult();
            SendGiftResult after =
                    done(guests.give(guest(6), "rose", 1, "gift-6", guest(7))).getResult();
            step.equal("balance", lucky.getCoinBalanceAfter() - 10, after.getCoinBalanceAfter());
        });
    }

    private void whoDidNotPublish() {
        stage.step("who did not publish within the deadline has lost the seat, and stays in the room", step -> {
            long waitMs = Math.max(0, pendingUntilMs - done(guests.get()).getServerTimeMs()) + LAG_MS;
            MicSeat seat = stage.within(
                    waitMs,
                    () -> done(guests.get()).getRoom().getSeats(1),
                    now -> now.getStatus() == MicSeatStatus.MIC_SEAT_STATUS_IDLE);
            status(step, MicSeatStatus.MIC_SEAT_STATUS_IDLE, seat);
            step.equal("present", true, done(guests.check(guest(2))).getPresent());
        });
    }

    private void droppedAndBack() {
        stage.step("the room is dropped from memory, and comes back as it was", step -> {
            RoomSnapshot before = done(guests.get()).getRoom();
            ListPresenceResponse present = done(guests.list(100, ""));
            backstage.release(step, guests.app(), room);
            step.equal("the room", before, done(guests.get()).getRoom());
            step.equal(
                    "who is present",
                    present.getEntriesList(),
                    done(guests.list(100, "")).getEntriesList());
        });
    }

    private void end() {
        stage.step("CloseRoom: everybody is out, and the numbers and locks of the seats stay", step -> {
            step.equal(
                    "users_present",
                    GUESTS,
                    done(guests.close(HOST, "close")).getResult().getUsersPresent());
            RoomSnapshot closed = done(guests.get()).getRoom();
            step.equal("online_count", 0, closed.getOnlineCount());
            status(step, MicSeatStatus.MIC_SEAT_STATUS_IDLE, closed.getSeats(2));
            status(step, MicSeatStatus.MIC_SEAT_STATUS_LOCKED, closed.getSeats(4));
            step.equal("in the list", false, listed().isPresent());
        });
    }
}
