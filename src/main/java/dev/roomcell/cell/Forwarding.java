package dev.roomcell.cell;

import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.cell.Answer.Refused;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.Peer;
import dev.roomcell.port.PeerLink;
import dev.roomcell.port.PeerLink.PeerException;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a call that reached this node to the room's owner (LEASE-4): runs it here, or sends it to the node that is known
 * as the owner, and if that names another one, once more to that. A peer that is sent a call runs it itself; so no call
 * goes in circles, whatever anybody believes (LEASE-5). Callable from any thread.
 *
 * @param <C> a call
 * @param <A> an answer to one
 */
public final class Forwarding<C, A> {
    private static final Logger log = LoggerFactory.getLogger(Forwarding.class);
    /** To the route, and then once to the hint. */
    private static final int MOST_SENDS = 2;

    private final String nodeId;
    private final Calls<C, A> calls;
    private final PeerLink<C, A> peers;
    private final RoomClock clock;
    private final RouteCache routes = new RouteCache();

    /**
     * What a call and an answer are.
     *
     * @param <C> a call
     * @param <A> an answer to one
     */
    public interface Calls<C, A> {
        /** Runs a call on this node, within {@code timeoutMs}; never fails. */
        Future<A> runHere(C call, long timeoutMs);

        /** Why the answer is none, if it is none. */
        Optional<Refused> refusal(A answer);

        /** The answer to a call that could not be dealt with. */
        A refused(C call, Refused refused);
    }

    /** The entry of the node {@code nodeId}, with no route known. */
    public Forwarding(String nodeId, Calls<C, A> calls, PeerLink<C, A> peers, RoomClock clock) {
        this.nodeId = nodeId;
        this.calls = calls;
        this.peers = peers;
        this.clock = clock;
    }

    /** Runs a call where its room is, within {@code timeoutMs}; never fails. */
    public Future<A> run(RoomKey key, C call, long timeoutMs) {
        return new Journey(key, call, clock.monotonicMs() + timeoutMs).begin();
    }

    /** One call on its way. */
    private final class Journey {
        private final RoomKey key;
        private final C call;
        private final long deadlineMs;
        private int sends;
        private boolean ranHere;
        private boolean handedBack;
        private @Nullable Peer unreachable;

        Journey(RoomKey key, C call, long deadlineMs) {
            this.key = key;
            this.call = call;
            this.deadlineMs = deadlineMs;
        }

        Future<A> begin() {
            return routes.find(key).map(this::send).orElseGet(this::runHere);
        }

        private long leftMs() {
            return deadlineMs - clock.monotonicMs();
        }

        private Future<A> runHere() {
            ranHere = true;
            return calls.runHere(call, leftMs()).compose(this::orElsewhere);
        }

        private Future<A> send(Peer peer) {
            sends++;
            return peers.send(peer, call, leftMs())
                    .compose(answer -> answeredBy(peer, answer), failure -> notAnswered(peer, failure));
        }

        private Future<A> answeredBy(Peer peer, A answer) {
            Optional<Refused> refusal = calls.refusal(answer);
            if (refusal.filter(Journey::hasNoRoom).isPresent()) {
                // Perhaps nobody owns it: the next call is tried here first.
                routes.forget(key, peer);
            } else if (refusal.filter(Journey::namesAnother).isPresent()) {
                routes.forget(key, peer);
                handedBack = refusal.get().refusal() == Refusal.DRAINING;
                return refusal.get().owner().isEmpty() && !ranHere ? runHere() : orElsewhere(answer);
            } else {
                routes.learn(key, peer);
            }
            return Future.succeededFuture(answer);
        }

        /** The peer may have no cell of the room, and can't make one. */
        private static boolean hasNoRoom(Refused refused) {
            return refused.refusal() == Refusal.OVERLOADED || refused.refusal() == Refusal.LOADING;
        }

        /** Only who does not have the room, or no longer, says where it is; all other refusals are the owner's own. */
        private static boolean namesAnother(Refused refused) {
            return refused.refusal() == Refusal.NOT_OWNER || refused.refusal() == Refusal.DRAINING;
        }

        /** The answer, or where it says that the room is, if there is time and it was not tried already. */
        private Future<A> orElsewhere(A answer) {
            Optional<Peer> owner =
                    calls.refusal(answer).filter(Journey::namesAnother).flatMap(Refused::owner);
            if (owner.isEmpty() || leftMs() < 1) {
                return Future.succeededFuture(answer);
            }
            Peer named = owner.get();
            if (named.nodeId().equals(nodeId)) {
                // What was not ours to run before is, once its owner has let it go.
                boolean worthwhile = !ranHere || handedBack;
                handedBack = false;
                return worthwhile ? runHere() : Future.succeededFuture(answer);
            }
            if (named.equals(unreachable)) {
                return Future.succeededFuture(calls.refused(call, ownerUnreachable(named)));
            }
            return sends < MOST_SENDS ? send(named) : Future.succeededFuture(answer);
        }

        private Future<A> notAnswered(Peer peer, Throwable failure) {
            if (!(failure instanceof PeerException unanswered)) {
                log.error("{}: the link to {} failed", key, peer, failure);
                routes.forget(key, peer);
                return Future.succeededFuture(calls.refused(call, unknown(peer)));
            }
            log.debug("{} not answered by {}: {}", key, peer, failure.getMessage());
            return switch (unanswered.fate()) {
                // The room is there still: looking it up here would only load the databases, too.
                case BUSY -> Future.succeededFuture(calls.refused(call, busy(peer)));
                case MAY_HAVE_RUN -> {
                    routes.forget(key, peer);
                    yield Future.succeededFuture(calls.refused(call, unknown(peer)));
                }
                case NOT_RUN -> {
                    routes.forget(key, peer);
                    unreachable = peer;
                    yield ranHere || leftMs() < 1
                            ? Future.succeededFuture(calls.refused(call, ownerUnreachable(peer)))
                            : runHere();
                }
            };
        }
    }

    private static Refused ownerUnreachable(Peer owner) {
        return new Refused(
                Refusal.OWNER_UNREACHABLE,
                "the room's owner can't be reached from here; another takes over when its lease runs out",
                Optional.of(owner));
    }

    private static Refused busy(Peer owner) {
        return new Refused(
                Refusal.OVERLOADED, "too many calls are on their way to the room's owner", Optional.of(owner));
    }

    private static Refused unknown(Peer owner) {
        return new Refused(
                Refusal.OUTCOME_UNKNOWN,
                "the room's owner was asked and has not answered; send the same command id again to learn it",
                Optional.of(owner));
    }
}
