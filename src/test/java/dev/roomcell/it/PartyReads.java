package dev.roomcell.it;

import com.google.protobuf.Message;
import dev.roomcell.adapter.codec.PublicForm;
import dev.roomcell.check.Operation;
import dev.roomcell.client.RoomClient;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomState;
import dev.roomcell.it.PartyRecord.Shown;
import dev.roomcell.proto.room.v1.ListPresenceResponse;
import dev.roomcell.proto.room.v1.PresenceEntry;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;

/** The calls of guests that change nothing: each is noted as what it showed of the room. */
final class PartyReads {
    private final PartyRecord record;

    PartyReads(PartyRecord record) {
        this.record = record;
    }

    /** What GetRoom shows of a room, told apart. */
    static String roomHash(RoomState state) {
        return Operation.resultHash(PublicForm.snapshot(state, 0).toByteArray());
    }

    /** What ListPresence shows of a room, told apart; signs of life leave no trace in the log (PRES-7). */
    static String presenceHash(RoomState state) {
        return presenceHash(state.members()
                .values()
                .map(PublicForm::presence)
                .sorted(Comparator.comparing(PresenceEntry::getUserId))
                .toJavaList());
    }

    private static String presenceHash(List<PresenceEntry> entries) {
        ListPresenceResponse.Builder seen = ListPresenceResponse.newBuilder();
        entries.forEach(entry -> seen.addEntries(entry.toBuilder().clearLastSeenAtMs()));
        return Operation.resultHash(seen.build().toByteArray());
    }

    /** What the guest learns from a call: how it ended; fails with what the call failed with. */
    Future<Message> getRoom(RoomClient client, RoomKey room) {
        long invokeNs = System.nanoTime();
        return noted(
                client.getRoom(RoomCalls.get(room))
                        .onSuccess(found -> record.saw(
                                room,
                                Shown.ROOM,
                                found.getRoom().getRoomVersion(),
                                Operation.resultHash(found.getRoom().toByteArray()),
                                invokeNs)),
                room,
                PartyRecord.reader(),
                invokeNs);
    }

    /** As {@link #getRoom}. */
    Future<Message> listPresence(RoomClient client, RoomKey room) {
        long invokeNs = System.nanoTime();
        return noted(
                client.listPresence(RoomCalls.listPresence(room))
                        .onSuccess(found -> record.saw(
                                room,
                                Shown.PRESENCE,
                                found.getRoomVersion(),
                                presenceHash(found.getEntriesList()),
                                invokeNs)),
                room,
                PartyRecord.reader(),
                invokeNs);
    }

    /** As {@link #getRoom}. */
    Future<Message> checkSpeak(RoomClient client, RoomKey room, String userId) {
        long invokeNs = System.nanoTime();
        return noted(
                client.checkSpeak(RoomCalls.checkSpeak(room, userId))
                        .onSuccess(found -> record.saw(room, found.getRoomVersion(), invokeNs)),
                room,
                PartyRecord.reader(),
                invokeNs);
    }

    /** As {@link #getRoom}. */
    Future<Message> checkPresence(RoomClient client, RoomKey room, String userId) {
        long invokeNs = System.nanoTime();
        return noted(
                client.checkPresence(RoomCalls.checkPresence(room, userId))
                        .onSuccess(found -> record.saw(room, found.getRoomVersion(), invokeNs)),
                room,
                PartyRecord.reader(),
                invokeNs);
    }

    /** As {@link #getRoom}; a heartbeat is refused to whom LeaveRoom would be. */
    Future<Message> heartbeat(RoomClient client, RoomKey room, String userId) {
        long invokeNs = System.nanoTime();
        return noted(
                client.heartbeat(RoomCalls.heartbeat(room, userId))
                        .onSuccess(found -> record.saw(room, found.getRoomVersion(), invokeNs)),
                room,
                new Presence.LeaveRoom(userId),
                invokeNs);
    }

    private <A extends Message> Future<Message> noted(Future<A> call, RoomKey room, RoomCommand asIf, long invokeNs) {
        return call.<Message>map(answer -> answer)
                .onFailure(failure -> record.sawNothing(room, asIf, invokeNs, failure));
    }
}
