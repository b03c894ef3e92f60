package dev.roomcell.verticle;

import dev.roomcell.adapter.im.HttpDisplays;
import dev.roomcell.adapter.im.HttpMessenger;
import dev.roomcell.adapter.im.HttpNotices;
import dev.roomcell.adapter.tencent.TencentPorts;
import dev.roomcell.adapter.tencent.TencentSettings;
import dev.roomcell.adapter.tencent.TencentShare;
import dev.roomcell.port.ImControl;
import dev.roomcell.port.RobotDisplays;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomExternals;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.UserNotices;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One event loop's ways to those who look at rooms.
 *
 * @param messenger the messages about a room
 * @param displays what robots show
 * @param notices what one user alone is told
 * @param externals what a room needs there before it can be used
 * @param control tells groups of rights, and of their end; empty: there are no groups
 * @param end closes every connection
 */
public record ImServices(
        RoomMessenger messenger,
        RobotDisplays displays,
        UserNotices notices,
        RoomExternals externals,
        Optional<ImControl> control,
        Supplier<Future<Void>> end) {
    /**
     * What is needed to open them; one of the first two at most.
     *
     * @param sink a page of our own, that all messages are posted to
     * @param tencent Tencent IM
     * @param share what the loops have in common at Tencent IM
     */
    public record Settings(Optional<URI> sink, Optional<TencentSettings> tencent, TencentShare share) {
        /** Connects when they are first used; on the loop that uses them. */
        ImServices open(Vertx vertx, RoomClock clock) {
            if (tencent.isPresent()) {
                TencentPorts ports = new TencentPorts(vertx, tencent.get(), clock, share);
                return new ImServices(
                        ports.messenger(),
                        ports.robotDisplays(),
                        ports.userNotices(),
                        ports.rooms(),
                        Optional.of(ports.control()),
                        ports::close);
            }
            return sink.map(url -> posting(vertx, url)).orElseGet(ImServices::none);
        }
    }

    private static ImServices posting(Vertx vertx, URI sink) {
        HttpMessenger messenger = new HttpMessenger(vertx, sink);
        HttpDisplays displays = new HttpDisplays(vertx, sink);
        HttpNotices notices = new HttpNotices(vertx, sink);
        return new ImServices(
                messenger,
                displays,
                notices,
                RoomExternals.none(),
                Optional.empty(),
                () -> Future.join(messenger.close(), displays.close(), notices.close())
                        .mapEmpty());
    }

    private static ImServices none() {
        return new ImServices(
                RoomMessenger.none(),
                RobotDisplays.none(),
                UserNotices.none(),
                RoomExternals.none(),
                Optional.empty(),
                Future::succeededFuture);
    }

    Future<Void> close() {
        return end.get();
    }
}
