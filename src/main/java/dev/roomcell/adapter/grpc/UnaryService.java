package dev.roomcell.adapter.grpc;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.vertx.core.Future;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gRPC service of unary methods, bound by its descriptor: a method without an implementation answers UNIMPLEMENTED.
 * It reads and writes bytes, so that a bad message can be answered by naming the field, and a stored result goes out as
 * it was stored. Whatever a method does, the caller gets a status with details and the connection lives on.
 */
final class UnaryService {
    private static final Logger log = LoggerFactory.getLogger(UnaryService.class);

    private final ServiceName name;
    private final ServiceDescriptor descriptor;
    private final CallLimits limits;
    private final CallMeter meter;
    private final Map<String, Implementation> implementations = new HashMap<>();

    UnaryService(ServiceName name, ServiceDescriptor descriptor, CallLimits limits, CallMeter meter) {
        this.name = name;
        this.descriptor = descriptor;
        this.limits = limits;
        this.meter = meter;
    }

    /** What a method does with a request; fails with {@link ApiException}, or with a fault of ours. */
    @FunctionalInterface
    interface Method<Q extends Message> {
        Future<Buffer> call(Q request, long timeoutMs);
    }

    @FunctionalInterface
    private interface Implementation {
        Future<Buffer> call(Buffer request, long timeoutMs);
    }

    <Q extends Message> UnaryService on(String method, Parser<Q> parser, Method<Q> implementation) {
        MethodDescriptor declared = descriptor.findMethodByName(method);
        if (declared == null) {
            throw new IllegalArgumentException(descriptor.getFullName() + " has no method " + method);
        }
        implementations.put(
                method,
                (request, timeoutMs) -> implementation.call(
                        Requests.parse(parser, declared.getInputType(), request.getBytes()), timeoutMs));
        return this;
    }

    Service build() {
        ServiceBuilder service = Service.service(name, descriptor);
        for (MethodDescriptor declared : descriptor.getMethods()) {
            String method = declared.getName();
            Implementation implementation = implementations.getOrDefault(
                    method,
                    (request, timeoutMs) -> Future.failedFuture(new ApiException(ApiError.unimplemented(method))));
            ServiceMethod<Buffer, Buffer> bytes =
                    ServiceMethod.server(name, method, GrpcMessageEncoder.IDENTITY, GrpcMessageDecoder.IDENTITY);
            service.bind(bytes, request -> serve(method, implementation, request));
        }
        return service.build();
    }

    private void serve(String method, Implementation implementation, GrpcServerRequest<Buffer, Buffer> request) {
        long startedNs = meter.start();
        request.invalidMessageHandler(invalid -> {
            ApiError error = invalid instanceof MessageSizeOverflowException
                    ? ApiError.of(
                            GrpcStatus.RESOURCE_EXHAUSTED,
                            "INVALID_FIELD",
                            "request: larger than " + limits.maxMessageBytes() + " bytes",
                            ApiError.NEVER)
                    : ApiError.invalidField("request", "can't be read");
            fail(request.response(), error);
            meter.ended(method, error.reason(), startedNs);
        });
        request.handler(message -> call(implementation, message, limits.timeoutMs(request.timeout()))
                .onSuccess(reply -> {
                    send(request.response().end(reply));
                    meter.ended(method, "OK", startedNs);
                })
                .onFailure(failure -> {
                    ApiError error = errorOf(method, failure);
                    fail(request.response(), error);
                    meter.ended(method, error.reason(), startedNs);
                }));
    }

    private static Future<Buffer> call(Implementation implementation, Buffer message, long timeoutMs) {
        try {
            return implementation.call(message, timeoutMs);
        } catch (RuntimeException refused) {
            return Future.failedFuture(refused);
        }
    }

    private static ApiError errorOf(String method, Throwable failure) {
        if (failure instanceof ApiException answer) {
            return answer.error();
        }
        log.error("{} failed", method, failure);
        return ApiError.internal();
    }

    private static void fail(GrpcServerResponse<Buffer, Buffer> response, ApiError error) {
        response.status(error.status()).statusMessage(error.message());
        response.trailers().set(ApiError.DETAILS_TRAILER, error.details());
        send(response.end());
    }

    private static void send(Future<Void> sent) {
        sent.onFailure(failure -> log.debug("reply not sent: {}", failure.toString()));
    }

    static Buffer encoded(MessageLite reply) {
        return Buffer.buffer(reply.toByteArray());
    }
}
