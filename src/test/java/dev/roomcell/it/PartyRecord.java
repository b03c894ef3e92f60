package dev.roomcell.it;

import com.google.protobuf.Message;
import dev.roomcell.check.Operation;
import dev.roomcell.check.Operation.Outcome;
import dev.roomcell.check.RoomHistory.LogRow;
import dev.roomcell.check.Witness;
import dev.roomcell.client.RoomCallException;
import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.proto.room.v1.ReplyMeta;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps what every guest asked, when, and what she was told. The moments are {@link System#nanoTime}. Thread-safe. */
final class PartyRecord {
    /** How a call may end for good while servers are in trouble: all of these may be tried again (CMD-8). */
    private static final Set<String> OF_TROUBLE = new TreeSet<>(List.of(
            "NOT_OWNER",
            "OWNER_UNREACHABLE",
            "FENCED",
            "LEASE_LOST",
            "DRAINING",
            "LOADING",
            "OVERLOADED",
            "STORE_UNAVAILABLE",
            "OUTCOME_UNKNOWN",
            "UNAVAILABLE",
            "CANCELLED",
            "DEADLINE_EXCEEDED",
            RoomCallException.CONNECT_FAILED,
            RoomCallException.CONNECTION_LOST,
            RoomCallException.ATTEMPT_TIMEOUT));

    private static final Set<String> REJECTIONS = new TreeSet<>();

    static {
        for (Rejection.Reason reason : Rejection.Reason.values()) {
            REJECTIONS.add(reason.name());
        }
    }

    private final Map<RoomKey, Queue<Tried>> tried = new ConcurrentHashMap<>();
    private final Map<RoomKey, Queue<Looked>> looked = new ConcurrentHashMap<>();
    /** When a client gave up an attempt of a command that may still arrive, by command id. */
    private final Map<String, Queue<Long>> lostNs = new ConcurrentHashMap<>();

    private final Queue<Long> retriesNs = new ConcurrentLinkedQueue<>();
    private final Queue<Loss> losses = new ConcurrentLinkedQueue<>();
    private final Queue<String> unacceptable = new ConcurrentLinkedQueue<>();
    private final Map<String, AtomicLong> failures = new ConcurrentHashMap<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();

    /** How a call ended. */
    sealed interface Ending {
        /** A success, with the bytes of its result. */
        record Done(byte[] result, boolean replayed) implements Ending {}

        /** A business no. */
        record Rejected(Rejection.Reason reason) implements Ending {}

        /** Nothing happened. */
        record Refused() implements Ending {}

        /** Nobody knows. */
        record Unknown() implements Ending {}
    }

    /** A command that was sent, with all tries of its client; {@code said} is what the last one was told. */
    record Tried(
            String operationId,
            String commandId,
            RoomCommand command,
            long invokeNs,
            long returnNs,
            Ending ending,
            String said) {}

    /** What a reader is shown. */
    enum Shown {
        /** The room, as GetRoom has it. */
        ROOM,
        /** Who is present. */
        PRESENCE,
        /** The version only, or that there is nothing to see. */
        VERSION
    }

    private record Looked(Shown shown, Operation operation) {}

    /** Redis lost keys; until {@code untilNs} reads may be as old as that (LEASE-17). */
    private record Loss(long fromNs, long untilNs) {}

    /** Redis has lost keys, at the earliest at {@code fromNs}, and at the latest now. */
    void redisLost(long fromNs) {
        losses.add(new Loss(fromNs, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Backends.LEASE_TTL_MS)));
    }

    /** A client will try again. */
    void retried(RoomCallException failure) {
        if (!OF_TROUBLE.contains(failure.reason()) && !failure.reason().equals("ROOM_CREATING")) {
            unacceptable.add("retried: " + failure.getMessage());
        }
        retriesNs.add(System.nanoTime());
        if (failure.outcomeUnknown()) {
            lostNs.computeIfAbsent(failure.commandId(), first -> new ConcurrentLinkedQueue<>())
                    .add(System.nanoTime());
        }
    }

    /** A command was answered; says how. */
    Ending told(RoomKey room, String commandId, RoomCommand command, long invokeNs, Message answer) {
        Message result = (Message) answer.getField(answer.getDescriptorForType().findFieldByName("result"));
        ReplyMeta meta =
                (ReplyMeta) answer.getField(answer.getDescriptorForType().findFieldByName("meta"));
        if (!meta.getReplayed()) {
            acknowledged.incrementAndGet();
        }
        Ending done = new Ending.Done(result.toByteArray(), meta.getReplayed());
        return tried(room, commandId, command, invokeNs, done, meta.getReplayed() ? "replayed" : "done");
    }

    /** A command failed for good; says how. */
    Ending failed(RoomKey room, String commandId, RoomCommand command, long invokeNs, Throwable failure) {
        String said = String.valueOf(failure.getMessage());
        return tried(room, commandId, command, invokeNs, ending(room + " " + commandId, failure), said);
    }

    private Ending tried(
            RoomKey room, String commandId, RoomCommand command, long invokeNs, Ending ending, String said) {
        String operationId = commandId + "#" + calls.incrementAndGet();
        tried.computeIfAbsent(room, first -> new ConcurrentLinkedQueue<>())
                .add(new Tried(operationId, commandId, command, invokeNs, System.nanoTime(), ending, said));
        return ending;
    }

    private Ending ending(String what, Throwable failure) {
        if (!(failure instanceof RoomCallException known)) {
            unacceptable.add(what + ": " + failure);
            return new Ending.Unknown();
        }
        if (REJECTIONS.contains(known.reason())) {
            return new Ending.Rejected(Rejection.Reason.valueOf(known.reason()));
        }
        failures.computeIfAbsent(known.reason(), first -> new AtomicLong()).incrementAndGet();
        if (!OF_TROUBLE.contains(known.reason())) {
            unacceptable.add(what + ": " + failure.getMessage());
        }
        return known.outcomeUnknown() ? new Ending.Unknown() : new Ending.Refused();
    }

    /** Whether a failed call is a business no. */
    static boolean isRejection(Throwable failure) {
        return failure instanceof RoomCallException known && REJECTIONS.contains(known.reason());
    }

    /** A room was read. */
    void saw(RoomKey room, Shown shown, long version, String hash, long invokeNs) {
        looked(room, shown, invokeNs, new Outcome.Read(version, hash));
    }

    /** Something told a room's version. */
    void saw(RoomKey room, long version, long invokeNs) {
        looked(room, Shown.VERSION, invokeNs, new Outcome.Unchanged(version));
    }

    /** A read failed; {@code asIf} is a command that is rejected whenever this read is. Says how. */
    Ending sawNothing(RoomKey room, RoomCommand asIf, long invokeNs, Throwable failure) {
        Ending ending = ending(room + " read", failure);
        if (ending instanceof Ending.Rejected no) {
            boolean unborn =
                    no.reason() == Rejection.Reason.ROOM_NOT_FOUND || no.reason() == Rejection.Reason.ROOM_CREATING;
            looked(
                    room,
                    Shown.VERSION,
                    invokeNs,
                    unborn ? new Outcome.Absent() : new Outcome.Rejected(asIf, no.reason()));
        }
        return ending;
    }

    /** The command that a mere reader is refused like. */
    static RoomCommand reader() {
        return new Presence.LeaveRoom("reader");
    }

    private void looked(RoomKey room, Shown shown, long invokeNs, Outcome outcome) {
        String id = "look#" + calls.incrementAndGet();
        looked.computeIfAbsent(room, first -> new ConcurrentLinkedQueue<>())
                .add(new Looked(shown, new Operation(id, room, id, invokeNs, System.nanoTime(), outcome)));
    }

    /** Commands that were answered with a success for the first time, up to now. */
    long acknowledged() {
        return acknowledged.get();
    }

    /** All commands of a room that are over. */
    Collection<Tried> tried(RoomKey room) {
        return tried.getOrDefault(room, new ConcurrentLinkedQueue<>());
    }

    /** When each attempt ended that was followed by another. */
    Collection<Long> retriesNs() {
        return retriesNs;
    }

    /** How calls ended for good that were no success, without business noes: reasons, and how often. */
    Map<String, AtomicLong> failures() {
        return failures;
    }

    /** Answers that no trouble explains. */
    Collection<String> unacceptable() {
        return unacceptable;
    }

    /** When somebody heard of a room, whatever it was; in order. */
    long[] answeredNs(RoomKey room) {
        List<Long> heard = new ArrayList<>();
        for (Tried command : tried(room)) {
            if (command.ending() instanceof Ending.Done || command.ending() instanceof Ending.Rejected) {
                heard.add(command.returnNs());
            }
        }
        looks(room).forEach(look -> heard.add(look.operation().returnNs()));
        return heard.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    private Collection<Looked> looks(RoomKey room) {
        return looked.getOrDefault(room, new ConcurrentLinkedQueue<>());
    }

    /** What was asked of a room, for the checkers of order and rejections. */
    List<Operation> operations(RoomKey room, List<LogRow> log, RoomCodec codec) {
        Witness witness = new Witness(room, log, codec);
        List<Operation> operations = new ArrayList<>();
        for (Tried command : tried(room)) {
            operations.add(new Operation(
                    command.operationId(),
                    room,
                    command.commandId(),
                    command.invokeNs(),
                    command.returnNs(),
                    outcome(command, witness)));
        }
        operations.addAll(lost(room));
        looks(room).forEach(look -> operations.add(asOldAsItMayBe(look.operation())));
        return operations;
    }

    /** The attempts that got lost behind calls that were answered in the end. */
    private List<Operation> lost(RoomKey room) {
        Map<String, Long> firstSentNs = new HashMap<>();
        tried(room).forEach(command -> firstSentNs.merge(command.commandId(), command.invokeNs(), Math::min));
        List<Operation> lost = new ArrayList<>();
        firstSentNs.forEach((commandId, sentNs) -> {
            for (long goneNs : lostNs.getOrDefault(commandId, new ConcurrentLinkedQueue<>())) {
                String id = commandId + "#lost" + lost.size();
                lost.add(new Operation(id, room, commandId, sentNs, goneNs, new Outcome.Unknown()));
            }
        });
        return lost;
    }

    /** What readers were shown of a room, for the checker of sights. */
    List<Operation> sights(RoomKey room, Shown shown) {
        return looks(room).stream()
                .filter(look -> look.shown() == shown)
                .map(Looked::operation)
                .toList();
    }

    private static Outcome outcome(Tried command, Witness witness) {
        if (command.ending() instanceof Ending.Done done) {
            return witness.outcome(command.commandId(), command.command(), done.result(), done.replayed());
        }
        if (command.ending() instanceof Ending.Rejected no) {
            return new Outcome.Rejected(command.command(), no.reason());
        }
        return command.ending() instanceof Ending.Unknown ? new Outcome.Unknown() : new Outcome.Refused();
    }

    private Operation asOldAsItMayBe(Operation look) {
        Optional<Long> seenFromNs = losses.stream()
                .filter(loss -> loss.fromNs <= look.invokeNs() && look.invokeNs() <= loss.untilNs)
                .map(Loss::fromNs)
                .min(Long::compare);
        return seenFromNs
                .map(fromNs -> new Operation(
                        look.operationId(), look.room(), look.commandId(), fromNs, look.returnNs(), look.outcome()))
                .orElse(look);
    }
}
