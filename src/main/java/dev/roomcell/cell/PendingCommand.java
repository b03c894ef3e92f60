package dev.roomcell.cell;

import dev.roomcell.port.CellMeter;
import dev.roomcell.port.CommandStore.LoggedCommand;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command and the caller who waits for its answer. Lives on the room's loop. */
final class PendingCommand {
    private final CommandRequest request;
    private final CellMeter meter;
    private final Promise<Answer> promise = Promise.promise();
    private final List<PendingCommand> sameId = new ArrayList<>(0);
    private boolean begun;
    private long waitingSinceMs;
    private boolean notInLog;
    private @Nullable LoggedCommand logged;

    PendingCommand(CommandRequest request, CellMeter meter) {
        this.request = request;
        this.meter = meter;
    }

    CommandRequest request() {
        return request;
    }

    String commandId() {
        return request.commandId();
    }

    /** Whether the room asks it of itself (CMD-5). */
    boolean isTheRoomsOwn() {
        return commandId().startsWith("~");
    }

    Future<Answer> answered() {
        return promise.future();
    }

    boolean isAnswered() {
        return promise.future().isComplete();
    }

    /** Tells the caller; a caller who was told already (a deadline) keeps the first answer. */
    void answer(Answer answer) {
        if (!isAnswered()) {
            meter.answered(request.command().kind(), MeteredAnswers.result(answer));
            promise.complete(answer);
        }
    }

    /** It waits in a mailbox from now on, monotonic, ms. */
    void waitsSince(long nowMs) {
        waitingSinceMs = nowMs;
    }

    /** Since when it has waited in a mailbox, monotonic, ms. */
    long waitingSinceMs() {
        return waitingSinceMs;
    }

    /** From now on it may take effect, whatever its caller's deadline says. */
    void begin() {
        begun = true;
    }

    /** The caller waits no longer. A command not begun yet never will be. */
    void expire() {
        answer(
                begun
                        ? Answer.Refused.of(
                                Answer.Refusal.OUTCOME_UNKNOWN,
                                "no outcome within the deadline; send the same command id again to learn it")
                        : Answer.Refused.of(
                                Answer.Refusal.OVERLOADED, "not begun within the deadline; nothing happened"));
    }

    /** The log was asked and does not hold this id, though the dedupe window thought it might. */
    void knownAbsentFromLog() {
        notInLog = true;
    }

    boolean isAbsentFromLog() {
        return notInLog;
    }

    /** The log holds this id already. */
    void foundInLog(LoggedCommand found) {
        logged = found;
    }

    @Nullable
    LoggedCommand logged() {
        return logged;
    }

    /** Another command with the same id in the same batch: it waits for this one's outcome (CMD-3). */
    void joinedBy(PendingCommand other) {
        sameId.add(other);
    }

    /** Those that wait for this one's outcome; they are the caller's to deal with from now on. */
    List<PendingCommand> takeSameId() {
        List<PendingCommand> taken = List.copyOf(sameId);
        sameId.clear();
        return taken;
    }

    /** This one, or if its caller was told something else meanwhile, those that waited for it and were not. */
    List<PendingCommand> unanswered() {
        if (!isAnswered()) {
            return List.of(this);
        }
        return takeSameId().stream().flatMap(same -> same.unanswered().stream()).toList();
    }

    boolean hasHash(byte[] payloadHash) {
        return Arrays.equals(request.encoded().payloadHash(), payloadHash);
    }
}
