package dev.roomcell.cell;

import dev.roomcell.domain.Rejection;
import dev.roomcell.port.CommandStore.LoggedCommand;
import io.vertx.core.AsyncResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells the callers of a batch how it ended, and those who sent the same id in it (CMD-3). */
final class BatchAnswers {
    private final List<PendingCommand> again = new ArrayList<>();

    /** Commands that this batch did not decide; they keep their place in the mailbox. */
    List<PendingCommand> again() {
        return again;
    }

    /** The accepted commands of a batch that is durable, and the retries that its commit found in the log. */
    void committed(DecidedBatch decided) {
        for (int i = 0; i < decided.accepted().size(); i++) {
            PendingCommand command = decided.accepted().get(i);
            byte[] result = decided.rows().get(i).result();
            command.answer(new Answer.Done(result, false));
            for (PendingCommand same : command.takeSameId()) {
                replay(same, command.request().encoded().payloadHash(), result);
            }
        }
        for (PendingCommand command : decided.knownLogged()) {
            LoggedCommand logged = command.logged();
            if (logged != null) {
                replayAll(command, logged);
            }
        }
    }

    /**
     * The commands that wrote nothing, once the log was asked about them (CMD-2).
     *
     * @return the users who gave a sign of life by asking
     */
    List<String> unlogged(DecidedBatch decided, AsyncResult<Map<String, LoggedCommand>> asked) {
        List<String> seen = new ArrayList<>();
        for (DecidedBatch.Unlogged each : decided.unlogged()) {
            LoggedCommand found = find(each.command(), asked);
            if (found != null) {
                replayAll(each.command(), found);
            } else if (asked.failed()) {
                refused(each.command(), logNotAsked());
            } else {
                each.seenUserId().ifPresent(seen::add);
                same(each.command(), each.answer());
            }
        }
        for (PendingCommand command : decided.maybeLogged()) {
            LoggedCommand found = find(command, asked);
            if (found != null) {
                replayAll(command, found);
            } else if (asked.failed()) {
                refused(command, logNotAsked());
            } else {
                command.knownAbsentFromLog();
                again.add(command);
            }
        }
        return seen;
    }

    /** A command that could not be dealt with. */
    void refused(PendingCommand command, Answer.Refused refused) {
        same(command, refused);
    }

    /** A command that may not happen, as only its commit found out. */
    void rejected(PendingCommand command, Rejection rejection) {
        same(command, new Answer.Rejected(rejection));
    }

    /** A command that the log holds already. */
    void replayed(PendingCommand command, LoggedCommand logged) {
        replayAll(command, logged);
    }

    private static Answer.Refused logNotAsked() {
        return Answer.Refused.of(
                Answer.Refusal.STORE_UNAVAILABLE, "the command log could not be read; nothing happened");
    }

    private static @Nullable LoggedCommand find(PendingCommand command, AsyncResult<Map<String, LoggedCommand>> asked) {
        return asked.succeeded() ? asked.result().get(command.commandId()) : null;
    }

    /** One outcome for the command and those of the same payload; another payload is another command (CMD-3, CMD-4). */
    private void same(PendingCommand command, Answer answer) {
        command.answer(answer);
        for (PendingCommand same : command.takeSameId()) {
            if (same.hasHash(command.request().encoded().payloadHash())) {
                same.answer(answer);
            } else {
                again.add(same);
            }
        }
    }

    private static void replayAll(PendingCommand command, LoggedCommand logged) {
        replay(command, logged.payloadHash(), logged.result());
        command.takeSameId().forEach(same -> replay(same, logged.payloadHash(), logged.result()));
    }

    private static void replay(PendingCommand command, byte[] payloadHash, byte[] result) {
        command.answer(replayed(command.request(), payloadHash, result));
    }

    /** The answer to a command whose id is in the log: the stored result, or a conflict if it is another command. */
    static Answer replayed(CommandRequest request, byte[] payloadHash, byte[] result) {
        return Arrays.equals(request.encoded().payloadHash(), payloadHash)
                ? new Answer.Done(result, true)
                : Answer.Refused.of(
                        Answer.Refusal.COMMAND_ID_CONFLICT,
                        "the command id was used for another command; take a new id");
    }
}
