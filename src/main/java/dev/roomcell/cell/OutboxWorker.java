package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.FactPublisher;
import dev.roomcell.port.FactPublisher.Delivery;
import dev.roomcell.port.FactPublisher.Outcome;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.OutboxStore.Backlog;
import dev.roomcell.port.OutboxStore.Claim;
import dev.roomcell.port.OutboxStore.ClaimRequest;
import dev.roomcell.port.OutboxStore.Claimed;
import dev.roomcell.port.OutboxStore.Finish;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.TokenSource;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries facts from the outbox to the message queue (OUT-1..8, LANE-3): one turn after the other, and in each of them one
 * batch is claimed, published and finished. What a turn does not finish, because the worker dies or the database does not
 * answer, is due again when its claim has run out. Goes on at once while there is work.
 *
 * <p>A fact that is refused waits longer each time and is parked in the end, so that its room goes on. When the queue takes
 * nothing at all, nobody is to blame: nothing counts as a try, and the worker asks with single facts until it does again.
 */
public final class OutboxWorker {
    private static final Logger log = LoggerFactory.getLogger(OutboxWorker.class);
    /** The longest pause while the queue or the database does not answer, ms: it is over soon after they do again. */
    private static final long LONGEST_PAUSE_MS = 5_000;

    private final String workerId;
    private final CellLoop loop;
    private final OutboxStore outbox;
    private final FactPublisher publisher;
    private final RoomClock clock;
    private final TokenSource tokens;
    private final OutboxSettings settings;
    private final BatchFate fates;
    private final OutboxChores chores;
    private final Pauses pauses;
    private final Promise<Void> stopped = Promise.promise();
    /** What it holds, the one that has waited longest first. */
    private final List<Integer> partitions = new ArrayList<>();

    private Optional<CellLoop.Cancellable> nextTurn;
    private long leaseDueMs;
    /** Turns in a row in which the queue, or the database, did not answer. */
    private int failures;

    private boolean queueOut;
    /** Whether the last claim found something. */
    private boolean busy;

    private boolean stopping;
    private volatile Figures figures = new Figures(0, 0, 0, 0, 0);

    /**
     * What a worker has done so far, and what it has left to do.
     *
     * @param delivered facts that have arrived
     * @param refused how often one was refused
     * @param parked facts that were given up
     * @param backlog rows of its partitions that are not finished, up to {@value Backlog#MOST_ROWS}
     * @param overdueMs for how long the oldest of them has been due
     */
    public record Figures(long delivered, long refused, long parked, long backlog, long overdueMs) {}

    /**
     * A worker that begins at once.
     *
     * @param workerId unlike any other start's of any worker
     * @param below of n: a random number from 0 to n - 1, for the jitter of pauses
     */
    public OutboxWorker(
            String workerId,
            CellLoop loop,
            OutboxStore outbox,
            FactPublisher publisher,
            RoomClock clock,
            TokenSource tokens,
            IntUnaryOperator below,
            OutboxSettings settings) {
        this.workerId = workerId;
        this.loop = loop;
        this.outbox = outbox;
        this.publisher = publisher;
        this.clock = clock;
        this.tokens = tokens;
        this.settings = settings;
        this.pauses = new Pauses(settings.retryFirstMs(), below);
        this.fates = new BatchFate(settings.maxTries(), attempts -> pauses.after(attempts, settings.retryMaxMs()));
        this.chores = new OutboxChores(loop, outbox, clock, settings.keptMs());
        this.leaseDueMs = clock.monotonicMs();
        this.nextTurn = Optional.of(loop.schedule(1, this::turn));
    }

    /** What it has done so far; any thread may ask. */
    public Figures figures() {
        return figures;
    }

    /** Finishes the batch that is under way, lets its partitions go and begins nothing more. */
    public Future<Void> stop() {
        if (!stopping) {
            stopping = true;
            nextTurn.ifPresent(turn -> {
                turn.cancel();
                leave();
            });
        }
        return stopped.future();
    }

    private void leave() {
        nextTurn = Optional.empty();
        loop.reenter(outbox.release(workerId))
                .onFailure(failure -> log.warn("{} has left without a word: {}", workerId, failure.toString()))
                .onComplete(released -> stopped.complete());
    }

    private void turn() {
        nextTurn = Optional.empty();
        Future.<Void>succeededFuture()
                .compose(begun -> renew())
                .compose(held -> chores.doWhatIsDue(partitions))
                .compose(done -> deliver())
                .onComplete(turned -> {
                    if (turned.failed()) {
                        log.warn(
                                "{} could not deliver: {}",
                                workerId,
                                turned.cause().toString());
                        failures++;
                    }
                    chores.backlog().ifPresent(this::left);
                    goOn(turned.succeeded() && turned.result());
                });
    }

    private void goOn(boolean more) {
        if (stopping) {
            leave();
        } else if (failures > 0 && !more) {
            nextTurn = Optional.of(loop.schedule(pauses.after(failures, LONGEST_PAUSE_MS), this::turn));
        } else {
            nextTurn = Optional.of(loop.schedule(more ? 1 : settings.pollMs(), this::turn));
        }
    }

    /** Says that it lives; whoever has nothing asks more often, so that what others let go is not left lying. */
    private Future<Void> renew() {
        if (clock.monotonicMs() < leaseDueMs) {
            return Future.succeededFuture();
        }
        return loop.reenter(outbox.lease(workerId, settings.leaseMs())).map(held -> {
            leaseDueMs = clock.monotonicMs() + settings.leaseMs() / (held.isEmpty() ? 10 : 3);
            partitions.retainAll(held);
            held.stream().filter(partition -> !partitions.contains(partition)).forEach(partitions::add);
            return null;
        });
    }

    /** One batch; tells whether there may be more. */
    private Future<Boolean> deliver() {
        if (partitions.isEmpty()) {
            return Future.succeededFuture(false);
        }
        String token = tokens.newToken();
        long claimedMs = clock.monotonicMs();
        int limit = queueOut ? 1 : settings.batch();
        ClaimRequest request =
                new ClaimRequest(workerId, token, List.copyOf(partitions), limit, settings.claimMs(), busy);
        return loop.reenter(outbox.claim(request)).compose(claim -> {
            busy = claim.more() || !claim.rows().isEmpty();
            toTheBack(claim);
            if (claim.rows().isEmpty()) {
                // The database answers; whether the queue does is still not known.
                failures = queueOut ? failures : 0;
                return Future.succeededFuture(claim.more());
            }
            return publish(claim.rows())
                    .compose(deliveries -> finish(token, claimedMs, fates.of(claim.rows(), deliveries))
                            .map(finished -> {
                                count(deliveries, finished);
                                return claim.more() && !queueOut;
                            }));
        });
    }

    /** Whoever had a turn is last next time. */
    private void toTheBack(Claim claim) {
        Set<Integer> served = claim.rows().stream()
                .map(row -> OutboxStore.partitionOf(row.id().key()))
                .collect(Collectors.toCollection(TreeSet::new));
        if (served.isEmpty()) {
            Collections.rotate(partitions, -1);
        } else {
            partitions.removeAll(served);
            partitions.addAll(served);
        }
    }

    private Future<List<Delivery>> publish(List<Claimed> facts) {
        return loop.reenter(publisher.publish(facts)).transform(published -> {
            if (published.succeeded() && published.result().size() == facts.size()) {
                return Future.succeededFuture(published.result());
            }
            String error = published.failed() ? published.cause().toString() : "the queue's answer has gaps";
            return Future.succeededFuture(Collections.nCopies(facts.size(), new Delivery(Outcome.OUTAGE, error)));
        });
    }

    private void count(List<Delivery> deliveries, List<Finish> finished) {
        Optional<Delivery> out = deliveries.stream()
                .filter(delivery -> delivery.outcome() == Outcome.OUTAGE)
                .findFirst();
        out.ifPresent(delivery -> log.warn("{} finds no queue: {}", workerId, delivery.error()));
        queueOut = out.isPresent();
        failures = queueOut ? failures + 1 : 0;
        long delivered = 0;
        long refused = 0;
        long parked = 0;
        for (Finish finish : finished) {
            switch (finish.end()) {
                case DELIVERED -> delivered++;
                case RETRY -> refused++;
                case PARKED -> {
                    refused++;
                    parked++;
                    log.warn("fact {} is given up: {}", finish.id(), finish.error());
                }
                case PUT_BACK -> {}
            }
        }
        Figures old = figures;
        figures = new Figures(
                old.delivered + delivered, old.refused + refused, old.parked + parked, old.backlog, old.overdueMs);
    }

    private void left(Backlog backlog) {
        Figures old = figures;
        figures = new Figures(old.delivered, old.refused, old.parked, backlog.rows(), backlog.overdueMs());
    }

    /** Repeats it until it is done, or the claim has run out, and then somebody else has the facts. */
    private Future<List<Finish>> finish(String token, long claimedMs, List<Finish> finishes) {
        Promise<List<Finish>> finished = Promise.promise();
        tryToFinish(token, claimedMs + settings.claimMs(), finishes, 1, finished);
        return finished.future();
    }

    private void tryToFinish(
            String token, long untilMs, List<Finish> finishes, int tries, Promise<List<Finish>> finished) {
        loop.reenter(outbox.finish(token, finishes)).onComplete(done -> {
            if (done.succeeded()) {
                if (done.result() < finishes.size()) {
                    log.warn("{} was late with {} facts", workerId, finishes.size() - done.result());
                }
                finished.complete(finishes);
                return;
            }
            long pauseMs = pauses.after(tries, LONGEST_PAUSE_MS);
            if (stopping || clock.monotonicMs() + pauseMs >= untilMs) {
                finished.fail(done.cause());
            } else {
                loop.schedule(pauseMs, () -> tryToFinish(token, untilMs, finishes, tries + 1, finished));
            }
        });
    }
}
