package dev.roomcell.sim;

import dev.roomcell.cell.Answer;
import dev.roomcell.cell.ReadAnswer;
import dev.roomcell.check.Invariant;
import dev.roomcell.check.Operation;
import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.check.Violation;
import dev.roomcell.check.Witness;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomCodec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Keeps what every client asked, when, and what it was told. The moments are steps of simulated time. */
final class Recorder {
    private final Surroundings around;
    private final RoomCodec codec;
    private final Map<RoomKey, List<Attempt>> attempts = new LinkedHashMap<>();
    private final Map<RoomKey, List<Operation>> reads = new LinkedHashMap<>();
    private final List<Loss> losses = new ArrayList<>();
    private final Map<Told, Integer> told = new EnumMap<>(Told.class);
    /** Ids that callers gave to two commands. */
    private final Set<String> givenTwice = new TreeSet<>();

    private long operations;

    /** How calls ended, counted. */
    enum Told {
        DONE,
        REPLAYED,
        REJECTED,
        REFUSED,
        UNKNOWN,
        READ
    }

    /** A moment at which Redis lost keys; until {@code untilMs} reads may be as old as that (LEASE-17). */
    private record Loss(long step, long untilMs) {}

    /** One try of a command; {@code answer} is empty when none came. */
    private record Attempt(
            String operationId,
            String commandId,
            RoomCommand command,
            Moment asked,
            long returnStep,
            Optional<Answer> answer) {}

    Recorder(Surroundings around, RoomCodec codec) {
        this.around = around;
        this.codec = codec;
    }

    /** Redis loses keys now. */
    void redisLoses(long leaseTtlMs) {
        losses.add(new Loss(around.time.stepsTaken(), around.time.nowMs() + leaseTtlMs));
    }

    /**
     * When something was asked.
     *
     * @param step when
     * @param seenFrom how far back the room may have been that is shown for an answer
     */
    record Moment(long step, long seenFrom) {}

    /** The moment now, for what will be answered later. */
    Moment now() {
        long step = around.time.stepsTaken();
        long seenFrom = losses.stream()
                .filter(loss -> loss.untilMs > around.time.nowMs())
                .mapToLong(Loss::step)
                .findFirst()
                .orElse(step);
        return new Moment(step, seenFrom);
    }

    /** A caller gives an id to another command too: of the two, one may be told so (GIFT-5). */
    void givenTwice(String commandId) {
        givenTwice.add(commandId);
    }

    /** A try of a command is over. */
    void told(RoomKey room, String commandId, RoomCommand command, Moment asked, Optional<Answer> answer) {
        count(kindOf(answer));
        if (answer.filter(Recorder::isConflict).isPresent()) {
            if (givenTwice.contains(commandId)) {
                around.gifts.taken();
            } else {
                around.found(new Violation(
                        Invariant.I6, room, commandId + " is nobody else's, and was told to be another command's id"));
            }
        }
        if (answer.orElse(null) instanceof Answer.Rejected no) {
            around.gifts.rejected(room, commandId, no.rejection().reason());
        }
        if (command.kind() == RoomCommand.Kind.SEND_GIFT
                && answer.filter(Answer.Done.class::isInstance).isPresent()) {
            around.gifts.answered(room, commandId, codec);
        }
        attempts.computeIfAbsent(room, first -> new ArrayList<>())
                .add(new Attempt(
                        commandId + "#" + ++operations, commandId, command, asked, around.time.stepsTaken(), answer));
        around.trace.note(
                commandId + " of " + room + ": " + answer.map(Recorder::told).orElse("no answer"));
    }

    private void count(Told kind) {
        told.merge(kind, 1, Integer::sum);
    }

    private static Told kindOf(Optional<Answer> answer) {
        if (answer.isEmpty()) {
            return Told.UNKNOWN;
        }
        if (answer.get() instanceof Answer.Done done) {
            return done.replayed() ? Told.REPLAYED : Told.DONE;
        }
        if (answer.get() instanceof Answer.Refused refused) {
            return mayHaveEffect(refused) ? Told.UNKNOWN : Told.REFUSED;
        }
        return Told.REJECTED;
    }

    private static boolean isConflict(Answer answer) {
        return answer instanceof Answer.Refused refused && refused.refusal() == Answer.Refusal.COMMAND_ID_CONFLICT;
    }

    private static boolean mayHaveEffect(Answer.Refused refused) {
        return refused.refusal() == Answer.Refusal.OUTCOME_UNKNOWN
                || refused.refusal() == Answer.Refusal.INTERNAL
                || refused.refusal() == Answer.Refusal.REWARD_IN_PROGRESS;
    }

    private static String told(Answer answer) {
        if (answer instanceof Answer.Done done) {
            return (done.replayed() ? "replayed " : "done ")
                    + Operation.resultHash(done.result()).substring(0, 8);
        }
        return answer instanceof Answer.Refused refused
                ? refused.refusal() + ": " + refused.message()
                : "rejected " + ((Answer.Rejected) answer).rejection().reason();
    }

    /** A read is over. */
    void read(RoomKey room, Moment asked, ReadAnswer answer) {
        if (answer instanceof ReadAnswer.Refused) {
            return;
        }
        count(Told.READ);
        String id = "read#" + ++operations;
        Outcome outcome = seen(answer);
        around.trace.note(id + " of " + room + ": " + outcome);
        reads.computeIfAbsent(room, first -> new ArrayList<>())
                .add(new Operation(id, room, id, asked.seenFrom(), around.time.stepsTaken(), outcome));
    }

    /** A reader is rejected for two reasons: there is no such room, or nobody may come in any more, as to do anything. */
    private Outcome seen(ReadAnswer answer) {
        if (answer instanceof ReadAnswer.Found found) {
            return new Outcome.Read(found.state().version(), Operation.stateHash(codec, found.state()));
        }
        Rejection.Reason reason = ((ReadAnswer.Rejected) answer).rejection().reason();
        return reason == Rejection.Reason.ROOM_CLOSED
                ? new Outcome.Rejected(new Presence.LeaveRoom("reader"), reason)
                : new Outcome.Absent();
    }

    /** Whoever was told of too few coins was told so rightly (B32). */
    List<Violation> wronglyPoor() {
        List<Violation> found = new ArrayList<>();
        attempts.forEach((room, tries) -> {
            Map<String, Long> firstAsked = new HashMap<>();
            tries.forEach(attempt -> firstAsked.merge(attempt.commandId, attempt.asked.step(), Math::min));
            for (Attempt attempt : tries) {
                if (attempt.answer.orElse(null) instanceof Answer.Rejected no
                        && no.rejection().reason() == Rejection.Reason.INSUFFICIENT_BALANCE) {
                    long fromStep = firstAsked.getOrDefault(attempt.commandId, attempt.asked.step());
                    around.gifts
                            .told(room, attempt.commandId, fromStep, attempt.returnStep)
                            .ifPresent(found::add);
                }
            }
        });
        return found;
    }

    /** How many calls ended in which way. */
    Map<Told, Integer> told() {
        return told;
    }

    /** What was asked of a room, for the checkers. */
    List<Operation> operations(RoomKey room, List<LogRow> log) {
        List<Operation> seen = new ArrayList<>(reads.getOrDefault(room, List.of()));
        List<Attempt> tries = attempts.getOrDefault(room, List.of());
        Witness witness = new Witness(room, log, codec);
        for (Attempt attempt : tries) {
            Outcome outcome = outcome(attempt, witness);
            seen.add(new Operation(
                    attempt.operationId,
                    room,
                    attempt.commandId,
                    outcome instanceof Outcome.Look || outcome instanceof Outcome.Rejected
                            ? attempt.asked.seenFrom()
                            : attempt.asked.step(),
                    attempt.returnStep,
                    outcome));
        }
        return seen;
    }

    private static Outcome outcome(Attempt attempt, Witness witness) {
        if (attempt.answer.isEmpty()) {
            return new Outcome.Unknown();
        }
        Answer answer = attempt.answer.get();
        if (answer instanceof Answer.Done done) {
            return witness.outcome(attempt.commandId, attempt.command, done.result(), done.replayed());
        }
        if (answer instanceof Answer.Rejected rejected) {
            return new Outcome.Rejected(attempt.command, rejected.rejection().reason());
        }
        return mayHaveEffect((Answer.Refused) answer) ? new Outcome.Unknown() : new Outcome.Refused();
    }
}
