package dev.roomcell.adapter.codec;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.roomcell.domain.CommandResult;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.SnapshotStore;
import dev.roomcell.proto.internal.v1.CloseRoomCommand;
import dev.roomcell.proto.internal.v1.CreateRoomCommand;
import dev.roomcell.proto.internal.v1.HealRoomCommand;
import dev.roomcell.proto.internal.v1.JoinRoomCommand;
import dev.roomcell.proto.internal.v1.LeaveRoomCommand;
import dev.roomcell.proto.internal.v1.RoomClosedEvent;
import dev.roomcell.proto.internal.v1.RoomCreatedEvent;
import dev.roomcell.proto.internal.v1.RoomMicChangedEvent;
import dev.roomcell.proto.internal.v1.RoomUserJoinedEvent;
import dev.roomcell.proto.internal.v1.RoomUserLeftEvent;
import dev.roomcell.proto.internal.v1.StoredCommand;
import dev.roomcell.proto.internal.v1.StoredEvent;
import dev.roomcell.proto.internal.v1.StoredEvents;
import dev.roomcell.proto.internal.v1.StoredLastSeen;
import dev.roomcell.proto.internal.v1.StoredMember;
import dev.roomcell.proto.internal.v1.StoredProfile;
import dev.roomcell.proto.internal.v1.StoredSeat;
import dev.roomcell.proto.internal.v1.StoredState;
import io.vavr.collection.HashMap;
import io.vavr.collection.Map;
import io.vavr.collection.Vector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The stored form of the domain, in the messages of {@code proto/internal/v1/storage.proto}. */
public final class StoredForm implements RoomCodec {
    /** The newest schema that this node writes and reads. */
    static final int SCHEMA_VERSION = 1;

    private static final int PAYLOAD_HASH_BYTES = 16;

    @Override
    public EncodedCommand encodeCommand(RoomKey key, RoomCommand command) {
        StoredCommand.Builder stored = StoredCommand.newBuilder().setActorUserId(command.actorUserId());
        switch (command.kind()) {
            case CREATE_ROOM -> {
                Lifecycle.CreateRoom create = (Lifecycle.CreateRoom) command;
                stored.setCreateRoom(CreateRoomCommand.newBuilder()
                        .setProfile(profile(create.profile()))
                        .setSeatCount(create.seatCount()));
            }
            case CLOSE_ROOM -> stored.setCloseRoom(CloseRoomCommand.getDefaultInstance());
            case HEAL_ROOM -> stored.setHealRoom(HealRoomCommand.getDefaultInstance());
            case JOIN_ROOM -> stored.setJoinRoom(JoinRoomCommand.getDefaultInstance());
            case LEAVE_ROOM -> stored.setLeaveRoom(LeaveRoomCommand.getDefaultInstance());
        }
        // The hash must not change with the schema: a retry may be older than an upgrade.
        byte[] payloadHash = payloadHash(key, bytes(stored.build()));
        return new EncodedCommand(bytes(stored.setSchemaVersion(SCHEMA_VERSION).build()), payloadHash);
    }

    /** Over app, room, and the stored command: its kind, actor and business fields, and nothing else (CMD-1). */
    private static byte[] payloadHash(RoomKey key, byte[] command) {
        MessageDigest sha256 = sha256();
        sha256.update(key.routeKey().getBytes(StandardCharsets.UTF_8));
        sha256.update((byte) 0);
        return Arrays.copyOf(sha256.digest(command), PAYLOAD_HASH_BYTES);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public RoomCommand decodeCommand(byte[] command) {
        StoredCommand stored = parse(StoredCommand.parser(), command);
        known(stored.getSchemaVersion());
        String actor = stored.getActorUserId();
        return switch (stored.getCommandCase()) {
            case CREATE_ROOM ->
                new Lifecycle.CreateRoom(
                        actor,
                        profile(stored.getCreateRoom().getProfile()),
                        stored.getCreateRoom().getSeatCount());
            case CLOSE_ROOM -> new Lifecycle.CloseRoom(actor);
            case HEAL_ROOM -> new Lifecycle.HealRoom();
            case JOIN_ROOM -> new Presence.JoinRoom(actor);
            case LEAVE_ROOM -> new Presence.LeaveRoom(actor);
            case COMMAND_NOT_SET -> throw new UnreadableException("a command of an unknown kind");
        };
    }

    @Override
    public byte[] encodeEvents(List<RoomEvent> events) {
        StoredEvents.Builder stored = StoredEvents.newBuilder().setSchemaVersion(SCHEMA_VERSION);
        events.forEach(event -> stored.addEvents(event(event)));
        return bytes(stored.build());
    }

    private static StoredEvent event(RoomEvent event) {
        StoredEvent.Builder stored = StoredEvent.newBuilder();
        switch (event.type()) {
            case ROOM_CREATED -> {
                Lifecycle.RoomCreated created = (Lifecycle.RoomCreated) event;
                stored.setRoomCreated(RoomCreatedEvent.newBuilder()
                        .setProfile(profile(created.profile()))
                        .setSeatCount(created.seatCount()));
            }
            case ROOM_CLOSED -> {
                Lifecycle.RoomClosed closed = (Lifecycle.RoomClosed) event;
                stored.setRoomClosed(RoomClosedEvent.newBuilder()
                        .setCause(closed.cause().name())
                        .setUsersPresent(closed.usersPresent()));
            }
            case ROOM_USER_JOINED -> {
                Presence.RoomUserJoined joined = (Presence.RoomUserJoined) event;
                stored.setRoomUserJoined(RoomUserJoinedEvent.newBuilder()
                        .setUserId(joined.userId())
                        .setOnlineCount(joined.onlineCount()));
            }
            case ROOM_USER_LEFT -> {
                Presence.RoomUserLeft left = (Presence.RoomUserLeft) event;
                stored.setRoomUserLeft(RoomUserLeftEvent.newBuilder()
                        .setUserId(left.userId())
                        .setCause(left.cause().name())
                        .setJoinedAtMs(left.joinedAtMs())
                        .setOnlineCount(left.onlineCount()));
            }
            case ROOM_MIC_CHANGED -> {
                MicSeats.RoomMicChanged changed = (MicSeats.RoomMicChanged) event;
                stored.setRoomMicChanged(RoomMicChangedEvent.newBuilder()
                        .setSeatNo(changed.seatNo())
                        .setFrom(changed.from().name())
                        .setTo(changed.to().name())
                        .setUserId(changed.userId())
                        .setMicSessionId(changed.micSessionId())
                        .setCause(changed.cause().name()));
            }
        }
        return stored.build();
    }

    @Override
    public List<RoomEvent> decodeEvents(byte[] events) {
        StoredEvents stored = parse(StoredEvents.parser(), events);
        known(stored.getSchemaVersion());
        return stored.getEventsList().stream().map(StoredForm::event).toList();
    }

    private static RoomEvent event(StoredEvent stored) {
        return switch (stored.getEventCase()) {
            case ROOM_CREATED ->
                new Lifecycle.RoomCreated(
                        profile(stored.getRoomCreated().getProfile()),
                        stored.getRoomCreated().getSeatCount());
            case ROOM_CLOSED ->
                new Lifecycle.RoomClosed(
                        name(Lifecycle.CloseCause.class, stored.getRoomClosed().getCause()),
                        stored.getRoomClosed().getUsersPresent());
            case ROOM_USER_JOINED ->
                new Presence.RoomUserJoined(
                        stored.getRoomUserJoined().getUserId(),
                        stored.getRoomUserJoined().getOnlineCount());
            case ROOM_USER_LEFT -> {
                RoomUserLeftEvent left = stored.getRoomUserLeft();
                yield new Presence.RoomUserLeft(
                        left.getUserId(),
                        name(Presence.LeaveCause.class, left.getCause()),
                        left.getJoinedAtMs(),
                        left.getOnlineCount());
            }
            case ROOM_MIC_CHANGED -> {
                RoomMicChangedEvent changed = stored.getRoomMicChanged();
                yield new MicSeats.RoomMicChanged(
                        changed.getSeatNo(),
                        name(MicSeats.Status.class, changed.getFrom()),
                        name(MicSeats.Status.class, changed.getTo()),
                        changed.getUserId(),
                        changed.getMicSessionId(),
                        name(MicSeats.Cause.class, changed.getCause()));
            }
            case EVENT_NOT_SET -> throw new UnreadableException("an event of an unknown kind");
        };
    }

    @Override
    public byte[] encodeResult(RoomKey key, CommandResult result) {
        return bytes(PublicForm.result(key, result));
    }

    @Override
    public RoomBatch.Fact encodeFact(
            RoomKey key, Stamp stamp, int index, String commandId, String actorUserId, RoomEvent event) {
        byte[] envelope = bytes(PublicForm.fact(key, stamp, index, commandId, actorUserId, event));
        return new RoomBatch.Fact(index, event.type().name(), envelope);
    }

    @Override
    public SnapshotStore.Snapshot encodeState(RoomState state, long atMs) {
        List<Presence.Member> members = state.members().values().toJavaList().stream()
                .sorted(Comparator.comparing(Presence.Member::userId))
                .toList();
        StoredState.Builder stored = StoredState.newBuilder()
                .setSchemaVersion(SCHEMA_VERSION)
                .setVersion(state.version())
                .setStatus(state.status().name())
                .setProfile(profile(state.profile()))
                .setCreatedAtMs(state.createdAtMs())
                .setClosedAtMs(state.closedAtMs());
        StoredLastSeen.Builder lastSeen = StoredLastSeen.newBuilder();
        for (Presence.Member member : members) {
            stored.addMembers(StoredMember.newBuilder()
                    .setUserId(member.userId())
                    .setJoinedAtMs(member.joinedAtMs())
                    .setJoinedVersion(member.joinedVersion()));
            lastSeen.addLastSeenAtMs(member.lastSeenAtMs());
        }
        for (MicSeats.Seat seat : state.seats()) {
            stored.addSeats(StoredSeat.newBuilder()
                    .setSeatNo(seat.seatNo())
                    .setStatus(seat.status().name())
                    .setUserId(seat.userId())
                    .setMicSessionId(seat.micSessionId()));
        }
        return SnapshotStore.Snapshot.of(state.version(), atMs, bytes(stored.build()), bytes(lastSeen.build()));
    }

    @Override
    public RoomState decodeState(RoomKey key, SnapshotStore.Snapshot snapshot) {
        if (!snapshot.intact()) {
            throw new UnreadableException(
                    "the checksum of the snapshot at version " + snapshot.version() + " is wrong");
        }
        StoredState stored = parse(StoredState.parser(), snapshot.state());
        known(stored.getSchemaVersion());
        if (stored.getVersion() != snapshot.version()) {
            throw new UnreadableException(
                    "the snapshot at version " + snapshot.version() + " is one of version " + stored.getVersion());
        }
        StoredLastSeen lastSeen = hint(snapshot.lastSeen());
        Map<String, Presence.Member> members = HashMap.empty();
        for (int i = 0; i < stored.getMembersCount(); i++) {
            StoredMember member = stored.getMembers(i);
            long seenAtMs = i < lastSeen.getLastSeenAtMsCount() ? lastSeen.getLastSeenAtMs(i) : member.getJoinedAtMs();
            members = members.put(
                    member.getUserId(),
                    new Presence.Member(
                            member.getUserId(), member.getJoinedAtMs(), member.getJoinedVersion(), seenAtMs));
        }
        Vector<MicSeats.Seat> seats = Vector.ofAll(stored.getSeatsList())
                .map(seat -> new MicSeats.Seat(
                        seat.getSeatNo(),
                        name(MicSeats.Status.class, seat.getStatus()),
                        seat.getUserId(),
                        seat.getMicSessionId()));
        return new RoomState(
                key,
                stored.getVersion(),
                name(Lifecycle.Status.class, stored.getStatus()),
                profile(stored.getProfile()),
                stored.getCreatedAtMs(),
                stored.getClosedAtMs(),
                members,
                seats);
    }

    /** Damage to a hint keeps nobody out of the room (PRES-7): it is as good as none. */
    private static StoredLastSeen hint(byte[] lastSeen) {
        try {
            return StoredLastSeen.parseFrom(lastSeen);
        } catch (InvalidProtocolBufferException damaged) {
            return StoredLastSeen.getDefaultInstance();
        }
    }

    private static StoredProfile profile(Lifecycle.Profile profile) {
        return StoredProfile.newBuilder()
                .setOwnerUserId(profile.ownerUserId())
                .setTitle(profile.title())
                .setRegion(profile.region())
                .setCoverUrl(profile.coverUrl())
                .setBackgroundUrl(profile.backgroundUrl())
                .build();
    }

    private static Lifecycle.Profile profile(StoredProfile stored) {
        return new Lifecycle.Profile(
                stored.getOwnerUserId(),
                stored.getTitle(),
                stored.getRegion(),
                stored.getCoverUrl(),
                stored.getBackgroundUrl());
    }

    private static void known(int schemaVersion) {
        if (schemaVersion < 1 || schemaVersion > SCHEMA_VERSION) {
            throw new UnreadableException(
                    "written in schema " + schemaVersion + "; this node knows 1 to " + SCHEMA_VERSION);
        }
    }

    private static <E extends Enum<E>> E name(Class<E> type, String name) {
        for (E value : type.getEnumConstants()) {
            if (value.name().equals(name)) {
                return value;
            }
        }
        throw new UnreadableException("unknown " + type.getSimpleName() + " '" + name + "'");
    }

    private static <M> M parse(Parser<M> parser, byte[] bytes) {
        try {
            return parser.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new UnreadableException("damaged: " + e.getMessage());
        }
    }

    /** Deterministic, so that equal messages have equal bytes whatever maps they may hold one day. */
    static byte[] bytes(MessageLite message) {
        byte[] bytes = new byte[message.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            message.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("an array of the right size was too short", e);
        }
        out.checkNoSpaceLeft();
        return bytes;
    }
}
