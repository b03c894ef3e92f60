package dev.roomcell.testkit;

import dev.roomcell.sim.Call;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call that waits for the test: when it takes effect, and when and how it is answered, are two things. */
public final class HeldCall implements PortScript.Treatment {
    private @Nullable Waiting<?> waiting;

    private record Waiting<T>(Call call, Supplier<Future<T>> effect, Promise<T> promise) {
        void letGo() {
            effect.get().onComplete(promise);
        }

        void answerWith(Object answer) {
            promise.complete(cast(answer));
        }
    }

    HeldCall() {}

    @Override
    public <T> Future<T> treat(Call call, Supplier<Future<T>> effect) {
        Waiting<T> held = new Waiting<>(call, effect, Promise.promise());
        waiting = held;
        return held.promise.future();
    }

    /** The test knows the type of the answer, the compiler does not. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <T> T cast(Object answer) {
        return (T) answer;
    }

    /** Whether the call was made. */
    public boolean arrived() {
        return waiting != null;
    }

    private Waiting<?> waiting() {
        if (waiting == null) {
            throw new AssertionError("the call was not made");
        }
        return waiting;
    }

    /** It happens now, and is answered. */
    public void letGo() {
        waiting().letGo();
    }

    /** It happens now, whatever it was or will be answered. */
    public void happen() {
        Future<?> happened = waiting().effect.get();
        if (happened.failed()) {
            throw new AssertionError("the call failed", happened.cause());
        }
    }

    /** It is answered now, whether it happened or not; {@code answer} is of the call's own type. */
    public void answerWith(Object answer) {
        waiting().answerWith(answer);
    }

    /** It fails now, whether it happened or not. */
    public void fail() {
        waiting().promise.fail(waiting().call.failure("held, then failed"));
    }
}
