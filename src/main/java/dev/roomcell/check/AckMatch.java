package dev.roomcell.check;

import dev.roomcell.check.RoomHistory.LogRow;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Looks for each acknowledged command in the log (I3). */
final class AckMatch {
    private final Findings findings;
    private final long firstVersion;
    private final Map<String, Ack> missing = new LinkedHashMap<>();

    /** Looks for them in a log that begins with {@code firstVersion}; what was before can't be judged. */
    AckMatch(Collection<Ack> acks, Findings findings, long firstVersion) {
        this.findings = findings;
        this.firstVersion = firstVersion;
        acks.forEach(this::add);
    }

    private void add(Ack ack) {
        Ack first = missing.putIfAbsent(ack.commandId(), ack);
        if (first != null && first.version() != ack.version()) {
            findings.add(
                    Invariant.I6,
                    "command " + ack.commandId() + " was acknowledged with version " + first.version()
                            + " and with version " + ack.version());
        }
    }

    void next(LogRow row) {
        Ack ack = missing.remove(row.commandId());
        if (ack == null) {
            return;
        }
        findings.require(
                ack.version() == row.version(),
                Invariant.I3,
                () -> "command " + ack.commandId() + " was acknowledged with version " + ack.version()
                        + ", and is in the log at version " + row.version());
        findings.require(
                ack.kind().equals(row.kind()),
                Invariant.I3,
                () -> "command " + ack.commandId() + " was acknowledged as " + ack.kind() + ", and is in the log as "
                        + row.kind());
    }

    void end() {
        for (Ack ack : missing.values()) {
            findings.require(
                    ack.version() < firstVersion,
                    Invariant.I3,
                    () -> "command " + ack.commandId() + " was acknowledged with version " + ack.version()
                            + ", and is not in the log");
        }
    }
}
