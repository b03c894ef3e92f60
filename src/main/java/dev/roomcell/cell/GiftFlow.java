package dev.roomcell.cell;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.cell.Answer.Refused;
import dev.roomcell.domain.Rejection;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.GiftStore.GiftKey;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Gifts under way on one loop. A gift is an intent first, then money, then a command of its room; so money that has moved
 * is always known of, and the row of the intent decides whether it stays or goes back (GIFT-1, GIFT-2). The steps of one
 * gift are {@link GiftAttempt}.
 */
final class GiftFlow {
    /** Gifts under way; one more is refused. */
    private static final int MOST_UNDER_WAY = 4_096;

    private final CellLoop loop;
    private final CellPorts ports;
    private final GiftSettings settings;
    private final CellRegistry rooms;
    private final IntentWriter intents;
    private final Map<GiftKey, UnderWay> underWay = new HashMap<>();

    /** A gift that somebody waits for. */
    private record UnderWay(byte[] payloadHash, Future<Answer> answer) {}

    GiftFlow(CellLoop loop, CellPorts ports, GiftSettings settings, CellRegistry rooms) {
        this.loop = loop;
        this.ports = ports;
        this.settings = settings;
        this.rooms = rooms;
        this.intents = new IntentWriter(loop, ports.gifts().store(), settings.voidAfterMs());
    }

    /** The rejection of a command that was given up. */
    static Rejection voided() {
        return new Rejection(
                Rejection.Reason.GIFT_VOIDED,
                "this command was given up, and what was charged is paid back; send a new one under a new id");
    }

    /**
     * Gives a gift: {@code request} holds a {@link dev.roomcell.domain.Gifts.SendGift} that is not paid for. Answered by the
     * request's deadline; the future never fails.
     */
    Future<Answer> send(CommandRequest request) {
        GiftKey key = new GiftKey(request.key().appCode(), request.commandId());
        UnderWay first = underWay.get(key);
        if (first != null) {
            // Two at once are one (CMD-3): whatever the first one comes to, so does the second.
            return Arrays.equals(first.payloadHash, request.encoded().payloadHash())
                    ? byDeadline(first.answer, request.deadlineMs())
                    : Future.succeededFuture(conflict());
        }
        if (underWay.size() >= MOST_UNDER_WAY) {
            return Future.succeededFuture(
                    Refused.of(Refusal.OVERLOADED, "too many gifts are under way; nothing was charged, try again"));
        }
        Promise<Answer> answer = Promise.promise();
        underWay.put(key, new UnderWay(request.encoded().payloadHash(), answer.future()));
        new GiftAttempt(loop, ports, settings, rooms, intents, request).run().onComplete(over -> {
            underWay.remove(key);
            answer.handle(over);
        });
        return byDeadline(answer.future(), request.deadlineMs());
    }

    static Answer conflict() {
        return Refused.of(Refusal.COMMAND_ID_CONFLICT, "the command id was used for another command; take a new id");
    }

    /** A caller is told in time, and the gift goes on: the same id learns what came of it. */
    private Future<Answer> byDeadline(Future<Answer> answer, long deadlineMs) {
        if (answer.isComplete()) {
            return answer;
        }
        Promise<Answer> told = Promise.promise();
        CellLoop.Cancellable timer = loop.schedule(
                Math.max(1, deadlineMs - ports.clock().monotonicMs()),
                () -> told.tryComplete(Refused.of(
                        Refusal.OUTCOME_UNKNOWN,
                        "no outcome within the deadline; send the same command id again to learn it")));
        answer.onComplete(over -> {
            timer.cancel();
            told.tryComplete(over.result());
        });
        return told.future();
    }
}
