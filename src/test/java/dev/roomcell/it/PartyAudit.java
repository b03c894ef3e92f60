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
record PartyAudit(List<Violation> violations, long acknowledged, long versions, long looks) {
    private static final StoredForm FORM = new StoredForm();

    /** Checks every room of a load that has stopped. */
    static PartyAudit of(PartyLoad load, Backends backends) {
        List<Violation> violations = new ArrayList<>();
        long acknowledged = 0;
        long versions = 0;
        long looks = 0;
        try (RoomTables tables = backends.tables()) {
            for (RoomKey room : load.rooms().all()) {
                List<LogRow> log = tables.log(room);
                List<Operation> operations = load.record().operations(room, log, FORM);
                List<Operation> rooms = load.record().sights(room, Shown.ROOM);
                List<Operation> presences = load.record().sights(room, Shown.PRESENCE);
                violations.addAll(AckChecker.check(room, operations, log));
                violations.addAll(RejectionChecker.check(room, operations, log, FORM));
                violations.addAll(SightChecker.check(room, rooms, log, FORM, PartyReads::roomHash));
                violations.addAll(SightChecker.check(room, presences, log, FORM, PartyReads::presenceHash));
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
}
