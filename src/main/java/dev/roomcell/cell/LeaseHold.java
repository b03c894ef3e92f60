package dev.roomcell.cell;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.LeaseDirectory;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a cell knows of its lease: the epoch, the token that Redis confirmed, and those that were sent and never
 * answered. Its age counts from when the confirmed renewal was <em>sent</em>, so that it is never younger here than in
 * Redis (LEASE-16).
 */
final class LeaseHold {
    /** So many renewals may stay unanswered before the oldest token is forgotten; forgetting one is safe. */
    private static final int UNANSWERED_TOKENS = 8;

    private final RoomKey key;
    private final long ttlMs;
    private long epoch;
    private String confirmed;
    private long confirmedSentAtMs;
    private final Deque<String> unanswered = new ArrayDeque<>(2);
    private @Nullable Promise<LeaseDirectory.Renewal> renewal;

    LeaseHold(RoomKey key, long ttlMs, long epoch, String token, long sentAtMs) {
        this.key = key;
        this.ttlMs = ttlMs;
        this.epoch = epoch;
        this.confirmed = token;
        this.confirmedSentAtMs = sentAtMs;
    }

    long epoch() {
        return epoch;
    }

    String confirmedToken() {
        return confirmed;
    }

    RoomKey key() {
        return key;
    }

    /** The renewal that is on its way, if there is one. */
    Optional<Future<LeaseDirectory.Renewal>> renewalInFlight() {
        return Optional.ofNullable(renewal).map(Promise::future);
    }

    /** EnsureOwner needs no call: enough of the lease is left for a batch to be decided and verified. */
    boolean coversCommand(long nowMs) {
        return nowMs - confirmedSentAtMs < ttlMs * 5 / 6;
    }

    /** Reads may be answered: nobody else can have the lease yet (LEASE-17). */
    boolean coversRead(long nowMs) {
        return nowMs - confirmedSentAtMs < ttlMs;
    }

    boolean dueForRenewal(long nowMs) {
        return renewal == null && nowMs - confirmedSentAtMs >= ttlMs / 3;
    }

    /** A renewal under {@code newToken} leaves now. */
    LeaseDirectory.Renew renewalSent(String newToken) {
        renewal = Promise.promise();
        unanswered.addLast(newToken);
        if (unanswered.size() > UNANSWERED_TOKENS) {
            unanswered.removeFirst();
        }
        return new LeaseDirectory.Renew(key, epoch, newToken);
    }

    /** The answer to {@code sent}, which left at {@code sentAtMs}. One about an older epoch says nothing any more. */
    void renewalAnswered(LeaseDirectory.Renew sent, long sentAtMs, AsyncResult<LeaseDirectory.Renewal> answer) {
        Promise<LeaseDirectory.Renewal> waiting = renewal;
        renewal = null;
        if (answer.succeeded()) {
            // One that was never answered stays: Redis may still get to it, and make its token the one that counts.
            unanswered.remove(sent.newToken());
        }
        if (answer.failed() || sent.epoch() != epoch) {
            finish(
                    waiting,
                    Future.failedFuture(answer.failed() ? answer.cause() : new IllegalStateException("retaken")));
            return;
        }
        if (answer.result() == LeaseDirectory.Renewal.KEPT) {
            confirmed(sent.newToken(), sentAtMs);
        }
        finish(waiting, answer);
    }

    private static void finish(
            @Nullable Promise<LeaseDirectory.Renewal> waiting, AsyncResult<LeaseDirectory.Renewal> answer) {
        if (waiting != null) {
            waiting.handle(answer);
        }
    }

    private void confirmed(String token, long sentAtMs) {
        confirmed = token;
        confirmedSentAtMs = sentAtMs;
    }

    /** The lease was taken anew under a freshly minted epoch. */
    void retaken(long newEpoch, String token, long sentAtMs) {
        epoch = newEpoch;
        // A renewal under the old epoch can change nothing any more.
        unanswered.clear();
        confirmed(token, sentAtMs);
    }

    LeaseDirectory.Proof proof() {
        Set<String> tokens = new HashSet<>(unanswered);
        tokens.add(confirmed);
        return new LeaseDirectory.Proof(key, epoch, tokens);
    }
}
