package dev.roomcell.check;

import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks what the clients of one room saw against its log (I3, I4, I6). The versions witness the order, so that
 * real-time order is checked in O(n log n) and not by search.
 */
public final class AckChecker {
    private final Findings findings;
    private final Map<String, List<Operation>> byCommand = new LinkedHashMap<>();
    private final Map<String, Logged> logged = new HashMap<>();
    private final List<Span> spans = new ArrayList<>();
    private long lastVersion;

    private record Logged(long version, String resultHash) {}

    /**
     * A command or a look at the room, between the moments before and after which it can't have happened.
     *
     * @param makesVersion whether the version is its own, or one that it saw
     */
    private record Span(String name, long version, boolean makesVersion, long fromNs, long toNs) {}

    private AckChecker(RoomKey room) {
        this.findings = new Findings(room);
    }

    /**
     * What is wrong with the answers of a room; at most the first 100 violations.
     *
     * @param operations all of the room, in any order: a command whose other tries are left out may look wrong
     * @param log the room's log, by version
     */
    public static List<Violation> check(RoomKey room, Collection<Operation> operations, Iterable<LogRow> log) {
        AckChecker checker = new AckChecker(room);
        operations.forEach(operation -> checker.byCommand
                .computeIfAbsent(operation.commandId(), first -> new ArrayList<>())
                .add(operation));
        log.forEach(checker::read);
        checker.byCommand.forEach(checker::checkCommand);
        checker.checkRealTime();
        return checker.findings.violations();
    }

    private void read(LogRow row) {
        lastVersion = row.version();
        if (byCommand.containsKey(row.commandId())) {
            Logged again =
                    logged.putIfAbsent(row.commandId(), new Logged(row.version(), Operation.resultHash(row.result())));
            if (again != null) {
                findings.add(
                        Invariant.I3,
                        "command " + row.commandId() + " is in the log at versions " + again.version + " and "
                                + row.version());
            }
        }
    }

    private void checkCommand(String commandId, List<Operation> operations) {
        Logged inLog = logged.get(commandId);
        List<Operation> unknown = having(operations, Outcome.Unknown.class);
        List<Operation> acknowledged = having(operations, Outcome.Acknowledged.class);
        checkAnswers(commandId, acknowledged, inLog);
        findings.require(
                inLog == null || !acknowledged.isEmpty() || !unknown.isEmpty(),
                Invariant.I3,
                () -> "command " + commandId + " made a version, and every answer to it says that it did not");
        if (inLog != null) {
            // It happened in one of these tries, and not after the first of them that was told so.
            List<Operation> tries = new ArrayList<>(acknowledged);
            tries.addAll(unknown);
            long fromNs = tries.stream().mapToLong(Operation::invokeNs).min().orElse(Long.MIN_VALUE);
            long toNs =
                    acknowledged.stream().mapToLong(Operation::returnNs).min().orElse(Long.MAX_VALUE);
            spans.add(new Span("command " + commandId, inLog.version, true, fromNs, toNs));
        }
        checkMemory(commandId, operations, acknowledged);
        for (Operation look : having(operations, Outcome.Look.class)) {
            look(look, ((Outcome.Look) look.outcome()).version());
        }
    }

    private static List<Operation> having(List<Operation> operations, Class<? extends Outcome> outcome) {
        return operations.stream()
                .filter(operation -> outcome.isInstance(operation.outcome()))
                .toList();
    }

    private void checkAnswers(String commandId, List<Operation> acknowledged, @Nullable Logged inLog) {
        Optional<Outcome> first = acknowledged.stream().map(Operation::outcome).findFirst();
        if (first.isEmpty()) {
            return;
        }
        Outcome.Acknowledged told = (Outcome.Acknowledged) first.get();
        for (Operation operation : acknowledged) {
            findings.require(
                    operation.outcome().equals(told),
                    Invariant.I6,
                    () -> "command " + commandId + " has two answers: " + told + " and " + operation.outcome());
        }
        if (inLog == null) {
            findings.add(
                    Invariant.I3,
                    "command " + commandId + " was acknowledged with version " + told.version()
                            + ", and is not in the log");
            return;
        }
        findings.require(
                told.version() == inLog.version,
                Invariant.I3,
                () -> "command " + commandId + " was acknowledged with version " + told.version()
                        + ", and is in the log at version " + inLog.version);
        findings.require(
                told.resultHash().equals(inLog.resultHash),
                Invariant.I3,
                () -> "command " + commandId + " was answered with another result than the log has");
    }

    /** Once somebody was told that the command made a version, nobody who sends it again is told otherwise (CMD-2). */
    private void checkMemory(String commandId, List<Operation> operations, List<Operation> acknowledged) {
        long knownNs =
                acknowledged.stream().mapToLong(Operation::returnNs).min().orElse(Long.MAX_VALUE);
        for (Operation operation : operations) {
            boolean forgotten = operation.outcome() instanceof Outcome.Unchanged
                    || (operation.outcome() instanceof Outcome.Rejected no && !isEndOfRoom(no));
            findings.require(
                    !forgotten || operation.invokeNs() <= knownNs,
                    Invariant.I6,
                    () -> "command " + commandId + " had been acknowledged, and was sent again and answered "
                            + operation.outcome());
        }
    }

    /** CMD-7: whoever joins a closed room hears that, and not how the same join once went. */
    private static boolean isEndOfRoom(Outcome.Rejected no) {
        return no.command().kind() == RoomCommand.Kind.JOIN_ROOM && no.reason() == Rejection.Reason.ROOM_CLOSED;
    }

    private void look(Operation look, long version) {
        findings.require(
                version <= lastVersion,
                Invariant.I4,
                () -> "operation " + look.operationId() + " saw version " + version + ", the log ends at "
                        + lastVersion);
        spans.add(new Span("operation " + look.operationId(), version, false, look.invokeNs(), look.returnNs()));
    }

    /** Takes the spans as they begin, with the highest version of those that had ended by then. */
    private void checkRealTime() {
        List<Span> byBegin =
                spans.stream().sorted(Comparator.comparingLong(Span::fromNs)).toList();
        List<Span> byEnd =
                spans.stream().sorted(Comparator.comparingLong(Span::toNs)).toList();
        int ended = 0;
        Span newest = null;
        for (Span span : byBegin) {
            while (ended < byEnd.size() && byEnd.get(ended).toNs < span.fromNs) {
                Span over = byEnd.get(ended++);
                newest = newest == null || over.version > newest.version ? over : newest;
            }
            if (newest != null) {
                checkAfter(newest, span);
            }
        }
    }

    private void checkAfter(Span before, Span span) {
        boolean inOrder = span.makesVersion ? span.version > before.version : span.version >= before.version;
        findings.require(
                inOrder,
                Invariant.I4,
                () -> span.name + " has version " + span.version + ", and was sent after " + before.name
                        + " had been answered with version " + before.version);
    }
}
