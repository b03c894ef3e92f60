package dev.roomcell.adapter.grpc;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.roomcell.domain.RoomKey;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.MessageSizeOverflowException;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import io.vertx.grpc.server.Service;
import io.vertx.grpc.server.ServiceBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gRPC service of unary methods, bound by its descriptor: a method without an implementation answers UNIMPLEMENTED.
 * It reads and writes bytes, so that a bad message can be answered by naming the field, and a stored result goes out as
 * it was stored. Whatever a method does, the caller gets a status with details and the connection lives on.
 */
final class UnaryService {
    private static final Logger log = LoggerFactory.getLogger(UnaryService.class);

    /** The one grpc-encoding that is taken. */
    private static final String IDENTITY = "identity";

    private final ServiceName name;
    private final ServiceDescriptor descriptor;
    private final RoomEntry entry;
    private final CallLimits limits;
    private final CallMeter meter;
    private final Map<String, Implementation> implementations = new HashMap<>();

    /**
     * A service without a method yet.
     *
     * @param entry takes the calls that concern a room
     */
    UnaryService(ServiceName name, ServiceDescriptor descriptor, RoomEntry entry, CallLimits limits, CallMeter meter) {
        this.name = name;
        this.descriptor = descriptor;
        this.entry = entry;
        this.limits = limits;
        this.meter = meter;
    }

    /** What a method does with a request; fails with {@link ApiException}, or with a fault of ours. */
    @FunctionalInterface
    interface Method<Q extends Message> {
        Future<Buffer> call(Q request, long timeoutMs);
    }

    /** What it returns never fails. */
    @FunctionalInterface
    private interface Implementation {
        Future<Reply> call(Buffer request, long timeoutMs);
    }

    /** A method that any node answers. */
    <Q extends Message> UnaryService on(String method, Parser<Q> parser, Method<Q> implementation) {
        MethodDescriptor declared = declared(method);
        implementations.put(method, (request, timeoutMs) -> {
            Q read = Requests.parse(parser, declared.getInputType(), request.getBytes());
            return Reply.of(method, implementation.call(read, timeoutMs));
        });
        return this;
    }

    /**
     * A method that is for the owner of a room.
     *
     * @param changes whether it may change the room
     * @param room which room a request concerns
     */
    <Q extends Message> UnaryService onRoom(
            String method, Parser<Q> parser, boolean changes, Function<Q, RoomKey> room, Method<Q> implementation) {
        MethodDescriptor declared = declared(method);
        String fullName = descriptor.getFullName() + "/" + method;
        Function<Buffer, RoomCall> reader = request -> {
            Q read = Requests.parse(parser, declared.getInputType(), request.getBytes());
            return new RoomCall(
                    fullName, request, room.apply(read), changes, timeoutMs -> implementation.call(read, timeoutMs));
        };
        entry.register(fullName, reader);
        implementations.put(method, (request, timeoutMs) -> entry.run(reader.apply(request), timeoutMs));
        return this;
    }

    private MethodDescriptor declared(String method) {
        MethodDescriptor declared = descriptor.findMethodByName(method);
        if (declared == null) {
            throw new IllegalArgumentException(descriptor.getFullName() + " has no method " + method);
        }
        return declared;
    }

    Service build() {
        ServiceBuilder service = Service.service(name, descriptor);
        for (MethodDescriptor declared : descriptor.getMethods()) {
            String method = declared.getName();
            Implementation implementation = implementations.getOrDefault(
                    method,
                    (request, timeoutMs) -> Future.succeededFuture(new Reply.Failed(ApiError.unimplemented(method))));
            ServiceMethod<Buffer, Buffer> bytes =
                    ServiceMethod.server(name, method, GrpcMessageEncoder.IDENTITY, GrpcMessageDecoder.IDENTITY);
            service.bind(bytes, request -> serve(method, implementation, request));
        }
        return service.build();
    }

    private void serve(String method, Implementation implementation, GrpcServerRequest<Buffer, Buffer> request) {
        Exchange exchange = new Exchange(method, request.response(), meter);
        if (request.encoding() != null && !IDENTITY.equals(request.encoding())) {
            // Unpacked, a message may be a thousand times as long as the limit allows.
            exchange.fail(ApiError.unimplemented("grpc-encoding " + request.encoding()));
            return;
        }
        request.errorHandler(cancelled -> exchange.abandon());
        request.invalidMessageHandler(invalid -> exchange.fail(
                invalid instanceof MessageSizeOverflowException
                        ? tooLarge()
                        : ApiError.invalidField("request", "can't be read")));
        request.handler(message -> {
            if (!exchange.take(message)) {
                exchange.fail(ApiError.invalidField("request", "must be one message, not several"));
            }
        });
        request.endHandler(end -> {
            Buffer message = exchange.taken();
            if (message == null) {
                exchange.fail(ApiError.invalidField("request", "must be one whole message"));
            } else if (!exchange.isOver()) {
                call(method, implementation, message, limits.timeoutMs(request.timeout()))
                        .onSuccess(exchange::end);
            }
        });
    }

    private ApiError tooLarge() {
        return ApiError.of(
                GrpcStatus.RESOURCE_EXHAUSTED,
                "INVALID_FIELD",
                "request: larger than " + limits.maxMessageBytes() + " bytes",
                ApiError.NEVER);
    }

    private static Future<Reply> call(String method, Implementation implementation, Buffer message, long timeoutMs) {
        try {
            return implementation.call(message, timeoutMs);
        } catch (RuntimeException refused) {
            return Reply.of(method, Future.failedFuture(refused));
        }
    }

    static Buffer encoded(MessageLite reply) {
        return Buffer.buffer(reply.toByteArray());
    }

    /** One call: takes one message, answers once, and says nothing to a caller who is gone. */
    private static final class Exchange {
        private final String method;
        private final GrpcServerResponse<Buffer, Buffer> response;
        private final CallMeter meter;
        /**
         * The stream's own. A response that is written on another one races with the end of its stream, and throws what
         * whoever completed the call must not hear: it has other calls to complete.
         */
        private final Context loop;

        private final long startedNs;
        private final AtomicBoolean over = new AtomicBoolean();
        private @Nullable Buffer message;

        Exchange(String method, GrpcServerResponse<Buffer, Buffer> response, CallMeter meter) {
            this.method = method;
            this.response = response;
            this.meter = meter;
            this.loop = Objects.requireNonNull(Vertx.currentContext());
            this.startedNs = meter.start();
        }

        /** False for every message after the first. */
        boolean take(Buffer received) {
            boolean first = message == null;
            if (first) {
                message = received;
            }
            return first;
        }

        @Nullable
        Buffer taken() {
            return message;
        }

        boolean isOver() {
            return over.get();
        }

        /** Answers; may be called on any thread. */
        void end(Reply reply) {
            loop.runOnContext(back -> endHere(reply));
        }

        private void endHere(Reply reply) {
            if (reply instanceof Reply.Failed failed) {
                fail(failed.error());
            } else if (ends("OK")) {
                send(() -> response.end(((Reply.Ok) reply).message()));
            }
        }

        void fail(ApiError error) {
            if (ends(error.reason())) {
                send(() -> {
                    response.status(error.status()).statusMessage(error.message());
                    response.trailers().set(ApiError.DETAILS_TRAILER, error.details());
                    return response.end();
                });
            }
        }

        /** The caller has cancelled, or its connection is gone. */
        void abandon() {
            ends("CANCELLED");
        }

        private boolean ends(String outcome) {
            boolean first = over.compareAndSet(false, true);
            if (first) {
                meter.ended(method, outcome, startedNs);
            }
            return first;
        }

        private void send(Supplier<Future<Void>> answer) {
            try {
                answer.get().onFailure(failure -> log.debug("{} not answered: {}", method, failure.toString()));
            } catch (IllegalStateException | NullPointerException gone) {
                log.debug("{} not answered, its stream has ended: {}", method, gone.getMessage());
            }
        }
    }
}
