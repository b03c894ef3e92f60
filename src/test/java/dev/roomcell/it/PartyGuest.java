package dev.roomcell.it;

import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.it.PartyRecord.Ending;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** One guest at one place: one call after the other, with pauses. Some commands are sent twice at once, some once more. */
final class PartyGuest {
    /** Of a hundred calls: below these it is a look, or a sign of life; the rest are commands. */
    private static final int LOOKS = 11;

    private static final int HEARTBEATS = 20;
    private static final int TWICE_PERCENT = 10;
    private static final int AGAIN_PERCENT = 2;
    private static final int LONGEST_AGAIN_MS = 30_000;

    private final PartyLoad load;
    private final RoomClient client;
    private final int place;
    private final String userId;
    private final Random dice;
    private final PartyWishes wishes;
    private final Promise<Void> over = Promise.promise();
    private RoomKey room;
    private int commands;

    PartyGuest(PartyLoad load, RoomClient client, int place, int number, int guests, Random dice) {
        this.load = load;
        this.client = client;
        this.place = place;
        this.userId = userId(place, number);
        this.dice = dice;
        this.room = load.rooms().at(place);
        List<String> others = IntStream.range(0, guests)
                .filter(other -> other != number)
                .mapToObj(other -> userId(place, other))
                .toList();
        this.wishes = new PartyWishes(dice, userId, others, number == 0, !PartyRooms.isHot(place));
    }

    private static String userId(int place, int number) {
        return "guest-" + place + "-" + number;
    }

    /** Makes calls until the load stops. */
    Future<Void> begin() {
        load.later(dice.nextInt(load.pauseMs()), this::next);
        return over.future();
    }

    private void next() {
        if (load.stopping()) {
            over.complete();
            return;
        }
        RoomKey now = load.rooms().at(place);
        if (!now.equals(room)) {
            room = now;
            wishes.comeToNewRoom();
        }
        int kind = dice.nextInt(100);
        Future<?> call;
        if (kind < LOOKS) {
            call = look(kind).onFailure(this::failedLook);
        } else if (kind < HEARTBEATS) {
            call = load.reads().heartbeat(client, room, userId).onFailure(this::failedLook);
        } else {
            call = command();
        }
        call.onComplete(ended -> load.later(1 + dice.nextInt(2 * load.pauseMs()), this::next));
    }

    private Future<?> look(int kind) {
        return switch (kind) {
            case 0, 1 -> load.reads().listPresence(client, room);
            case 2 -> load.reads().checkSpeak(client, room, userId);
            case 3 -> load.reads().checkPresence(client, room, userId);
            default -> load.reads().getRoom(client, room);
        };
    }

    private Future<?> command() {
        RoomCommand command = wishes.next();
        RoomKey asked = room;
        String commandId = userId + "-" + ++commands;
        PartyCall<?, ?> call = PartyCall.of(asked, commandId, command);
        if (percent(TWICE_PERCENT)) {
            load.sendAgain(asked, commandId, command, call);
        }
        if (percent(AGAIN_PERCENT)) {
            load.later(1 + dice.nextInt(LONGEST_AGAIN_MS), () -> load.sendAgain(asked, commandId, command, call));
        }
        long invokeNs = System.nanoTime();
        return call.sendBy(client).transform(ended -> {
            if (ended.succeeded()) {
                load.record().told(asked, commandId, command, invokeNs, ended.result());
                wishes.done(command, ended.result());
            } else {
                heard(load.record().failed(asked, commandId, command, invokeNs, ended.cause()));
            }
            return Future.succeededFuture();
        });
    }

    private boolean percent(int chance) {
        return dice.nextInt(100) < chance;
    }

    private void failedLook(Throwable failure) {
        if (failure instanceof RoomCallException known && known.reason().equals("ROOM_CLOSED")) {
            load.rooms().ended(place, room);
        }
    }

    private void heard(Ending ending) {
        if (ending instanceof Ending.Rejected no) {
            wishes.rejected(no.reason());
            if (no.reason() == Rejection.Reason.ROOM_CLOSED) {
                load.rooms().ended(place, room);
            }
        }
    }
}
