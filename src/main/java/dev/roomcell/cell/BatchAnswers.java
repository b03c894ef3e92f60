package dev.roomcell.cell;

import dev.roomcell.port.CommandStore.LoggedCommand;
import io.vertx.core.AsyncResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
                same(each.command(), logNotAsked());
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
                same(command, logNotAsked());
            } else {
                command.knownAbsentFromLog();
                again.add(command);
            }
        }
        return seen;
    }

    /** Commands that could not be dealt with. */
    void refused(List<PendingCommand> commands, Answer.Refused refused) {
        commands.forEach(command -> same(command, refused));
    }

    /** The gifts of a batch that may not happen, as only its commit found out; returns its other commands. */
    List<PendingCommand> giftsGone(List<PendingCommand> commands, Set<String> gone) {
        List<PendingCommand> others = new ArrayList<>();
        for (PendingCommand command : commands) {
            if (gone.contains(command.commandId())) {
                same(command, new Answer.Rejected(GiftFlow.voided()));
            } else {
                others.add(command);
            }
        }
        return others;
    }

    /** The commands of a batch that wrote nothing: those that the log holds are retries of what wrote it. */
    void notCommitted(List<PendingCommand> commands) {
        for (PendingCommand command : commands) {
            LoggedCommand logged = command.logged();
            if (logged != null) {
                replayAll(command, logged);
            } else {
                same(command, CommitAnswer.nothingWritten());
            }
        }
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
