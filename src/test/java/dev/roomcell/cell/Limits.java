package dev.roomcell.cell;

import dev.roomcell.domain.RoomPolicy;

/** The settings of a test's node: the usual ones, and what the test wants otherwise. */
final class Limits {
    static final long TTL_MS = 6_000;

    private int mailboxCommands = 1_024;
    private int batchCommands = 256;
    private int sharedBatchCommands = 64;
    private int groupRooms = 64;
    private int groupBytes = 4 << 20;
    private int secondGroupRooms = 32;
    private int loadedRooms = 100_000;
    private long passivateAfterMs = 300_000;
    private CellSettings.SnapshotPolicy snapshots = new CellSettings.SnapshotPolicy(262_144, 5_000, 20_000);

    private int displaysOfARoom = 5;

    private Limits() {}

    static Limits usual() {
        return new Limits();
    }

    Limits mailboxCommands(int commands) {
        mailboxCommands = commands;
        return this;
    }

    Limits sharedBatchCommands(int commands) {
        sharedBatchCommands = commands;
        return this;
    }

    Limits batchCommands(int commands) {
        batchCommands = commands;
        return this;
    }

    Limits groupRooms(int rooms) {
        groupRooms = rooms;
        return this;
    }

    Limits groupBytes(int bytes) {
        groupBytes = bytes;
        return this;
    }

    Limits secondGroupRooms(int rooms) {
        secondGroupRooms = rooms;
        return this;
    }

    /** How long a user may be silent, ms. */
    static final long STALE_MS = 60_000;
    /** How often a user is to give a sign of life, ms. */
    static final long HEARTBEAT_MS = 15_000;
    /** How long a seat may be without confirmed audio, ms. */
    static final long PUBLISH_MS = 15_000;
    /** How long a doubted seat may, ms. */
    static final long DOUBTED_MS = 35_000;

    Limits displaysOfARoom(int displays) {
        displaysOfARoom = displays;
        return this;
    }

    Limits loadedRooms(int rooms) {
        loadedRooms = rooms;
        return this;
    }

    Limits passivateAfterMs(long ms) {
        passivateAfterMs = ms;
        return this;
    }

    Limits snapshots(int minLogBytes, long minAgeMs, int maxLogRows) {
        snapshots = new CellSettings.SnapshotPolicy(minLogBytes, minAgeMs, maxLogRows);
        return this;
    }

    CellSettings settings() {
        return new CellSettings(
                TTL_MS,
                mailboxCommands,
                batchCommands,
                sharedBatchCommands,
                1 << 20,
                groupRooms,
                groupBytes,
                secondGroupRooms,
                loadedRooms,
                passivateAfterMs,
                60_000,
                STALE_MS,
                HEARTBEAT_MS,
                new RoomPolicy(PUBLISH_MS, DOUBTED_MS),
                snapshots,
                GiftSettings.USUAL,
                displaysOfARoom);
    }
}
