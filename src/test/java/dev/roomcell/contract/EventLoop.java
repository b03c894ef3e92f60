package dev.roomcell.contract;

import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;

/** An event loop of a node: the adapters belong to one, and a test calls them from outside. */
final class EventLoop extends VerticleBase {
    private EventLoop() {}

    /** A loop of {@code vertx}; two calls may give two. */
    static EventLoop of(Vertx vertx) {
        EventLoop loop = new EventLoop();
        Await.result(vertx.deployVerticle(loop));
        return loop;
    }

    /** Runs {@code call} on the loop and returns what it returned. */
    <T> T call(Callable<T> call) {
        return Await.result(run(() -> Future.succeededFuture(call.call())));
    }

    /** {@code port} with every call made on the loop. */
    <P> P port(Class<P> type, P port) {
        Object onLoop = Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> run(() -> invoke(port, method, arguments)));
        return type.cast(onLoop);
    }

    private static Future<Object> invoke(Object port, Method method, Object[] arguments) throws Exception {
        try {
            return ((Future<?>) method.invoke(port, arguments)).map(result -> (Object) result);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("a port must not throw", e.getCause());
        }
    }

    private <T> Future<T> run(Callable<Future<T>> call) {
        Promise<T> over = Promise.promise();
        context.runOnContext(now -> {
            try {
                call.call().onComplete(over);
            } catch (Exception e) {
                over.fail(e);
            }
        });
        return over.future();
    }
}
