package dev.roomcell.adapter.codec;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.roomcell.domain.CommandResult;
import dev.roomcell.domain.HouseRules;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.MicSession;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.SnapshotStore;
import dev.roomcell.proto.internal.v1.StoredCommand;
import dev.roomcell.proto.internal.v1.StoredEvents;
import dev.roomcell.proto.internal.v1.StoredLastSeen;
import dev.roomcell.proto.internal.v1.StoredMember;
import dev.roomcell.proto.internal.v1.StoredMute;
import dev.roomcell.proto.internal.v1.StoredProfile;
import dev.roomcell.proto.internal.v1.StoredSeat;
import dev.roomcell.proto.internal.v1.StoredState;
import io.vavr.collection.HashMap;
import io.vavr.collection.HashSet;
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
import java.util.Optional;

/** The stored form of the domain, in the messages of {@code proto/internal/v1/storage.proto}. */
public final class StoredForm implements RoomCodec {
    /** The newest schema that this node writes and reads. */
    static final int SCHEMA_VERSION = 3;

    /** What every node reads. */
    private static final int FIRST_SCHEMA = 1;
    /** The first with rockets: a node that knows none would drop them from a room. */
    private static final int ROCKET_SCHEMA = 2;
    /** The first with what RTC said of a seat: a node that knows nothing of it would take its late events for new. */
    private static final int RTC_SCHEMA = 3;

    private static final int PAYLOAD_HASH_BYTES = 16;

    @Override
    public EncodedCommand encodeCommand(RoomKey key, RoomCommand command) {
        StoredCommand.Builder stored = StoredCommands.encode(command);
        // The hash must not change with the schema: a retry may be older than an upgrade.
        byte[] payloadHash = payloadHash(key, bytes(wish(stored)));
        return new EncodedCommand(bytes(stored.setSchemaVersion(FIRST_SCHEMA).build()), payloadHash);
    }

    /** What its sender sent; whoever sends it again knows nothing of what was added to it here. */
    private static StoredCommand wish(StoredCommand.Builder stored) {
        if (!stored.hasSendGift() && !stored.hasLaunchRocket()) {
            return stored.build();
        }
        StoredCommand.Builder wish = stored.clone();
        if (stored.hasSendGift()) {
            wish.getSendGiftBuilder().clearPayment().clearFuel().clearRocketPlan();
        } else {
            wish.getLaunchRocketBuilder().clearPlan();
        }
        return wish.build();
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
        return StoredCommands.decode(stored);
    }

    @Override
    public byte[] encodeEvents(List<RoomEvent> events) {
        StoredEvents.Builder stored = StoredEvents.newBuilder().setSchemaVersion(FIRST_SCHEMA);
        events.forEach(event -> stored.addEvents(StoredRoomEvents.encode(event)));
        return bytes(stored.build());
    }

    @Override
    public List<RoomEvent> decodeEvents(byte[] events) {
        StoredEvents stored = parse(StoredEvents.parser(), events);
        known(stored.getSchemaVersion());
        return stored.getEventsList().stream().map(StoredRoomEvents::decode).toList();
    }

    @Override
    public byte[] encodeResult(RoomKey key, CommandResult result) {
        return bytes(PublicResults.of(key, result));
    }

    @Override
    public RtcReports.Outcome decodeRtcOutcome(byte[] result) {
        return PublicResults.rtcOutcome(result);
    }

    @Override
    public RoomBatch.Fact encodeFact(
            RoomKey key, Stamp stamp, int index, String commandId, String actorUserId, RoomEvent event) {
        byte[] envelope = bytes(PublicFacts.of(key, stamp, index, commandId, actorUserId, event));
        return new RoomBatch.Fact(index, event.type().name(), event.durable(), envelope);
    }

    @Override
    public RoomBatch.Fact encodeHeat(RoomState state, long atMs) {
        return new RoomBatch.Fact(HEAT_INDEX, "ROOM_HEAT_CHANGED", false, bytes(PublicFacts.heat(state, atMs)));
    }

    @Override
    public RoomBatch.Fact encodeRank(RoomState state, int ranks, long atMs) {
        return new RoomBatch.Fact(RANK_INDEX, "ROOM_RANK_CHANGED", false, bytes(PublicFacts.rank(state, ranks, atMs)));
    }

    @Override
    public RoomBatch.Fact encodeFuel(RoomState state, long atMs) {
        return new RoomBatch.Fact(FUEL_INDEX, "ROOM_ROCKET_FUEL_CHANGED", false, bytes(PublicFacts.fuel(state, atMs)));
    }

    @Override
    public String giftKey(RoomBatch.Fact fact) {
        return JoinedGifts.key(fact);
    }

    @Override
    public Optional<RoomBatch.Fact> joinGifts(RoomBatch.Fact earlier, RoomBatch.Fact later) {
        return JoinedGifts.join(earlier, later);
    }

    @Override
    public SnapshotStore.Snapshot encodeState(RoomState state, long atMs) {
        List<Presence.Member> members = state.members().values().toJavaList().stream()
                .sorted(Comparator.comparing(Presence.Member::userId))
                .toList();
        StoredState.Builder stored = StoredState.newBuilder()
                .setSchemaVersion(schemaOf(state))
                .setVersion(state.version())
                .setStatus(state.status().name())
                .setProfile(profile(state.profile()))
                .setCreatedAtMs(state.createdAtMs())
                .setClosedAtMs(state.closedAtMs());
        StoredLastSeen.Builder lastSeen = StoredLastSeen.newBuilder();
        for (Presence.Member member : members) {
            stored.addMembers(StoredMember.newBuilder()
                    .setUserId(member.userId())
                    .setKind(kindName(member.kind()))
                    .setJoinedAtMs(member.joinedAtMs())
                    .setJoinedVersion(member.joinedVersion()));
            lastSeen.addLastSeenAtMs(member.lastSeenAtMs());
        }
        for (MicSeats.Seat seat : state.seats()) {
            stored.addSeats(StoredSeat.newBuilder()
                    .setSeatNo(seat.seatNo())
                    .setStatus(seat.status().name())
                    .setUserId(seat.userId())
                    .setMicSessionId(seat.micSessionId())
                    .setSessionVersion(seat.session().roomVersion())
                    .setStartedAtMs(seat.session().startedAtMs())
                    .setPublishDeadlineMs(seat.session().publishDeadlineMs())
                    .setStreaming(seat.session().streaming())
                    .setLastPublishEventAtMs(seat.session().lastPublishEventAtMs()));
        }
        HouseRules rules = state.houseRules();
        stored.setChatOff(!rules.chatEnabled())
                .addAllAdmins(rules.admins().toSortedSet())
                .addAllBanned(rules.banned().toSortedSet());
        rules.mutedUntilMs()
                .toSortedMap(each -> each)
                .forEach((userId, untilMs) -> stored.addMutes(
                        StoredMute.newBuilder().setUserId(userId).setMutedUntilMs(untilMs)));
        StoredGifts.encode(state.board(), stored);
        state.rocket().map(StoredRockets::encode).ifPresent(stored::setRocket);
        return SnapshotStore.Snapshot.of(state.version(), atMs, bytes(stored.build()), bytes(lastSeen.build()));
    }

    /** The oldest schema that tells all of the room: nodes that know no more can read it. */
    private static int schemaOf(RoomState state) {
        if (state.seats().exists(seat -> seat.session().lastPublishEventAtMs() != 0)) {
            return RTC_SCHEMA;
        }
        return state.rocket().isPresent() ? ROCKET_SCHEMA : FIRST_SCHEMA;
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
        int robots = 0;
        for (int i = 0; i < stored.getMembersCount(); i++) {
            StoredMember member = stored.getMembers(i);
            long hintMs = i < lastSeen.getLastSeenAtMsCount() ? lastSeen.getLastSeenAtMs(i) : 0;
            // No checksum guards a hint: nobody was seen before the stay began, or after the snapshot was taken.
            long seenAtMs = Math.max(member.getJoinedAtMs(), Math.min(hintMs, snapshot.atMs()));
            Presence.MemberKind kind = kind(member.getKind());
            robots += kind == Presence.MemberKind.ROBOT ? 1 : 0;
            members = members.put(
                    member.getUserId(),
                    new Presence.Member(
                            member.getUserId(), kind, member.getJoinedAtMs(), member.getJoinedVersion(), seenAtMs));
        }
        return new RoomState(
                key,
                stored.getVersion(),
                name(Lifecycle.Status.class, stored.getStatus()),
                profile(stored.getProfile()),
                stored.getCreatedAtMs(),
                stored.getClosedAtMs(),
                members,
                robots,
                Vector.ofAll(stored.getSeatsList()).map(StoredForm::seat),
                houseRules(stored),
                StoredGifts.board(stored),
                stored.hasRocket() ? Optional.of(StoredRockets.decode(stored.getRocket())) : Optional.empty());
    }

    private static MicSeats.Seat seat(StoredSeat stored) {
        MicSeats.Status status = name(MicSeats.Status.class, stored.getStatus());
        MicSession session = new MicSession(
                stored.getMicSessionId(),
                stored.getUserId(),
                stored.getSessionVersion(),
                stored.getStartedAtMs(),
                stored.getPublishDeadlineMs(),
                stored.getStreaming(),
                stored.getLastPublishEventAtMs());
        return new MicSeats.Seat(stored.getSeatNo(), status, session);
    }

    private static HouseRules houseRules(StoredState stored) {
        Map<String, Long> muted = HashMap.empty();
        for (StoredMute mute : stored.getMutesList()) {
            muted = muted.put(mute.getUserId(), mute.getMutedUntilMs());
        }
        return new HouseRules(
                !stored.getChatOff(),
                HashSet.ofAll(stored.getAdminsList()),
                HashSet.ofAll(stored.getBannedList()),
                muted);
    }

    /** What is stored of a member's kind: nothing for a user, as it was before there were others. */
    static String kindName(Presence.MemberKind kind) {
        return kind == Presence.MemberKind.USER ? "" : kind.name();
    }

    static Presence.MemberKind kind(String stored) {
        return stored.isEmpty() ? Presence.MemberKind.USER : name(Presence.MemberKind.class, stored);
    }

    /** Damage to a hint keeps nobody out of the room (PRES-7): it is as good as none. */
    private static StoredLastSeen hint(byte[] lastSeen) {
        try {
            return StoredLastSeen.parseFrom(lastSeen);
        } catch (InvalidProtocolBufferException damaged) {
            return StoredLastSeen.getDefaultInstance();
        }
    }

    static StoredProfile profile(Profile profile) {
        return StoredProfile.newBuilder()
                .setOwnerUserId(profile.ownerUserId())
                .setTitle(profile.title())
                .setRegion(profile.region())
                .setCoverUrl(profile.coverUrl())
                .setBackgroundUrl(profile.backgroundUrl())
                .build();
    }

    static Profile profile(StoredProfile stored) {
        return new Profile(
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

    static <E extends Enum<E>> E name(Class<E> type, String name) {
        for (E value : type.getEnumConstants()) {
            if (value.name().equals(name)) {
                return value;
            }
        }
        throw new UnreadableException("unknown " + type.getSimpleName() + " '" + name + "'");
    }

    static <M> M parse(Parser<M> parser, byte[] bytes) {
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
