package dev.roomcell.check;

import dev.roomcell.domain.Lifecycle;
import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import java.util.List;
import java.util.Random;

/** Lets a room live through whatever a seed says: commands, loads by others, snapshots, a list that lags. */
final class RandomRoom {
    private static final List<String> USERS = List.of("olga", "ben", "cara", "dora", "emil");
    private static final List<String> NODES = List.of("node-a", "node-b", "node-c");

    private final Random random;
    private final LivedRoom room;

    private RandomRoom(long seed) {
        random = new Random(seed);
        room = new LivedRoom(new RoomKey("app", "room-" + seed));
    }

    static LivedRoom of(long seed) {
        RandomRoom life = new RandomRoom(seed);
        int batches = life.random.nextInt(40);
        for (int i = 0; i < batches; i++) {
            life.batch(i == 0);
        }
        return life.room;
    }

    private void batch(boolean first) {
        room.after(random.nextInt(5_000));
        if (!first && random.nextInt(6) == 0) {
            room.loaded(any(NODES));
        } else if (random.nextInt(4) == 0) {
            room.rotated();
        }
        if (random.nextInt(100) == 0 && room.state().status() == Status.ACTIVE) {
            room.closingBegun();
        }
        int commands = random.nextInt(6);
        for (int i = 0; i < commands; i++) {
            room.asks(first && random.nextInt(10) > 0 ? create() : command());
        }
        room.commits().seen(any(USERS));
        if (random.nextInt(3) == 0) {
            room.listed();
        }
        if (random.nextInt(5) == 0) {
            room.snapshot();
        }
    }

    private RoomCommand command() {
        int kind = random.nextInt(100);
        if (kind < 2) {
            return create();
        } else if (kind < 4) {
            return new Lifecycle.CloseRoom(any(USERS));
        } else if (kind < 8) {
            return new Lifecycle.HealRoom();
        }
        return kind < 40 ? new Presence.LeaveRoom(any(USERS)) : new Presence.JoinRoom(any(USERS));
    }

    private static RoomCommand create() {
        return new Lifecycle.CreateRoom("olga", LivedRoom.PROFILE, 3);
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
