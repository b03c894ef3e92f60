package dev.roomcell.bench;

import dev.roomcell.client.RoomClientOptions;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a run does.
 *
 * @param target {@code host:port}, several divided by commas
 * @param app the app_code of its rooms
 * @param rooms how many rooms, 1..100,000
 * @param clients how many clients; client i is in room i mod rooms. In the open loop the most commands under way
 * @param seconds how long is measured, s, ≥ 1
 * @param warmupSeconds how long the load runs before that, s, ≥ 0
 * @param command what is sent
 * @param ratePerSecond commands a second over all rooms (open loop); 0 for the closed loop, in which every client sends
 *     its next command when it has the answer to the one before
 * @param acks where to note every acknowledged command
 * @param roomPrefix what the rooms' ids begin with
 * @param runId makes this run's users and command ids differ from every other run's
 * @param connections how many gRPC connections the clients share, 1..256
 * @param eventLoops how many threads drive them, 1..connections
 */
record BenchSettings(
        String target,
        String app,
        int rooms,
        int clients,
        int seconds,
        int warmupSeconds,
        Command command,
        int ratePerSecond,
        Optional<Path> acks,
        String roomPrefix,
        String runId,
        int connections,
        int eventLoops) {
    private static final int MAX_ROOMS = 100_000;
    private static final int MAX_CLIENTS = 100_000;
    private static final int MAX_SECONDS = 86_400;
    private static final int MAX_RATE = 1_000_000;
    private static final int MAX_CONNECTIONS = 256;
    /** Leaves room for the number in an id of 64 bytes. */
    private static final int MAX_PREFIX = 48;

    /** What the clients send. */
    enum Command {
        /** JoinRoom and LeaveRoom in turn, each client with a user of its own. */
        JOIN_LEAVE("join-leave"),
        /** SendGift: each client's user gives one piece of the gift "rose" to one receiver of the room. */
        GIFT("gift");

        private final String label;

        Command(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** Checks the ranges; the message names the option. */
    BenchSettings {
        try {
            RoomClientOptions.to(target);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--target: " + e.getMessage(), e);
        }
        check("--rooms", rooms, 1, MAX_ROOMS);
        check("--clients", clients, 1, MAX_CLIENTS);
        check("--seconds", seconds, 1, MAX_SECONDS);
        check("--warmup", warmupSeconds, 0, MAX_SECONDS);
        check("--rate", ratePerSecond, 0, MAX_RATE);
        check("--connections", connections, 1, MAX_CONNECTIONS);
        check("--event-loops", eventLoops, 1, connections);
        if (!roomPrefix.matches("[!-~]{1," + MAX_PREFIX + "}")) {
            throw new IllegalArgumentException(
                    "--room-prefix: expected 1.." + MAX_PREFIX + " printable ASCII characters without spaces");
        }
    }

    private static void check(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(option + ": expected " + min + ".." + max + ", got " + value);
        }
    }

    boolean openLoop() {
        return ratePerSecond > 0;
    }

    String room(int index) {
        return roomPrefix + "-" + index;
    }
}
