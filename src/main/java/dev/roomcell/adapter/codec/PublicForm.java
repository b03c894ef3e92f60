package dev.roomcell.adapter.codec;

import dev.roomcell.domain.GiftBoard;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.MicSeats;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Profile;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomCodec.UnreadableException;
import dev.roomcell.proto.room.v1.MicSeat;
import dev.roomcell.proto.room.v1.MicSeatStatus;
import dev.roomcell.proto.room.v1.PresenceEntry;
import dev.roomcell.proto.room.v1.PresenceKind;
import dev.roomcell.proto.room.v1.RankEntry;
import dev.roomcell.proto.room.v1.RoomProfile;
import dev.roomcell.proto.room.v1.RoomSnapshot;
import dev.roomcell.proto.room.v1.RoomStatus;
import java.util.ArrayList;
import java.util.List;

/** What the outside world sees of the domain, in the messages of {@code proto/room/v1}. */
public final class PublicForm {
    private PublicForm() {}

    /**
     * The room version that an encoded result speaks of.
     *
     * @throws UnreadableException if it is damaged
     */
    public static long roomVersionOf(byte[] result) {
        return PublicResults.roomVersion(result);
    }

    /** The id of an event (OUT-8). */
    public static String eventId(RoomKey key, long version, int index) {
        return key.roomId() + ':' + version + ':' + index;
    }

    /** The room as GetRoom shows it at {@code nowMs}: everything but the presence list. */
    public static RoomSnapshot snapshot(RoomState state, long nowMs) {
        String groupId = ExternalIds.groupId(state.key());
        RoomSnapshot.Builder room = RoomSnapshot.newBuilder()
                .setAppCode(state.key().appCode())
                .setRoomId(state.key().roomId())
                .setRoomVersion(state.version())
                .setStatus(status(state.status()))
                .setOwnerUserId(state.profile().ownerUserId())
                .setCreatedAtMs(state.createdAtMs())
                .setClosedAtMs(state.closedAtMs())
                .setProfile(profile(state.profile()))
                .setBackgroundUrl(state.profile().backgroundUrl())
                .setImGroupId(groupId)
                .setRtcRoomId(groupId)
                .setOnlineCount(state.onlineCount())
                .setHeat(state.board().heat())
                .setChatEnabled(state.houseRules().chatEnabled())
                .addAllAdminUserIds(state.houseRules().admins().toSortedSet());
        for (MicSeats.Seat seat : state.seats()) {
            room.addSeats(seat(seat));
        }
        // Yesterday's is no more, though nobody has begun another one yet.
        state.rocket()
                .filter(rocket -> !rocket.over(nowMs))
                .map(PublicRockets::snapshot)
                .ifPresent(room::setRocket);
        return room.build();
    }

    /** A mic seat as it stands. */
    static MicSeat seat(MicSeats.Seat seat) {
        return MicSeat.newBuilder()
                .setSeatNo(seat.seatNo())
                .setStatus(seatStatus(seat.status()))
                .setUserId(seat.userId())
                .setMicSessionId(seat.micSessionId())
                .setPublishDeadlineMs(seat.session().publishDeadlineMs())
                .setMicSessionRoomVersion(seat.session().roomVersion())
                .build();
    }

    /** The first {@code most} of the room's rank, in order. */
    public static List<RankEntry> rank(RoomState state, int most) {
        List<RankEntry> entries = new ArrayList<>();
        for (GiftBoard.Giver giver : state.board().top(most)) {
            entries.add(RankEntry.newBuilder()
                    .setRank(entries.size() + 1)
                    .setUserId(giver.userId())
                    .setScore(giver.coins())
                    .build());
        }
        return entries;
    }

    /** A user who is present, as ListPresence shows it. */
    public static PresenceEntry presence(Presence.Member member) {
        return PresenceEntry.newBuilder()
                .setUserId(member.userId())
                .setKind(kind(member.kind()))
                .setJoinedAtMs(member.joinedAtMs())
                .setLastSeenAtMs(member.lastSeenAtMs())
                .build();
    }

    /** What kind of member somebody is. */
    public static PresenceKind kind(Presence.MemberKind kind) {
        return switch (kind) {
            case USER -> PresenceKind.PRESENCE_KIND_USER;
            case ROBOT -> PresenceKind.PRESENCE_KIND_ROBOT;
        };
    }

    static RoomProfile profile(Profile profile) {
        return RoomProfile.newBuilder()
                .setTitle(profile.title())
                .setRegion(profile.region())
                .setCoverUrl(profile.coverUrl())
                .build();
    }

    private static RoomStatus status(Lifecycle.Status status) {
        return switch (status) {
            case CREATING -> RoomStatus.ROOM_STATUS_CREATING;
            case ACTIVE -> RoomStatus.ROOM_STATUS_ACTIVE;
            case CLOSING -> RoomStatus.ROOM_STATUS_CLOSING;
            case CLOSED -> RoomStatus.ROOM_STATUS_CLOSED;
        };
    }

    static MicSeatStatus seatStatus(MicSeats.Status status) {
        return switch (status) {
            case IDLE -> MicSeatStatus.MIC_SEAT_STATUS_IDLE;
            case LOCKED -> MicSeatStatus.MIC_SEAT_STATUS_LOCKED;
            case PENDING_PUBLISH -> MicSeatStatus.MIC_SEAT_STATUS_PENDING_PUBLISH;
            case PUBLISHING -> MicSeatStatus.MIC_SEAT_STATUS_PUBLISHING;
        };
    }
}
