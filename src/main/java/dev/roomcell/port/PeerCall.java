package dev.roomcell.port;

/**
 * A call on its way to the node that owns its room.
 *
 * @param method the full name of the API's method, {@code room.v1.RoomCommandService/JoinRoom}
 * @param request the request's bytes as they came; not to be changed
 */
public record PeerCall(String method, byte[] request) {}
