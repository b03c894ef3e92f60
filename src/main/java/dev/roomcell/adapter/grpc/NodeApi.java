package dev.roomcell.adapter.grpc;

import dev.roomcell.cell.NodeDrain;
import dev.roomcell.port.Members;
import dev.roomcell.port.Peer;
import dev.roomcell.proto.room.admin.v1.DrainRequest;
import dev.roomcell.proto.room.admin.v1.DrainResponse;
import dev.roomcell.proto.room.admin.v1.GetNodeRequest;
import dev.roomcell.proto.room.admin.v1.GetNodeResponse;
import dev.roomcell.proto.room.admin.v1.NodeAdminServiceGrpcService;
import dev.roomcell.proto.room.admin.v1.NodeState;
import dev.roomcell.proto.room.admin.v1.NodeStatus;
import dev.roomcell.proto.room.admin.v1.UndrainRequest;
import dev.roomcell.proto.room.admin.v1.UndrainResponse;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.server.Service;
import java.util.TreeSet;
import java.util.function.Supplier;

/** {@code room.admin.v1.NodeAdminService}: this very node, for its operators. */
public final class NodeApi {
    private final Supplier<Peer> self;
    private final Members members;
    private final NodeDrain drain;

    private NodeApi(Supplier<Peer> self, Members members, NodeDrain drain) {
        this.self = self;
        this.members = members;
        this.drain = drain;
    }

    /**
     * The service.
     *
     * @param self who this node is; asked at the first call, when its port is known
     */
    public static Service service(
            Supplier<Peer> self, Members members, NodeDrain drain, CallLimits limits, CallMeter meter) {
        NodeApi api = new NodeApi(self, members, drain);
        return new UnaryService(
                        NodeAdminServiceGrpcService.SERVICE_NAME,
                        NodeAdminServiceGrpcService.SERVICE_DESCRIPTOR,
                        RoomEntry.alone(),
                        limits,
                        meter)
                .on("GetNode", GetNodeRequest.parser(), api::getNode)
                .on("Drain", DrainRequest.parser(), api::drain)
                .on("Undrain", UndrainRequest.parser(), api::undrain)
                .build();
    }

    private Future<Buffer> getNode(GetNodeRequest request, long timeoutMs) {
        return status().map(node ->
                UnaryService.encoded(GetNodeResponse.newBuilder().setNode(node).build()));
    }

    private Future<Buffer> drain(DrainRequest request, long timeoutMs) {
        // It never fails, and GetNode tells how far it is.
        drain.begin();
        return status().map(node ->
                UnaryService.encoded(DrainResponse.newBuilder().setNode(node).build()));
    }

    private Future<Buffer> undrain(UndrainRequest request, long timeoutMs) {
        return drain.undo()
                .compose(taking -> status())
                .map(node -> UnaryService.encoded(
                        UndrainResponse.newBuilder().setNode(node).build()));
    }

    private Future<NodeStatus> status() {
        return drain.progress()
                .map(progress -> NodeStatus.newBuilder()
                        .setNodeId(self.get().nodeId())
                        .setAdvertiseAddr(self.get().advertiseAddr())
                        .setState(
                                switch (progress.state()) {
                                    case SERVING -> NodeState.NODE_STATE_SERVING;
                                    case DRAINING -> NodeState.NODE_STATE_DRAINING;
                                    case DRAINED -> NodeState.NODE_STATE_DRAINED;
                                })
                        .setLoadedRooms(progress.loadedRooms())
                        .setDrainingSinceMs(progress.sinceMs())
                        .addAllMembers(new TreeSet<>(members.now()))
                        .build());
    }
}
