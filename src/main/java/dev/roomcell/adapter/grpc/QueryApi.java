package dev.roomcell.adapter.grpc;

import dev.roomcell.adapter.codec.Envelopes;
import dev.roomcell.adapter.codec.PublicForm;
import dev.roomcell.cell.CommandRouter;
import dev.roomcell.cell.EventsPage;
import dev.roomcell.cell.RoomQueries;
import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Moderation;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomListStore.ListEntry;
import dev.roomcell.proto.room.v1.CheckPresenceRequest;
import dev.roomcell.proto.room.v1.CheckPresenceResponse;
import dev.roomcell.proto.room.v1.CheckSpeakRequest;
import dev.roomcell.proto.room.v1.CheckSpeakResponse;
import dev.roomcell.proto.room.v1.ErrorReason;
import dev.roomcell.proto.room.v1.GetRoomEventsRequest;
import dev.roomcell.proto.room.v1.GetRoomEventsResponse;
import dev.roomcell.proto.room.v1.GetRoomRankRequest;
import dev.roomcell.proto.room.v1.GetRoomRankResponse;
import dev.roomcell.proto.room.v1.GetRoomRequest;
import dev.roomcell.proto.room.v1.GetRoomResponse;
import dev.roomcell.proto.room.v1.ListPresenceRequest;
import dev.roomcell.proto.room.v1.ListPresenceResponse;
import dev.roomcell.proto.room.v1.ListRoomsRequest;
import dev.roomcell.proto.room.v1.ListRoomsResponse;
import dev.roomcell.proto.room.v1.RoomGuardServiceGrpcService;
import dev.roomcell.proto.room.v1.RoomListEntry;
import dev.roomcell.proto.room.v1.RoomQueryServiceGrpcService;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.server.Service;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * {@code room.v1.RoomQueryService} and {@code room.v1.RoomGuardService}: questions, answered by the room's owner, or by
 * any node from the database.
 */
public final class QueryApi {
    private static final int DEFAULT_PAGE = 100;
    private static final int LARGEST_PAGE = 500;
    private static final int MOST_EVENTS = 500;

    private static final int USUAL_RANKS = 20;
    private static final int MOST_RANKS = 100;

    private final CommandRouter router;
    private final RoomQueries stored;
    private final RoomClock clock;

    private QueryApi(CommandRouter router, RoomQueries stored, RoomClock clock) {
        this.router = router;
        this.stored = stored;
        this.clock = clock;
    }

    /** The two services over the node's rooms, and over what is stored of all rooms. */
    public static List<Service> services(
            CommandRouter router,
            RoomEntry entry,
            RoomQueries stored,
            RoomClock clock,
            CallLimits limits,
            CallMeter meter) {
        QueryApi api = new QueryApi(router, stored, clock);
        Service queries = new UnaryService(
                        RoomQueryServiceGrpcService.SERVICE_NAME,
                        RoomQueryServiceGrpcService.SERVICE_DESCRIPTOR,
                        entry,
                        limits,
                        meter)
                .onRoom(
                        "GetRoom",
                        GetRoomRequest.parser(),
                        false,
                        request -> Fields.room(request.getMeta(), request.getRoomId()),
                        api::getRoom)
                .onRoom(
                        "ListPresence",
                        ListPresenceRequest.parser(),
                        false,
                        request -> Fields.room(request.getMeta(), request.getRoomId()),
                        api::listPresence)
                .onRoom(
                        "GetRoomRank",
                        GetRoomRankRequest.parser(),
                        false,
                        request -> Fields.room(request.getMeta(), request.getRoomId()),
                        api::getRoomRank)
                .on("GetRoomEvents", GetRoomEventsRequest.parser(), api::getRoomEvents)
                .on("ListRooms", ListRoomsRequest.parser(), api::listRooms)
                .build();
        Service guards = new UnaryService(
                        RoomGuardServiceGrpcService.SERVICE_NAME,
                        RoomGuardServiceGrpcService.SERVICE_DESCRIPTOR,
                        entry,
                        limits,
                        meter)
                .onRoom(
                        "CheckSpeak",
                        CheckSpeakRequest.parser(),
                        false,
                        request -> Fields.room(request.getMeta(), request.getRoomId()),
                        api::checkSpeak)
                .onRoom(
                        "CheckPresence",
                        CheckPresenceRequest.parser(),
                        false,
                        request -> Fields.room(request.getMeta(), request.getRoomId()),
                        api::checkPresence)
                .build();
        return List.of(queries, guards);
    }

    private Future<Buffer> getRoom(GetRoomRequest request, long timeoutMs) {
        RoomKey key = Fields.room(request.getMeta(), request.getRoomId());
        return router.read(key).map(answer -> {
            long nowMs = clock.nowMs();
            return UnaryService.encoded(GetRoomResponse.newBuilder()
                    .setRoom(PublicForm.snapshot(Reads.found(answer), nowMs))
                    .setServerTimeMs(nowMs)
                    .build());
        });
    }

    private Future<Buffer> getRoomRank(GetRoomRankRequest request, long timeoutMs) {
        RoomKey key = Fields.room(request.getMeta(), request.getRoomId());
        int limit = Fields.range("limit", request.getLimit(), 0, MOST_RANKS);
        return router.read(key).map(answer -> {
            RoomState room = Reads.found(answer);
            return UnaryService.encoded(GetRoomRankResponse.newBuilder()
                    .addAllEntries(PublicForm.rank(room, limit == 0 ? USUAL_RANKS : limit))
                    .setServerTimeMs(clock.nowMs())
                    .setRoomVersion(room.version())
                    .build());
        });
    }

    private Future<Buffer> listPresence(ListPresenceRequest request, long timeoutMs) {
        RoomKey key = Fields.room(request.getMeta(), request.getRoomId());
        int page = pageSize(request.getPageSize());
        String after = Fields.text("page_token", request.getPageToken(), 0, 512);
        return router.readOpen(key).map(answer -> {
            RoomState room = Reads.active(answer);
            List<Presence.Member> members = smallestAfter(room, after, page + 1);
            ListPresenceResponse.Builder reply = ListPresenceResponse.newBuilder()
                    .setRoomVersion(room.version())
                    .setServerTimeMs(clock.nowMs());
            members.stream().limit(page).map(PublicForm::presence).forEach(reply::addEntries);
            if (members.size() > page) {
                reply.setNextPageToken(members.get(page - 1).userId());
            }
            return UnaryService.encoded(reply.build());
        });
    }

    private static int pageSize(int asked) {
        int size = Fields.range("page_size", asked, 0, LARGEST_PAGE);
        return size == 0 ? DEFAULT_PAGE : size;
    }

    /** The first {@code most} members after {@code after} by user id: one pass, and memory for a page only. */
    private static List<Presence.Member> smallestAfter(RoomState room, String after, int most) {
        Comparator<Presence.Member> byUserId = Comparator.comparing(Presence.Member::userId);
        PriorityQueue<Presence.Member> largestFirst = new PriorityQueue<>(byUserId.reversed());
        for (Presence.Member member : room.members().values()) {
            if (member.userId().compareTo(after) > 0) {
                largestFirst.add(member);
                if (largestFirst.size() > most) {
                    largestFirst.poll();
                }
            }
        }
        List<Presence.Member> smallest = new ArrayList<>(largestFirst);
        smallest.sort(byUserId);
        return smallest;
    }

    private Future<Buffer> listRooms(ListRoomsRequest request, long timeoutMs) {
        String appCode = Fields.appCode(request.getMeta());
        String region = Fields.region("region", request.getRegion());
        int page = pageSize(request.getPageSize());
        String token = Fields.text("page_token", request.getPageToken(), 0, 512);
        Optional<String> ofRegion = Optional.of(region).filter(given -> !given.isEmpty());
        return Reads.stored(
                        stored.hottest(appCode, ofRegion, ListToken.place(appCode, region, token), page + 1), timeoutMs)
                .map(entries -> {
                    ListRoomsResponse.Builder reply =
                            ListRoomsResponse.newBuilder().setServerTimeMs(clock.nowMs());
                    entries.stream().limit(page).map(QueryApi::listed).forEach(reply::addEntries);
                    if (entries.size() > page) {
                        reply.setNextPageToken(ListToken.of(
                                appCode, region, entries.get(page - 1).place()));
                    }
                    return UnaryService.encoded(reply.build());
                });
    }

    private Future<Buffer> getRoomEvents(GetRoomEventsRequest request, long timeoutMs) {
        RoomKey key = Fields.room(request.getMeta(), request.getRoomId());
        if (request.getSinceVersion() < 0) {
            throw Fields.invalid("since_version", "must not be negative");
        }
        int asked = Fields.range("max_events", request.getMaxEvents(), 0, MOST_EVENTS);
        int most = asked == 0 ? MOST_EVENTS : asked;
        return Reads.stored(stored.events(key, request.getSinceVersion(), most), timeoutMs)
                .map(found -> {
                    EventsPage page =
                            found.orElseThrow(() -> new ApiException(ErrorTable.of(Lifecycle.roomNotFound())));
                    GetRoomEventsResponse.Builder reply = GetRoomEventsResponse.newBuilder()
                            .setServerTimeMs(clock.nowMs())
                            .setLastVersion(page.lastVersion())
                            .setTruncated(page.truncated())
                            .setFirstKeptVersion(page.firstKeptVersion());
                    page.facts().forEach(fact -> reply.addEvents(Envelopes.of(fact)));
                    return UnaryService.encoded(reply.build());
                });
    }

    private static RoomListEntry listed(ListEntry entry) {
        return RoomListEntry.newBuilder()
                .setRoomId(entry.key().roomId())
                .setTitle(entry.title())
                .setRegion(entry.region())
                .setOnlineCount(entry.onlineCount())
                .setHeat(entry.heat())
                .build();
    }

    private Future<Buffer> checkPresence(CheckPresenceRequest request, long timeoutMs) {
        RoomKey key = Fields.room(request.getMeta(), request.getRoomId());
        String userId = Fields.userId("user_id", request.getUserId());
        return router.readOpen(key).map(answer -> {
            RoomState room = Reads.active(answer);
            CheckPresenceResponse.Builder reply = CheckPresenceResponse.newBuilder()
                    .setRoomVersion(room.version())
                    .setServerTimeMs(clock.nowMs());
            room.member(userId)
                    .ifPresent(member -> reply.setPresent(true)
                            .setKind(PublicForm.kind(member.kind()))
                            .setJoinedAtMs(member.joinedAtMs())
                            .setLastSeenAtMs(member.lastSeenAtMs()));
            return UnaryService.encoded(reply.build());
        });
    }

    private Future<Buffer> checkSpeak(CheckSpeakRequest request, long timeoutMs) {
        RoomKey key = Fields.room(request.getMeta(), request.getRoomId());
        String userId = Fields.userId("user_id", request.getUserId());
        return router.readOpen(key).map(answer -> {
            RoomState room = Reads.active(answer);
            long nowMs = clock.nowMs();
            Moderation.Speech speech = Moderation.speech(room, userId, nowMs);
            CheckSpeakResponse.Builder reply = CheckSpeakResponse.newBuilder()
                    .setAllowed(speech.silencedBy().isEmpty())
                    .setRoomVersion(room.version())
                    .setServerTimeMs(nowMs)
                    .setMutedUntilMs(speech.mutedUntilMs());
            // The API's reasons are the domain's, behind a prefix.
            speech.silencedBy().ifPresent(reason -> reply.setReason(ErrorReason.valueOf("ERROR_REASON_" + reason)));
            return UnaryService.encoded(reply.build());
        });
    }
}
