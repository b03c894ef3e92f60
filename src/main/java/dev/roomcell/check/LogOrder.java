package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.check.RoomHistory.RoomRow;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The columns that run along the log: versions and ids (I1), owners and epochs (I5), stamps (TIME-1). */
final class LogOrder {
    private final Findings findings;
    private final Map<String, Long> versionOfId = new HashMap<>();
    private final long firstVersion;
    private @Nullable LogRow last;

    /** The log begins with {@code firstVersion}. */
    LogOrder(Findings findings, long firstVersion) {
        this.findings = findings;
        this.firstVersion = firstVersion;
    }

    /** Where a row stands. */
    enum Place {
        /** Right after the version before it. */
        NEXT,
        /** Its version has been there, or a later one. */
        REPEATED,
        /** Versions before it are missing. */
        AFTER_GAP
    }

    Place next(LogRow row) {
        Place place = place(row);
        Long first = versionOfId.putIfAbsent(row.commandId(), row.version());
        findings.require(
                first == null,
                Invariant.I1,
                () -> at(row) + "command " + row.commandId() + " is in the log at version " + first + " already");
        findings.require(
                !row.ownerNodeId().isEmpty() && !row.leaseToken().isEmpty(),
                Invariant.I5,
                () -> at(row) + "no owner or no lease token");
        if (last != null) {
            checkAfter(last, row);
        }
        if (place != Place.REPEATED) {
            last = row;
        }
        return place;
    }

    private Place place(LogRow row) {
        long due = lastVersion() + 1;
        if (row.version() < due) {
            findings.add(Invariant.I1, "version " + row.version() + " stands after version " + lastVersion());
            return Place.REPEATED;
        }
        if (row.version() == due) {
            return Place.NEXT;
        }
        findings.add(
                Invariant.I1,
                row.version() - 1 == due
                        ? "version " + due + " is missing"
                        : "versions " + due + " to " + (row.version() - 1) + " are missing");
        return Place.AFTER_GAP;
    }

    private void checkAfter(LogRow before, LogRow row) {
        findings.require(
                row.atMs() >= before.atMs(),
                Invariant.TIME_1,
                () -> at(row) + "its stamp " + row.atMs() + " is before " + before.atMs() + " of version "
                        + before.version());
        findings.require(
                row.epoch() >= before.epoch(),
                Invariant.I5,
                () -> at(row) + "its epoch " + row.epoch() + " is before " + before.epoch() + " of version "
                        + before.version());
        findings.require(
                row.epoch() != before.epoch() || row.ownerNodeId().equals(before.ownerNodeId()),
                Invariant.I5,
                () -> at(row) + "epoch " + row.epoch() + " has two owners, " + before.ownerNodeId() + " and "
                        + row.ownerNodeId());
    }

    private static String at(LogRow row) {
        return "version " + row.version() + ": ";
    }

    private long lastVersion() {
        return last == null ? firstVersion - 1 : last.version();
    }

    /** Compares the end of the log with the room's row. */
    void end(Optional<RoomRow> room) {
        if (room.isEmpty()) {
            findings.add(Invariant.I1, "the room has no row");
            return;
        }
        RoomRow row = room.get();
        findings.require(
                row.version() == lastVersion(),
                Invariant.I1,
                () -> "the row's version is " + row.version() + ", the log ends at " + lastVersion());
        if (last != null) {
            checkEpoch(last, row);
        }
    }

    private void checkEpoch(LogRow end, RoomRow row) {
        findings.require(
                row.epoch() >= end.epoch(),
                Invariant.I5,
                () -> "the row's epoch " + row.epoch() + " is before " + end.epoch() + " of version " + end.version());
        findings.require(
                row.epoch() != end.epoch() || row.ownerNodeId().equals(end.ownerNodeId()),
                Invariant.I5,
                () -> "epoch " + row.epoch() + " has two owners, " + end.ownerNodeId() + " in the log and "
                        + row.ownerNodeId() + " in the row");
    }
}
