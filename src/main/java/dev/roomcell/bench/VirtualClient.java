package dev.roomcell.bench;

import dev.roomcell.client.RoomClient;
import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.JoinRoomRequest;
import dev.roomcell.proto.room.v1.LeaveRoomRequest;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import io.vertx.core.Future;

/**
 * One user who enters and leaves a room in turn, or enters and gives, each time with a new command. Confined to one event loop, with one
 * command under way at most.
 */
final class VirtualClient {
    private static final int RADIX = Character.MAX_RADIX;
    private static final String RECEIVER = "receiver";

    private final RoomClient client;
    private final BenchSettings.Command command;
    private final String app;
    private final String room;
    private final String name;
    private int failures;
    private long commands;
    private boolean inside;
    private boolean receiverThere;

    /** A command that was acknowledged; the kind is the log's name for it. */
    record Ack(String room, String commandId, long version, String kind) {}

    /** {@code name} is this client's alone, in this run and all others. */
    VirtualClient(RoomClient client, BenchSettings.Command command, String app, String room, String name) {
        this.command = command;
        this.client = client;
        this.app = app;
        this.room = room;
        this.name = name;
    }

    /** Sends the next command. */
    Future<Ack> next() {
        String commandId = name + "-" + Long.toString(commands++, RADIX);
        if (!inside) {
            return join(commandId);
        }
        return switch (command) {
            case JOIN_LEAVE -> leave(commandId);
            case GIFT -> receiverThere ? give(commandId) : receive().compose(there -> give(commandId));
        };
    }

    /** Somebody to give to: one user in each room, who stays. */
    private Future<Void> receive() {
        JoinRoomRequest request = JoinRoomRequest.newBuilder()
                .setMeta(meta("receiver-" + room).toBuilder().setActorUserId(RECEIVER))
                .setRoomId(room)
                .build();
        return client.joinRoom(request).onSuccess(there -> receiverThere = true).mapEmpty();
    }

    private Future<Ack> give(String commandId) {
        SendGiftRequest request = SendGiftRequest.newBuilder()
                .setMeta(meta(commandId))
                .setRoomId(room)
                .setGiftId("rose")
                .setCount(1)
                .addReceiverUserIds(RECEIVER)
                .build();
        return client.sendGift(request)
                .map(given -> new Ack(room, commandId, given.getResult().getRoomVersion(), "SEND_GIFT"));
    }

    private Future<Ack> join(String commandId) {
        JoinRoomRequest request = JoinRoomRequest.newBuilder()
                .setMeta(meta(commandId))
                .setRoomId(room)
                .build();
        return client.joinRoom(request).map(joined -> {
            inside = true;
            return new Ack(room, commandId, joined.getResult().getRoomVersion(), "JOIN_ROOM");
        });
    }

    private Future<Ack> leave(String commandId) {
        LeaveRoomRequest request = LeaveRoomRequest.newBuilder()
                .setMeta(meta(commandId))
                .setRoomId(room)
                .build();
        return client.leaveRoom(request).map(left -> {
            inside = false;
            return new Ack(room, commandId, left.getResult().getRoomVersion(), "LEAVE_ROOM");
        });
    }

    /**
     * The last command failed, so nobody may know whether the user is inside. Goes on as another user: each of its
     * commands changes the room again, and so is in the log once it is acknowledged.
     */
    void startOver() {
        failures++;
        inside = false;
    }

    private CommandMeta meta(String commandId) {
        return CommandMeta.newBuilder()
                .setAppCode(app)
                .setActorUserId(failures == 0 ? name : name + "." + Integer.toString(failures, RADIX))
                .setCommandId(commandId)
                .setSentAtMs(System.currentTimeMillis())
                .build();
    }
}
