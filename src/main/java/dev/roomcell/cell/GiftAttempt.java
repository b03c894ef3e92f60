package dev.roomcell.cell;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.cell.Answer.Refused;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Gifts.Payment;
import dev.roomcell.domain.Gifts.SendGift;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RocketPlan;
import dev.roomcell.domain.Rockets.Fuel;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.CommandStore.LoggedCommand;
import dev.roomcell.port.GiftCatalog.Gift;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.port.GiftStore.Intent;
import dev.roomcell.port.GiftStore.Reward;
import dev.roomcell.port.GiftStore.State;
import dev.roomcell.port.RoomCodec.EncodedCommand;
import dev.roomcell.port.Wallet.DebitAnswer;
import dev.roomcell.port.Wallet.Refund;
import dev.roomcell.port.Wallet.Transfer;
import dev.roomcell.port.Wallet.WalletException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt to give a gift, of perhaps many with the same id, here and elsewhere. It may end after any step, and the
 * process with it: the next attempt goes on from what the intent says, and if none comes, the intent is given up.
 */
final class GiftAttempt {
    private static final Logger log = LoggerFactory.getLogger(GiftAttempt.class);
    /** Before a call of the wallet is made again, ms; doubled each time up to the longest. */
    private static final long FIRST_PAUSE_MS = 50;

    private static final long LONGEST_PAUSE_MS = 800;

    private static final WalletException.Kind UNKNOWN = WalletException.Kind.UNKNOWN;

    private final CellLoop loop;
    private final CellPorts ports;
    private final GiftPorts gifts;
    private final GiftSettings settings;
    private final CellRegistry rooms;
    private final IntentWriter intents;
    private final CommandRequest request;
    private final SendGift wish;
    private final GiftKey key;

    GiftAttempt(
            CellLoop loop,
            CellPorts ports,
            GiftSettings settings,
            CellRegistry rooms,
            IntentWriter intents,
            CommandRequest request) {
        this.loop = loop;
        this.ports = ports;
        this.gifts = ports.gifts();
        this.settings = settings;
        this.rooms = rooms;
        this.intents = intents;
        this.request = request;
        this.wish = (SendGift) request.command();
        this.key = new GiftKey(request.key().appCode(), request.commandId());
    }

    /** From the first check to the answer; never fails. */
    Future<Answer> run() {
        return Future.<Void>succeededFuture()
                .compose(begun -> rooms.read(request.key()))
                .compose(this::inRoom)
                .otherwise(fault -> {
                    log.error("gift {} in room {} failed", key, request.key(), fault);
                    return unknown();
                });
    }

    private long leftMs() {
        return request.deadlineMs() - ports.clock().monotonicMs();
    }

    /** Everything that can be checked is, before any money moves (GIFT-3). */
    private Future<Answer> inRoom(ReadAnswer read) {
        if (read instanceof ReadAnswer.Refused refused) {
            return Future.succeededFuture(refused.refused());
        }
        Optional<Rejection> no = read instanceof ReadAnswer.Rejected rejected
                ? Optional.of(rejected.rejection())
                : Gifts.refused(((ReadAnswer.Found) read).state(), wish);
        if (no.isPresent()) {
            return unlessBegun(new Answer.Rejected(no.get()));
        }
        return loop.reenter(gifts.catalog().find(key.appCode(), wish.giftId()))
                .transform(found -> found.succeeded() ? priced(found.result()) : unlessBegun(storeUnavailable()));
    }

    private Future<Answer> priced(Optional<Gift> gift) {
        if (gift.isEmpty()) {
            return unlessBegun(new Answer.Rejected(
                    new Rejection(Rejection.Reason.GIFT_UNAVAILABLE, "there is no such gift, or it is not on sale")
                            .with("gift_id", wish.giftId())));
        }
        OptionalLong total = total(gift.get().unitPriceCoins(), wish.pieces());
        if (total.isEmpty()) {
            return unlessBegun(new Answer.Rejected(
                    new Rejection(Rejection.Reason.INVALID_FIELD, "count: so many pieces cost more than there is")
                            .with("field", "count")));
        }
        // Before the intent: what is refused for want of room must not cost a refund.
        if (!gifts.wallet().takesCalls() || rooms.isFull(request.key())) {
            return unlessBegun(
                    Refused.of(Refusal.OVERLOADED, "the wallet or the room takes no more; nothing was charged"));
        }
        Intent intent = Intent.begun(
                key,
                request.key().roomId(),
                wish.actorUserId(),
                request.encoded().payloadHash(),
                gift.get(),
                wish.pieces(),
                total.getAsLong());
        return intents.begin(intent)
                .transform(begun -> begun.succeeded() ? from(begun.result()) : done(storeUnavailable()));
    }

    /** Exact, or nothing (B35). */
    private static OptionalLong total(long unitPriceCoins, long pieces) {
        try {
            return OptionalLong.of(Math.multiplyExact(unitPriceCoins, pieces));
        } catch (ArithmeticException tooMuch) {
            return OptionalLong.empty();
        }
    }

    /** A no to a new gift is none to one that was begun before: that one is what its intent says. */
    private Future<Answer> unlessBegun(Answer no) {
        return loop.reenter(gifts.store().find(List.of(key))).transform(found -> {
            if (found.failed()) {
                return done(storeUnavailable());
            }
            Intent intent = found.result().get(key);
            return intent == null ? done(no) : from(intent);
        });
    }

    /** Goes on from where the intent is, whoever began it. */
    private Future<Answer> from(Intent intent) {
        if (!intent.roomId().equals(request.key().roomId())
                || !Arrays.equals(intent.payloadHash(), request.encoded().payloadHash())) {
            return done(GiftFlow.conflict());
        }
        return switch (intent.state()) {
            case INTENT -> pay(intent);
            case COMMITTED -> committed(intent);
            case VOIDING, VOIDED -> done(new Answer.Rejected(GiftFlow.voided()));
        };
    }

    private Future<Answer> pay(Intent intent) {
        if (leftMs() <= 0) {
            // Whoever asked was told so already: what nobody waits for is not charged, only to be paid back.
            return done(unknown());
        }
        Transfer debit = new Transfer(key.appCode(), wish.actorUserId(), key.debitKey(), intent.totalPriceCoins());
        return untilKnown(timeoutMs -> gifts.wallet().debit(debit, timeoutMs)).transform(paid -> {
            if (paid.failed()) {
                return done(unpaid(paid.cause()));
            }
            DebitAnswer answer = paid.result();
            if (answer instanceof DebitAnswer.Debited debited) {
                return draw(intent, debited.balanceAfter());
            }
            return done(new Answer.Rejected(
                    answer instanceof DebitAnswer.Voided
                            ? GiftFlow.voided()
                            : new Rejection(
                                    Rejection.Reason.INSUFFICIENT_BALANCE,
                                    "there are not enough coins; nothing was charged")));
        });
    }

    private Answer unpaid(Throwable failure) {
        log.info("gift {}: {}", key, failure.toString());
        if (!(failure instanceof WalletException known)) {
            return unknown();
        }
        return switch (known.kind()) {
            case NOT_SENT -> Refused.of(Refusal.OVERLOADED, "the wallet takes no calls; this call charged nothing");
            case UNKNOWN -> unknown();
            case REFUSED -> Refused.of(Refusal.INTERNAL, "the wallet refuses the charge");
        };
    }

    /** What it won is known before the commit, or not part of it (GIFT-6). */
    private Future<Answer> draw(Intent intent, long balanceAfter) {
        Gift gift = intent.gift();
        Payment plain = new Payment(gift.unitPriceCoins(), intent.totalPriceCoins(), balanceAfter, 0, false);
        if (!gift.lucky()) {
            return commit(intent, plain);
        }
        long timeoutMs = Math.max(1, Math.min(settings.drawCallMs(), leftMs()));
        return loop.reenter(gifts.lottery().draw(GiftReconciler.drawOf(intent), timeoutMs))
                .transform(drawn -> commit(
                        intent,
                        new Payment(
                                plain.unitPriceCoins(),
                                plain.totalPriceCoins(),
                                balanceAfter,
                                drawn.succeeded() ? drawn.result() : 0,
                                drawn.failed())));
    }

    private Future<Answer> commit(Intent intent, Payment payment) {
        if (intent.gift().fuelPerPiece() == 0) {
            return commit(intent, payment, Fuel.NONE);
        }
        return loop.reenter(gifts.rockets().plan(key.appCode()))
                .otherwise(unread -> {
                    // What is paid for is given, with or without a rocket.
                    log.warn("gift {} gives no fuel: {}", key, unread.toString());
                    return RocketPlan.NONE;
                })
                .compose(plan -> commit(intent, payment, new Fuel(fuel(intent), plan)));
    }

    /** All pieces together; stops at the most there is (B35). */
    private static long fuel(Intent intent) {
        return total(intent.gift().fuelPerPiece(), intent.pieces()).orElse(Long.MAX_VALUE);
    }

    private Future<Answer> commit(Intent intent, Payment payment, Fuel fuel) {
        SendGift paid = wish.paid(payment, fuel);
        EncodedCommand encoded = ports.codec().encodeCommand(request.key(), paid);
        CommandRequest command =
                new CommandRequest(request.key(), request.commandId(), paid, encoded, request.deadlineMs());
        return rooms.submit(command).compose(answer -> {
            if (answer instanceof Refused refused && !isFinal(refused)) {
                return done(paidNotTold(refused));
            }
            if (!(answer instanceof Answer.Done given)) {
                return giveUp(answer);
            }
            if (given.replayed()) {
                return givenBefore();
            }
            return payment.rewardCoins() == 0 ? done(given) : credit(intent, payment.rewardCoins(), given);
        });
    }

    /** It won't be given under this id: the id is another command's in the room's log, or the gift can't be stored. */
    private static boolean isFinal(Refused refused) {
        return refused.refusal() == Refusal.COMMAND_ID_CONFLICT || refused.refusal() == Refusal.INTERNAL;
    }

    /**
     * The money is taken, so nobody is told any more that nothing happened (CMD-8): a new id would be charged anew. What
     * sends the command on to another node stays as it is; there it goes with its id.
     */
    private static Refused paidNotTold(Refused refused) {
        return switch (refused.refusal()) {
            case FENCED, LEASE_LOST, LOADING, OVERLOADED, STORE_UNAVAILABLE ->
                new Refused(
                        Refusal.OUTCOME_UNKNOWN,
                        "paid for; the same command id learns whether it is given, else it is paid back",
                        refused.owner());
            case NOT_OWNER,
                    DRAINING,
                    COMMAND_ID_CONFLICT,
                    OWNER_UNREACHABLE,
                    OUTCOME_UNKNOWN,
                    REWARD_IN_PROGRESS,
                    INTERNAL -> refused;
        };
    }

    /** What is in the log was decided by another attempt, with a draw of its own perhaps. */
    private Future<Answer> givenBefore() {
        return loop.reenter(gifts.store().find(List.of(key))).transform(found -> {
            if (found.failed()) {
                return done(unknown());
            }
            Intent intent = found.result().get(key);
            if (intent == null || intent.state() != State.COMMITTED) {
                throw new IllegalStateException("gift " + key + " is in the log, and its intent is " + intent);
            }
            return committed(intent);
        });
    }

    /** The room says no, and the money is taken: from now on no attempt can give the gift, and it goes back (GIFT-2). */
    private Future<Answer> giveUp(Answer no) {
        long againMs = 2 * settings.walletCallMs();
        return loop.reenter(gifts.store().giveUp(key, againMs)).transform(given -> {
            if (given.failed()) {
                return done(unknown());
            }
            if (given.result().filter(state -> state == State.COMMITTED).isPresent()) {
                return unlessBegun(no);
            }
            if (given.result().filter(state -> state == State.VOIDING).isEmpty()) {
                return done(no);
            }
            Refund refund = new Refund(key.appCode(), wish.actorUserId(), key.refundKey(), key.debitKey());
            long timeoutMs = Math.max(1, Math.min(settings.walletCallMs(), leftMs()));
            return loop.reenter(gifts.wallet().refund(refund, timeoutMs))
                    .compose(refunded -> loop.reenter(gifts.store().voided(key)))
                    .onFailure(failure -> log.info("gift {}: not refunded yet: {}", key, failure.toString()))
                    .transform(over -> done(no));
        });
    }

    private Future<Answer> committed(Intent intent) {
        return loop.reenter(ports.commands().findCommands(intent.room(), List.of(key.commandId())))
                .transform(found -> {
                    if (found.failed()) {
                        return done(unknown());
                    }
                    LoggedCommand logged = found.result().get(key.commandId());
                    if (logged == null) {
                        throw new IllegalStateException("gift " + key + " is committed and not in the log");
                    }
                    Answer.Done given = new Answer.Done(logged.result(), true);
                    // The answer says nothing of a late one: whoever drew it credits it, and tells (GIFT-6).
                    boolean owed = intent.reward() == Reward.DUE && !intent.rewardLate();
                    // Whoever is told so must not see the room without the gift after that.
                    return rooms.caughtUp(request.key()).compose(refused -> {
                        if (refused.isPresent()) {
                            return done(paidNotTold(refused.get()));
                        }
                        return owed ? credit(intent, intent.rewardCoins(), given) : done(given);
                    });
                });
    }

    /** The answer speaks of a balance with the reward in it: so the reward is there before it (GIFT-6). */
    private Future<Answer> credit(Intent intent, long rewardCoins, Answer.Done given) {
        Transfer credit = new Transfer(key.appCode(), intent.actorUserId(), key.creditKey(), rewardCoins);
        return untilKnown(timeoutMs -> gifts.wallet().credit(credit, timeoutMs)).transform(credited -> {
            if (credited.failed()) {
                log.info(
                        "gift {}: reward not credited yet: {}",
                        key,
                        credited.cause().toString());
                return done(Refused.of(
                        Refusal.REWARD_IN_PROGRESS,
                        "the gift is given; its reward is being credited, the same command id waits for it"));
            }
            gifts.store()
                    .rewardPaid(key)
                    .onFailure(failure -> log.info("gift {}: credit not noted yet: {}", key, failure.toString()));
            return done(given);
        });
    }

    /** Makes a call again and again while its outcome is unknown: the same key, so the same call. */
    private <T> Future<T> untilKnown(LongFunction<Future<T>> call) {
        return tryCall(call, FIRST_PAUSE_MS, false);
    }

    private <T> Future<T> tryCall(LongFunction<Future<T>> call, long pauseMs, boolean sent) {
        long timeoutMs = Math.max(1, Math.min(settings.walletCallMs(), leftMs()));
        return loop.reenter(call.apply(timeoutMs)).recover(failure -> {
            boolean maybe = sent || !(failure instanceof WalletException known && known.kind() != UNKNOWN);
            if (failure instanceof WalletException refused && refused.kind() == WalletException.Kind.REFUSED) {
                return Future.failedFuture(failure);
            }
            if (leftMs() <= pauseMs || !maybe) {
                return Future.failedFuture(
                        maybe ? new WalletException(UNKNOWN, String.valueOf(failure.getMessage())) : failure);
            }
            Promise<T> again = Promise.promise();
            loop.schedule(
                    pauseMs,
                    () -> tryCall(call, Math.min(LONGEST_PAUSE_MS, 2 * pauseMs), true)
                            .onComplete(again));
            return again.future();
        });
    }

    private static Future<Answer> done(Answer answer) {
        return Future.succeededFuture(answer);
    }

    private static Answer unknown() {
        return Refused.outcomeUnknown();
    }

    private static Answer storeUnavailable() {
        return Refused.of(
                Refusal.STORE_UNAVAILABLE,
                "what became of the gift could not be read or written; try again with the same command id");
    }
}
