package dev.roomcell.it;

import dev.roomcell.adapter.codec.StoredForm;
import dev.roomcell.check.AckChecker;
import dev.roomcell.check.Operation;
import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.check.RejectionChecker;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.check.SightChecker;
import dev.roomcell.check.Violation;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.it.PartyRecord.Shown;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Holds what the guests of a party were told against what is stored.
 *
 * @param violations what is wrong
 * @param acknowledged commands that made a version and whose guests know it
 * @param versions versions of all rooms
 * @param looks reads that were held against the log
 */
record PartyAudit(List<String> violations, long acknowledged, long versions, long looks) {
    private static final StoredForm FORM = new StoredForm();

    /** Checks every room of a load that has stopped. */
    static PartyAudit of(PartyLoad load, Backends backends) {
        List<String> violations = new ArrayList<>();
        long acknowledged = 0;
        long versions = 0;
        long looks = 0;
        try (RoomTables tables = backends.tables()) {
            for (RoomKey room : load.rooms().all()) {
                List<LogRow> log = tables.log(room);
                List<Operation> operations = load.record().operations(room, log, FORM);
                List<Operation> rooms = load.record().sights(room, Shown.ROOM);
                List<Operation> presences = load.record().sights(room, Shown.PRESENCE);
                List<Violation> found = new ArrayList<>(AckChecker.check(room, operations, log));
                found.addAll(RejectionChecker.check(room, operations, log, FORM));
                found.addAll(SightChecker.check(room, rooms, log, FORM, PartyReads::roomHash));
                found.addAll(SightChecker.check(room, presences, log, FORM, PartyReads::presenceHash));
                found.forEach(violation -> violations.add(explained(violation, load.record(), log)));
                acknowledged += distinctAcknowledged(operations);
                versions += log.size();
                looks += rooms.size() + presences.size();
            }
        }
        return new PartyAudit(violations, acknowledged, versions, looks);
    }

    private static int distinctAcknowledged(List<Operation> operations) {
        Set<String> commandIds = new HashSet<>();
        for (Operation operation : operations) {
            if (operation.outcome() instanceof Outcome.Acknowledged acknowledged && acknowledged.version() > 0) {
                commandIds.add(operation.commandId());
            }
        }
        return commandIds.size();
    }

    /** With all that is known of the commands that it names. */
    private static String explained(Violation violation, PartyRecord record, List<LogRow> log) {
        Set<String> words = new HashSet<>(List.of(violation.message().split("[ ,#]+")));
        StringBuilder text = new StringBuilder(violation.toString());
        for (PartyRecord.Tried tried : record.tried(violation.room())) {
            if (words.contains(tried.commandId())) {
                text.append("\n  sent ")
                        .append(onTheClock(tried.invokeNs()))
                        .append(", over ")
                        .append(onTheClock(tried.returnNs()))
                        .append(": ")
                        .append(tried.command())
                        .append(" -> ")
                        .append(tried.said());
            }
        }
        for (LogRow row : log) {
            if (words.contains(row.commandId())) {
                text.append("\n  version ")
                        .append(row.version())
                        .append(" at ")
                        .append(Instant.ofEpochMilli(row.atMs()))
                        .append(" by ")
                        .append(row.ownerNodeId())
                        .append(" epoch ")
                        .append(row.epoch());
            }
        }
        return text.toString();
    }

    /** A moment of {@link System#nanoTime} as the logs have it. */
    private static Instant onTheClock(long ns) {
        return Instant.now().minusNanos(System.nanoTime() - ns);
    }
}
