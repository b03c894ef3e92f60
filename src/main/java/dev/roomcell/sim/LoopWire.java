package dev.roomcell.sim;

import dev.roomcell.check.Invariant;
import dev.roomcell.check.Violation;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.StoredRoom;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.RtcControl;
import dev.roomcell.port.Wallet.WalletException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One loop's connections to the servers: a call travels, is served, and its answer travels back to the loop, unless
 * something is in the way. Like the adapters it gives up after a while, which keeps nothing from happening later.
 */
final class LoopWire implements PortTap {
    private static final long MYSQL_STATEMENT_MS = 5_000;
    private static final int LATEST_MS = 8_000;
    /** No call has its effect at the wallet later than so long after it was made, ms. */
    static final int LATEST_AT_WALLET_MS = 90_000;

    private static final int RETRANSMIT_MS = 400;
    private static final int EXTERNALS_MS = 60;
    private static final int TROUBLED_MESSAGES_PERCENT = 2;

    private final Surroundings around;
    private final String name;
    private final SteppedLoop loop;
    private final Links links;
    private final Consumer<Call> onSent;
    private final long leaseTtlMs;
    /** Redis is asked over one connection, which keeps the order of calls and of answers. */
    private long redisArrivalMs;

    private long redisAnswerMs;
    private final ArrayDeque<Runnable> redisArrivals = new ArrayDeque<>();

    /** The epochs for which VerifyOwner has passed, and nothing was written since. */
    private final Map<RoomKey, Long> proven = new HashMap<>();

    /**
     * The connections of {@code loop}.
     *
     * @param name what the loop is called
     * @param onSent hears each call that has been sent
     * @param leaseTtlMs how long a lease lives; no call to Redis waits longer than a sixth of it, ms
     */
    LoopWire(Surroundings around, String name, SteppedLoop loop, Links links, Consumer<Call> onSent, long leaseTtlMs) {
        this.around = around;
        this.name = name;
        this.loop = loop;
        this.links = links;
        this.onSent = onSent;
        this.leaseTtlMs = leaseTtlMs;
    }

    /** What chance has in store for a call. */
    private enum Fate {
        SERVED,
        REQUEST_LOST,
        ANSWER_LOST,
        /** Served long after it was given up. */
        LATE
    }

    /** One call on its way. */
    private final class Exchange<T> {
        private final Call call;
        private final String what;
        private final Supplier<Future<T>> effect;
        private final SimulatedServer server;
        private final Link link;
        private final int generation;
        private final Promise<T> answer = Promise.promise();
        private boolean answerLost;

        Exchange(Call call, String about, Supplier<Future<T>> effect) {
            this.call = call;
            this.what = name + " " + call + " " + about;
            this.effect = effect;
            this.server = serverOf(call);
            this.link = linkOf(call);
            this.generation = server.generation();
        }

        Future<T> begin(long timeoutMs) {
            CellLoop.Cancellable deadline =
                    loop.schedule(timeoutMs, () -> answer.tryFail(call.failure("no answer in time")));
            answer.future().onComplete(answered -> deadline.cancel());
            Fate fate = fate();
            around.trace.note(fate == Fate.SERVED ? what : what + ": " + fate);
            answerLost = fate != Fate.SERVED;
            if (answerLost && around.dice.coin()) {
                lost("connection reset");
            }
            switch (fate) {
                case SERVED, ANSWER_LOST -> around.time.later(travelMs(true), this::arrive);
                case LATE -> around.time.later(around.dice.below(latestMs()), this::arrive);
                case REQUEST_LOST -> {
                    // Nobody ever hears of it.
                }
            }
            onSent.accept(call);
            return answer.future();
        }

        /** Others keep a call in queues of theirs, for longer than anybody here remembers it. */
        private int latestMs() {
            return call == Call.WALLET && around.dice.coin() ? LATEST_AT_WALLET_MS : LATEST_MS;
        }

        private Fate fate() {
            boolean troubled = call == Call.WALLET && around.dice.percent(around.walletTroublePercent);
            if (!troubled && !around.dice.percent(link.lossPercent())) {
                return Fate.SERVED;
            }
            return around.dice.any(List.of(Fate.REQUEST_LOST, Fate.ANSWER_LOST, Fate.LATE));
        }

        private long travelMs(boolean there) {
            int ms = 1 + around.dice.below(link.slowestMs());
            if (call.toRedis()) {
                long atMs = Math.max(around.time.nowMs() + ms, there ? redisArrivalMs : redisAnswerMs);
                if (there) {
                    redisArrivalMs = atMs;
                } else {
                    redisAnswerMs = atMs;
                }
                return atMs - around.time.nowMs();
            }
            return ms;
        }

        private void arrive() {
            long nowMs = around.time.nowMs();
            if (link.isCut()) {
                if (around.dice.percent(90)) {
                    around.time.later(RETRANSMIT_MS, this::arrive);
                }
            } else if (server.generation() != generation || server.isDown()) {
                lost("connection refused or lost");
            } else if (nowMs < server.stalledUntilMs()) {
                around.time.later(server.stalledUntilMs() - nowMs, this::arrive);
            } else if (server.isReadOnly() && call.writesToMysql() && call != Call.COMMIT) {
                answer(Future.failedFuture(call.failure("1290: the server is read-only")));
            } else {
                effect.get().onComplete(this::answer);
            }
        }

        private void answer(AsyncResult<T> result) {
            around.trace.note(what, result.succeeded() ? " done" : " refused");
            if (!answerLost) {
                around.time.later(travelMs(false), () -> arriveBack(result));
            }
        }

        private void arriveBack(AsyncResult<T> result) {
            if (server.generation() != generation) {
                lost("connection lost before the answer");
            } else if (!link.isCut()) {
                deliver(() -> {
                    if (result.succeeded()) {
                        answer.tryComplete(result.result());
                    } else {
                        answer.tryFail(result.cause());
                    }
                });
            }
        }

        /** A loop that was stopped may see to its connections in any order, but each of them keeps its own. */
        private void deliver(Runnable arrival) {
            if (call.toRedis()) {
                redisArrivals.addLast(arrival);
                loop.execute(() -> redisArrivals.removeFirst().run());
            } else {
                loop.execute(arrival);
            }
        }

        private void lost(String detail) {
            loop.execute(() -> answer.tryFail(call.failure(detail)));
        }
    }

    private SimulatedServer serverOf(Call call) {
        if (call == Call.WALLET) {
            return around.walletServer;
        }
        if (call == Call.DRAW) {
            return around.lotteryServer;
        }
        if (call == Call.PUBLISH) {
            return around.streamServer;
        }
        return call.toRedis() ? around.redisServer : around.mysqlServer;
    }

    private Link linkOf(Call call) {
        if (call == Call.WALLET || call == Call.DRAW) {
            return links.wallet();
        }
        if (call == Call.PUBLISH) {
            return links.streams();
        }
        return call.toRedis() ? links.redis() : links.mysql();
    }

    @Override
    public <T> Future<T> pass(Call call, String about, Supplier<Future<T>> effect) {
        return pass(call, about, call.toRedis() ? Math.max(10, leaseTtlMs / 6) : MYSQL_STATEMENT_MS, effect);
    }

    /** The same, of a call that is given up after {@code timeoutMs}. */
    <T> Future<T> pass(Call call, String about, long timeoutMs, Supplier<Future<T>> effect) {
        if (call == Call.WALLET && around.walletServer.isDown()) {
            return loop.reenter(Future.failedFuture(
                    new WalletException(WalletException.Kind.NOT_SENT, "the wallet takes no connection")));
        }
        return new Exchange<>(call, about, effect).begin(timeoutMs);
    }

    /** A connection to what is neither MySQL nor Redis: the makers of IM groups and RTC rooms. */
    Future<Void> prepare(String about) {
        return outside(Call.PREPARE, about, Future::succeededFuture);
    }

    /** RTC, as the node reaches it. */
    RtcControl rtc() {
        return new RtcControl() {
            @Override
            public Future<Void> removeUser(RoomKey key, String userId) {
                return outside(Call.RTC, key + " " + userId, () -> around.rtc.removeUser(key, userId));
            }

            @Override
            public Future<Void> dismissRoom(RoomKey key) {
                return outside(Call.RTC, key.toString(), () -> around.rtc.dismissRoom(key));
            }
        };
    }

    private Future<Void> outside(Call call, String about, Supplier<Future<Void>> effect) {
        Promise<Void> answer = Promise.promise();
        around.trace.note(name + " " + call + " " + about);
        onSent.accept(call);
        around.time.later(1 + around.dice.below(EXTERNALS_MS), () -> {
            Future<Void> done = around.externalsDown ? Future.failedFuture(call.failure("not done")) : effect.get();
            loop.execute(() -> answer.handle(done));
        });
        return answer.future();
    }

    /**
     * To the clients of a room. Now and then the message is lost, or its answer, or it arrives when the sender has long
     * given it up.
     */
    Future<Void> tell(RoomMessenger.Message message) {
        around.clients.told(name, message);
        Promise<Void> answer = Promise.promise();
        Fate fate = around.dice.percent(TROUBLED_MESSAGES_PERCENT)
                ? around.dice.any(List.of(Fate.REQUEST_LOST, Fate.ANSWER_LOST, Fate.LATE))
                : Fate.SERVED;
        long travelMs = fate == Fate.LATE ? around.dice.below(LATEST_MS) : 1L + around.dice.below(EXTERNALS_MS);
        if (fate != Fate.REQUEST_LOST) {
            around.time.later(travelMs, () -> arriveAtClients(message, fate == Fate.SERVED, answer));
        }
        return answer.future();
    }

    private void arriveAtClients(RoomMessenger.Message message, boolean answered, Promise<Void> answer) {
        boolean down = around.externalsDown;
        if (!down) {
            around.clients.see(name, message, answered);
        }
        if (answered) {
            loop.execute(() -> answer.handle(
                    down ? Future.failedFuture(Call.PREPARE.failure("not taken")) : Future.succeededFuture()));
        }
    }

    @Override
    public Future<List<Boolean>> verify(MemoryLeases leases, List<LeaseDirectory.Proof> proofs) {
        return PortTap.super.verify(leases, proofs).onSuccess(verified -> {
            for (int i = 0; i < proofs.size(); i++) {
                if (verified.get(i)) {
                    proven.put(proofs.get(i).key(), proofs.get(i).epoch());
                }
            }
        });
    }

    /** Four reads, as in the MySQL adapter: much may happen between the first and the last. */
    @Override
    public Future<StoredRoom> load(MemoryDatabase database, RoomKey key, long idsSinceMs, int maxIds) {
        return read("snapshot of " + key, () -> database.newestIntact(key))
                .compose(snapshot -> read("log of " + key, () -> database.tail(key, snapshot))
                        .compose(tail -> read("ids of " + key, () -> database.recentIds(key, idsSinceMs, maxIds))
                                .compose(ids ->
                                        read("row of " + key, () -> database.stored(key, snapshot, tail, ids)))));
    }

    private <T> Future<T> read(String about, Supplier<T> read) {
        return pass(Call.LOAD, about, () -> Future.<Void>succeededFuture().map(now -> read.get()));
    }

    @Override
    public Future<GroupOutcome> commit(MemoryDatabase database, List<RoomBatch> batches, boolean skipLocked) {
        batches.forEach(this::mustBeProven);
        MemoryTransaction transaction = database.begin(batches, skipLocked);
        around.begun(transaction);
        return new WiredTransaction(around, this, links.mysql(), transaction, batches, leaseTtlMs / 2).run();
    }

    /** Before each transaction VerifyOwner must have passed, and not for an earlier one (LEASE-6). */
    private void mustBeProven(RoomBatch batch) {
        if (!proven.remove(batch.key(), batch.epoch())) {
            around.found(new Violation(
                    Invariant.LEASE_6,
                    batch.key(),
                    name + " writes version " + batch.versionAfter() + ", and VerifyOwner has not passed"));
        }
    }
}
