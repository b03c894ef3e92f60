package dev.roomcell.check;

import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.domain.Decision;
import dev.roomcell.domain.Gifts;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomDecider;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RoomPolicy;
import dev.roomcell.domain.RoomState;
import dev.roomcell.domain.Stamp;
import dev.roomcell.port.RoomCodec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whoever was told no must have been told so rightly (I4, LEASE-17): there was a moment between question and answer at
 * which the room, decided again, says the same no. What can be told apart are versions: those that nobody had been told
 * had passed, and that had been asked for.
 */
public final class RejectionChecker {
    private final Findings findings;
    private final List<RoomState> states = new ArrayList<>();
    /** Before its command was sent a version can't have been there, and so none after it. By version. */
    private final List<Long> notBeforeNs = new ArrayList<>();
    /** By command id. */
    private final Map<String, Long> firstSentNs = new HashMap<>();

    private RejectionChecker(RoomKey room) {
        this.findings = new Findings(room);
    }

    /**
     * What is wrong with the rejections of a room; at most the first 100 violations.
     *
     * @param operations all of the room, in any order
     * @param log the room's log, by version, without gaps
     */
    public static List<Violation> check(
            RoomKey room, Collection<Operation> operations, Iterable<LogRow> log, RoomCodec codec) {
        RejectionChecker checker = new RejectionChecker(room);
        checker.replay(room, operations, log, codec);
        List<Operation> rejected = new ArrayList<>();
        List<Operation> told = new ArrayList<>();
        for (Operation operation : operations) {
            if (operation.outcome() instanceof Outcome.Rejected no) {
                if (isOfRoom(no.reason())) {
                    rejected.add(checker.sinceItWasAsked(operation, no));
                }
            } else if (versionOf(operation) > 0) {
                told.add(operation);
            }
        }
        rejected.sort(Comparator.comparingLong(Operation::invokeNs));
        told.sort(Comparator.comparingLong(Operation::returnNs));
        long newest = 0;
        int over = 0;
        for (Operation operation : rejected) {
            while (over < told.size() && told.get(over).returnNs() < operation.invokeNs()) {
                newest = Math.max(newest, versionOf(told.get(over++)));
            }
            checker.check(operation, newest);
        }
        return checker.findings.violations();
    }

    /** Whether a room's state gives the reason: the others are for {@link GiftLedger}. */
    private static boolean isOfRoom(Rejection.Reason reason) {
        return reason != Rejection.Reason.INSUFFICIENT_BALANCE
                && reason != Rejection.Reason.GIFT_UNAVAILABLE
                && reason != Rejection.Reason.GIFT_VOIDED;
    }

    /** Who asks for a gift that is under way is told what comes of that, and it may have been refused already (CMD-3). */
    private Operation sinceItWasAsked(Operation operation, Outcome.Rejected no) {
        return no.command().kind() != RoomCommand.Kind.SEND_GIFT
                ? operation
                : new Operation(
                        operation.operationId(),
                        operation.room(),
                        operation.commandId(),
                        firstSentNs.getOrDefault(operation.commandId(), operation.invokeNs()),
                        operation.returnNs(),
                        no);
    }

    private static long versionOf(Operation operation) {
        if (operation.outcome() instanceof Outcome.Acknowledged acknowledged) {
            return acknowledged.version();
        }
        return operation.outcome() instanceof Outcome.Look look ? look.version() : 0;
    }

    private void replay(RoomKey room, Collection<Operation> operations, Iterable<LogRow> log, RoomCodec codec) {
        operations.forEach(operation -> firstSentNs.merge(operation.commandId(), operation.invokeNs(), Math::min));
        RoomState state = RoomState.creating(room);
        long notBefore = Long.MIN_VALUE;
        states.add(state);
        notBeforeNs.add(notBefore);
        for (LogRow row : log) {
            state = RoomDecider.evolve(state, codec.decodeEvents(row.events()), new Stamp(row.version(), row.atMs()));
            // The room's own commands nobody sends: they may have come at any time.
            notBefore = Math.max(notBefore, firstSentNs.getOrDefault(row.commandId(), Long.MIN_VALUE));
            states.add(state);
            notBeforeNs.add(notBefore);
        }
    }

    private void check(Operation operation, long newestTold) {
        Outcome.Rejected rejected = (Outcome.Rejected) operation.outcome();
        int version = (int) Math.min(newestTold, states.size() - 1L);
        int first = version;
        while (version < states.size() && (version == first || notBeforeNs.get(version) <= operation.returnNs())) {
            if (saysNo(states.get(version), rejected)) {
                return;
            }
            version++;
        }
        findings.add(
                Invariant.I4,
                "operation " + operation.operationId() + " was rejected with " + rejected.reason() + ", which "
                        + rejected.command() + " is at no version from " + first + " to " + (version - 1));
    }

    private static boolean saysNo(RoomState state, Outcome.Rejected rejected) {
        // Before its first version a room may not even have a row (ROOM-7).
        if (state.version() == 0 && rejected.reason() == Rejection.Reason.ROOM_NOT_FOUND) {
            return true;
        }
        if (rejected.command() instanceof Gifts.SendGift wish) {
            // It is not paid for, so it can't be decided again; but whether it may be given can be asked.
            return Gifts.refused(state, wish)
                    .filter(no -> no.reason() == rejected.reason())
                    .isPresent();
        }
        Stamp stamp = new Stamp(state.version() + 1, 0);
        return RoomDecider.decide(state, rejected.command(), stamp, RoomPolicy.STANDARD) instanceof Decision.Rejected no
                && no.rejection().reason() == rejected.reason();
    }
}
