package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.ListEntry;
import dev.roomcell.domain.Lifecycle.Status;
import dev.roomcell.domain.RoomState;

/** Holds the room's line in the list against the version that it shows; it may lag, but for the end (ROOM-8, I12). */
final class ListEntryMatch {
    private final RoomHistory history;
    private final Findings findings;
    private long lastVersion;

    ListEntryMatch(RoomHistory history, Findings findings) {
        this.history = history;
        this.findings = findings;
    }

    /** The log holds {@code version}. */
    void passed(long version) {
        lastVersion = version;
    }

    /** The replay has come to {@code now}. */
    void reached(RoomState now) {
        history.listEntry().filter(entry -> entry.version() == now.version()).ifPresent(entry -> compare(entry, now));
    }

    private void compare(ListEntry entry, RoomState now) {
        ListEntry replayed = new ListEntry(
                now.version(),
                now.status().name(),
                now.profile().title(),
                now.profile().region(),
                now.onlineCount());
        findings.require(
                entry.equals(replayed), Invariant.I12, () -> "the list says " + entry + "; by the log " + replayed);
    }

    void end() {
        if (history.listEntry().isEmpty()) {
            findings.require(lastVersion == 0, Invariant.I12, () -> "the room is not in the list");
            return;
        }
        ListEntry entry = history.listEntry().get();
        findings.require(
                entry.version() <= lastVersion,
                Invariant.I12,
                () -> "the list shows version " + entry.version() + ", the log ends at " + lastVersion);
        boolean closed = history.row()
                .filter(row -> row.status().equals(Status.CLOSED.name()))
                .isPresent();
        findings.require(
                !closed || (entry.version() == lastVersion && entry.status().equals(Status.CLOSED.name())),
                Invariant.I12,
                () -> "the room is closed, the list says " + entry.status() + " at version " + entry.version());
    }
}
