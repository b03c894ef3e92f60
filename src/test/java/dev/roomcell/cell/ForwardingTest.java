package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer.Done;
import dev.roomcell.cell.Answer.Refusal;
import dev.roomcell.cell.Answer.Refused;
import dev.roomcell.port.Peer;
import dev.roomcell.port.PeerLink.PeerException;
import dev.roomcell.port.PeerLink.PeerException.Fate;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Where a call goes that came in here, A, among A, B and C. */
final class ForwardingTest {
    private static final Peer A = new Peer("a", "10.0.0.1:7000");
    private static final Peer B = new Peer("b", "10.0.0.2:7000");
    private static final Peer C = new Peer("c", "10.0.0.3:7000");
    private static final Answer DONE = new Done(new byte[0], false);
    private static final long TIMEOUT_MS = 1_000;

    /** Where the call was, in order: "here", or a node's id. */
    private final List<String> visited = new ArrayList<>();

    private final Queue<Answer> here = new ArrayDeque<>();
    private final Queue<Future<Answer>> there = new ArrayDeque<>();
    private final List<Long> timeouts = new ArrayList<>();
    private long nowMs;
    private long stepMs;

    private final Forwarding<String, Answer> forwarding =
            new Forwarding<>("a", new ScriptedCalls(), this::send, new StoppedClock());

    private final class ScriptedCalls implements Forwarding.Calls<String, Answer> {
        @Override
        public Future<Answer> runHere(String call, long timeoutMs) {
            return went("here", timeoutMs, Future.succeededFuture(here.remove()));
        }

        @Override
        public Optional<Refused> refusal(Answer answer) {
            return Optional.of(answer).filter(Refused.class::isInstance).map(Refused.class::cast);
        }

        @Override
        public Answer refused(String call, Refused refused) {
            return refused;
        }
    }

    private final class StoppedClock implements RoomClock {
        @Override
        public long nowMs() {
            throw new AssertionError("a deadline is on the monotonic clock");
        }

        @Override
        public long monotonicMs() {
            return nowMs;
        }
    }

    private Future<Answer> send(Peer peer, String call, long timeoutMs) {
        return went(peer.nodeId(), timeoutMs, there.remove());
    }

    private Future<Answer> went(String where, long timeoutMs, Future<Answer> answer) {
        visited.add(where);
        timeouts.add(timeoutMs);
        nowMs += stepMs;
        return answer;
    }

    private static Answer notOwner(Peer owner) {
        return new Refused(Refusal.NOT_OWNER, "", Optional.of(owner));
    }

    private static Future<Answer> says(Answer answer) {
        return Future.succeededFuture(answer);
    }

    private static Future<Answer> unanswered(Fate fate) {
        return Future.failedFuture(new PeerException("gone", fate));
    }

    private Answer run() {
        visited.clear();
        timeouts.clear();
        return forwarding.run(ROOM, "call", TIMEOUT_MS).result();
    }

    private Refused refused(Refusal reason) {
        Answer answer = run();
        assertThat(answer).isInstanceOf(Refused.class);
        assertThat(((Refused) answer).refusal()).isEqualTo(reason);
        return (Refused) answer;
    }

    @Test
    void whatIsOursIsRunHere() {
        here.add(DONE);
        assertThat(run()).isEqualTo(DONE);
        assertThat(visited).containsExactly("here");
    }

    /** LEASE-4: and from then on the way is known. */
    @Test
    void whatIsAnothersIsSentThereAndNextTimeAtOnce() {
        here.add(notOwner(B));
        there.add(says(DONE));
        there.add(says(DONE));
        assertThat(run()).isEqualTo(DONE);
        assertThat(visited).containsExactly("here", "b");
        assertThat(run()).isEqualTo(DONE);
        assertThat(visited).containsExactly("b");
    }

    private void learnsThatItIsAtB() {
        here.add(notOwner(B));
        there.add(says(DONE));
        run();
    }

    /** LEASE-5: to the route, then once to the hint; and the hint is the new route. */
    @Test
    void aStaleRouteIsFollowedOnce() {
        learnsThatItIsAtB();
        there.add(says(notOwner(C)));
        there.add(says(DONE));
        there.add(says(DONE));
        assertThat(run()).isEqualTo(DONE);
        assertThat(visited).containsExactly("b", "c");
        run();
        assertThat(visited).containsExactly("c");
    }

    /** LEASE-5, B17: two nodes that name each other keep no call busy. */
    @Test
    void nodesThatNameEachOtherEndTheCall() {
        learnsThatItIsAtB();
        there.add(says(notOwner(C)));
        there.add(says(notOwner(B)));
        assertThat(refused(Refusal.NOT_OWNER).owner()).contains(B);
        assertThat(visited).containsExactly("b", "c");
    }

    /** B17. */
    @Test
    void aPeerThatNamesThisNodeIsBelievedOnce() {
        learnsThatItIsAtB();
        there.add(says(notOwner(A)));
        here.add(notOwner(B));
        there.add(says(notOwner(A)));
        assertThat(refused(Refusal.NOT_OWNER).owner()).contains(A);
        assertThat(visited).containsExactly("b", "here", "b");
    }

    @Test
    void aPeerThatKnowsNoOwnerLeavesItToThisNode() {
        learnsThatItIsAtB();
        there.add(says(Refused.of(Refusal.NOT_OWNER, "")));
        here.add(DONE);
        assertThat(run()).isEqualTo(DONE);
        assertThat(visited).containsExactly("b", "here");
        here.add(DONE);
        run();
        assertThat(visited).containsExactly("here");
    }

    /** LEASE-10: what a draining node gives back goes to its successor, from wherever it came. */
    @Test
    void whatADrainingNodeGivesBackGoesToItsSuccessor() {
        here.add(new Refused(Refusal.DRAINING, "", Optional.of(C)));
        there.add(says(DONE));
        assertThat(run()).isEqualTo(DONE);
        assertThat(visited).containsExactly("here", "c");
        there.add(says(new Refused(Refusal.DRAINING, "", Optional.of(B))));
        there.add(says(DONE));
        assertThat(run()).isEqualTo(DONE);
        assertThat(visited).containsExactly("c", "b");
    }

    /** LEASE-10: the successor may be this node, though the room was not its own a moment ago. */
    @Test
    void whatADrainingNodeGivesBackToThisNodeIsRunHere() {
        here.add(notOwner(B));
        there.add(says(new Refused(Refusal.DRAINING, "", Optional.of(A))));
        here.add(DONE);
        assertThat(run()).isEqualTo(DONE);
        assertThat(visited).containsExactly("here", "b", "here");
    }

    /** B17: and no call goes on for ever between two that can't agree. */
    @Test
    void whatIsGivenBackAgainAndAgainEnds() {
        Answer back = new Refused(Refusal.DRAINING, "", Optional.of(A));
        here.addAll(List.of(notOwner(B), notOwner(B), notOwner(B)));
        there.addAll(List.of(says(back), says(back)));
        refused(Refusal.NOT_OWNER);
        assertThat(visited).containsExactly("here", "b", "here", "b", "here");
        here.addAll(List.of(notOwner(B), notOwner(A)));
        there.add(says(back));
        refused(Refusal.NOT_OWNER);
        assertThat(visited).containsExactly("here", "b", "here");
    }

    @Test
    void otherRefusalsOfTheOwnerAreTheAnswer() {
        here.add(notOwner(B));
        there.add(says(Refused.of(Refusal.OVERLOADED, "")));
        refused(Refusal.OVERLOADED);
        assertThat(visited).containsExactly("here", "b");
    }

    /** A full node that took the room once must not keep it from those that have a place for it. */
    @Test
    void aNodeThatCanTakeNoMoreIsNotTheRouteAnyLonger() {
        learnsThatItIsAtB();
        there.add(says(Refused.of(Refusal.OVERLOADED, "")));
        refused(Refusal.OVERLOADED);
        here.add(DONE);
        assertThat(run()).isEqualTo(DONE);
        assertThat(visited).containsExactly("here");
    }

    /** B16: a dead owner, whose lease has not run out. */
    @Test
    void anOwnerThatIsNotThereIsNotAskedTwice() {
        learnsThatItIsAtB();
        there.add(unanswered(Fate.NOT_RUN));
        here.add(notOwner(B));
        assertThat(refused(Refusal.OWNER_UNREACHABLE).owner()).contains(B);
        assertThat(visited).containsExactly("b", "here");
    }

    /** B16: its lease has run out, and this node takes the room. */
    @Test
    void theRoomOfADeadOwnerIsTaken() {
        learnsThatItIsAtB();
        there.add(unanswered(Fate.NOT_RUN));
        here.add(DONE);
        assertThat(run()).isEqualTo(DONE);
    }

    /** B20: what may have happened is not tried anywhere else; the same id tells. */
    @Test
    void anOwnerThatDoesNotAnswerLeavesTheOutcomeOpen() {
        learnsThatItIsAtB();
        there.add(unanswered(Fate.MAY_HAVE_RUN));
        assertThat(refused(Refusal.OUTCOME_UNKNOWN).owner()).contains(B);
        assertThat(visited).containsExactly("b");
        here.add(DONE);
        assertThat(run()).isEqualTo(DONE);
        assertThat(visited).as("the route is forgotten").containsExactly("here");
    }

    /** An owner that has enough to do is the owner still: nobody looks the room up, and the next call goes there too. */
    @Test
    void anOwnerThatIsBusyIsNotLookedFor() {
        learnsThatItIsAtB();
        there.add(unanswered(Fate.BUSY));
        assertThat(refused(Refusal.OVERLOADED).owner()).contains(B);
        assertThat(visited).containsExactly("b");
        there.add(says(DONE));
        assertThat(run()).isEqualTo(DONE);
        assertThat(visited).containsExactly("b");
    }

    @Test
    void aFaultOfTheLinkIsNoAnswer() {
        here.add(notOwner(B));
        there.add(Future.failedFuture(new IllegalStateException("broken")));
        refused(Refusal.OUTCOME_UNKNOWN);
    }

    /** The peer gets what time is left, and a call that has none is not sent. */
    @Test
    void theDeadlineTravels() {
        stepMs = 300;
        here.add(notOwner(B));
        there.add(says(notOwner(C)));
        there.add(says(DONE));
        assertThat(run()).isEqualTo(DONE);
        assertThat(timeouts).containsExactly(1_000L, 700L, 400L);
        stepMs = 1_000;
        there.add(says(notOwner(B)));
        refused(Refusal.NOT_OWNER);
        assertThat(visited).containsExactly("c");
    }
}
