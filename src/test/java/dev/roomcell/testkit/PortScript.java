package dev.roomcell.testkit;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.sim.Call;
import dev.roomcell.sim.MemoryDatabase;
import dev.roomcell.sim.PortTap;
import dev.roomcell.sim.SteppedLoop;
import dev.roomcell.sim.SteppedTime;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What stands between a node and its ports: it counts every call, and holds, fails or falsifies those that the test
 * names. A call that the test says nothing about goes through at once.
 */
public final class PortScript implements PortTap {
    /** An answer for a script to give: COMMIT was sent and not answered, for every room of the transaction. */
    public static final GroupOutcome UNKNOWN = new GroupOutcome.Unknown(List.of(), "no answer");

    /**
     * A transaction that was asked for.
     *
     * @param batches of which rooms
     * @param skipLocked whether rooms whose row is locked were to be left out
     */
    public record Commit(List<RoomBatch> batches, boolean skipLocked) {
        /** The rooms of it, in order. */
        public List<RoomKey> rooms() {
            return batches.stream().map(RoomBatch::key).toList();
        }
    }

    /** What happens to one call. */
    public interface Treatment {
        /** Makes {@code effect} happen, or not, and answers. */
        <T> Future<T> treat(Call call, Supplier<Future<T>> effect);
    }

    private final SteppedTime time;
    private final SteppedLoop loop;
    private final List<Call> calls = new ArrayList<>();
    private final List<Commit> commits = new ArrayList<>();
    private final Map<Call, Deque<Treatment>> next = new EnumMap<>(Call.class);
    private Function<Call, Treatment> otherwise = call -> passed();
    private boolean foreign;

    /** A script that lets everything through, as long as it comes from {@code loop}. */
    public PortScript(SteppedTime time, SteppedLoop loop) {
        this.time = time;
        this.loop = loop;
    }

    /** Lets the call through, as the script says; a call that does not come from the node's loop is reported. */
    @Override
    public <T> Future<T> pass(Call call, String about, Supplier<Future<T>> effect) {
        if (!loop.isCurrent()) {
            time.report(new AssertionError(call + " called by " + Thread.currentThread() + ", off the loop"));
        }
        calls.add(call);
        Treatment scripted = next.getOrDefault(call, new ArrayDeque<>()).poll();
        Future<T> answer = (scripted != null ? scripted : otherwise.apply(call)).treat(call, effect);
        return foreign ? answeredByForeignThread(answer) : answer;
    }

    @Override
    public Future<GroupOutcome> commit(MemoryDatabase database, List<RoomBatch> batches, boolean skipLocked) {
        commits.add(new Commit(List.copyOf(batches), skipLocked));
        return PortTap.super
                .commit(database, batches, skipLocked)
                .map(outcome -> outcome == UNKNOWN ? unknown(batches) : outcome);
    }

    private static GroupOutcome unknown(List<RoomBatch> batches) {
        return new GroupOutcome.Unknown(Collections.nCopies(batches.size(), Verdict.APPENDED), "no answer");
    }

    /** The transactions that were asked for, in order. */
    public List<Commit> commits() {
        return List.copyOf(commits);
    }

    private <T> Future<T> answeredByForeignThread(Future<T> answer) {
        Promise<T> promise = Promise.promise();
        answer.onComplete(result -> ForeignThread.run(time, () -> promise.handle(result)));
        return promise.future();
    }

    /** From now on every port answers on a thread that is no loop's. */
    public void answerOnForeignThreads() {
        foreign = true;
    }

    /** The calls since the last {@link #forget}, in order. */
    public List<Call> calls() {
        return List.copyOf(calls);
    }

    /** How many of the calls since the last {@link #forget} match. */
    public int count(Predicate<Call> which) {
        return Math.toIntExact(calls.stream().filter(which).count());
    }

    /** How many of the calls since the last {@link #forget} were this one. */
    public int count(Call which) {
        return count(call -> call == which);
    }

    /** Begins to count anew. */
    public void forget() {
        calls.clear();
    }

    /** The next call of this kind is treated like that; said twice, it is for the next two. */
    public void next(Call call, Treatment treatment) {
        next.computeIfAbsent(call, none -> new ArrayDeque<>()).add(treatment);
    }

    /** The next call of this kind waits until the test lets it go. */
    public HeldCall holdNext(Call call) {
        HeldCall held = new HeldCall();
        next(call, held);
        return held;
    }

    /** Every call that {@link #next} says nothing about is treated like that. */
    public void always(Function<Call, Treatment> treatments) {
        otherwise = treatments;
    }

    /** From now on matching calls fail without effect, until {@link #recover}. */
    public void breakDown(Predicate<Call> which) {
        always(call -> which.test(call) ? failed() : passed());
    }

    /** From now on calls go through again. */
    public void recover() {
        always(call -> passed());
    }

    /** It happens, and is answered. */
    public static Treatment passed() {
        return new Treatment() {
            @Override
            public <T> Future<T> treat(Call call, Supplier<Future<T>> effect) {
                return effect.get();
            }
        };
    }

    /** It does not happen, and fails. */
    public static Treatment failed() {
        return new Treatment() {
            @Override
            public <T> Future<T> treat(Call call, Supplier<Future<T>> effect) {
                return Future.failedFuture(call.failure("not sent"));
            }
        };
    }

    /** It does not happen, and the adapter has a bug: it throws where it should answer. */
    public static Treatment thrown() {
        return new Treatment() {
            @Override
            public <T> Future<T> treat(Call call, Supplier<Future<T>> effect) {
                throw new IllegalStateException(call + ": a bug of the adapter");
            }
        };
    }

    /** It happens, and its answer is lost. */
    public static Treatment answerLost() {
        return new Treatment() {
            @Override
            public <T> Future<T> treat(Call call, Supplier<Future<T>> effect) {
                return effect.get().transform(done -> Future.failedFuture(call.failure("answer lost")));
            }
        };
    }

    /** It does not happen, and {@code answer} is given; of the call's own type. */
    public static Treatment answered(Object answer) {
        return new Treatment() {
            @Override
            public <T> Future<T> treat(Call call, Supplier<Future<T>> effect) {
                return Future.succeededFuture(HeldCall.cast(answer));
            }
        };
    }

    /** It happens, and {@code answer} is given instead of its own; of the call's own type. */
    public static Treatment happensAndAnswers(Object answer) {
        return new Treatment() {
            @Override
            public <T> Future<T> treat(Call call, Supplier<Future<T>> effect) {
                return effect.get().map(done -> HeldCall.cast(answer));
            }
        };
    }
}
