package dev.roomcell.ctl;

import dev.roomcell.proto.room.admin.v1.DrainRequest;
import dev.roomcell.proto.room.admin.v1.DrainResponse;
import dev.roomcell.proto.room.admin.v1.GetNodeRequest;
import dev.roomcell.proto.room.admin.v1.GetNodeResponse;
import dev.roomcell.proto.room.admin.v1.NodeAdminServiceGrpcClient;
import dev.roomcell.proto.room.admin.v1.NodeStatus;
import dev.roomcell.proto.room.admin.v1.UndrainRequest;
import dev.roomcell.proto.room.admin.v1.UndrainResponse;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** One node's {@code room.admin.v1.NodeAdminService}, for a caller that waits. */
final class NodeControl implements AutoCloseable {
    /** A node that has not answered by then is taken for not there, ms. */
    private static final int CALL_MS = 5_000;

    private final Vertx vertx;
    private final GrpcClient grpc;
    private final NodeAdminServiceGrpcClient node;

    /** The node at {@code host} and {@code port}; it is not called yet. */
    NodeControl(String host, int port) {
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        GrpcClientOptions options = new GrpcClientOptions()
                .setTimeout(CALL_MS)
                .setTimeoutUnit(TimeUnit.MILLISECONDS)
                .setScheduleDeadlineAutomatically(true);
        grpc = GrpcClient.client(
                vertx,
                options,
                new HttpClientOptions().setHttp2ClearTextUpgrade(false).setConnectTimeout(CALL_MS));
        node = NodeAdminServiceGrpcClient.create(grpc, SocketAddress.inetSocketAddress(port, host));
    }

    /** The node did not answer, or not as a node does. */
    static final class UnreachableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreachableException(Throwable cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }

    NodeStatus status() throws UnreachableException {
        return answer(node.getNode(GetNodeRequest.getDefaultInstance()).map(GetNodeResponse::getNode));
    }

    NodeStatus drain() throws UnreachableException {
        return answer(node.drain(DrainRequest.getDefaultInstance()).map(DrainResponse::getNode));
    }

    NodeStatus undrain() throws UnreachableException {
        return answer(node.undrain(UndrainRequest.getDefaultInstance()).map(UndrainResponse::getNode));
    }

    private static <T> T answer(Future<T> call) throws UnreachableException {
        try {
            return call.toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(2L * CALL_MS, TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException failure) {
            Throwable cause = failure.getCause();
            throw new UnreachableException(cause == null ? failure : cause);
        }
    }

    @Override
    public void close() {
        grpc.close()
                .eventually(vertx::close)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }
}
