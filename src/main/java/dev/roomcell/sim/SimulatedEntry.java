package dev.roomcell.sim;

import dev.roomcell.cell.Answer;
import dev.roomcell.cell.Answer.Refused;
import dev.roomcell.cell.CommandRequest;
import dev.roomcell.cell.CommandRouter;
import dev.roomcell.cell.Forwarding;
import dev.roomcell.cell.ReadAnswer;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.Peer;
import dev.roomcell.port.PeerLink;
import dev.roomcell.port.PeerLink.PeerException;
import dev.roomcell.port.PeerLink.PeerException.Fate;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Where calls come in at a node, to be run there or sent to the owner of their room; over links that may break. */
final class SimulatedEntry {
    /** Calls that only look wait so long, ms. */
    private static final long READ_MS = 5_000;

    private final Surroundings around;
    private final CellLoop loop;
    private final Link toPeers;
    private final Function<Peer, Optional<SimulatedNode>> nodes;
    private final RoomClock clock;
    private final Forwarding<CommandRequest, Answer> commands;
    private final Forwarding<Question, ReadAnswer> questions;

    /**
     * A question.
     *
     * @param key about which room
     * @param ask puts it to a node
     */
    private record Question(RoomKey key, Function<CommandRouter, Future<ReadAnswer>> ask) {}

    /**
     * The entry of a node.
     *
     * @param router the node's rooms
     * @param nodes finds the process behind a peer, if there is one
     */
    SimulatedEntry(
            Surroundings around,
            CellLoop loop,
            String nodeId,
            CommandRouter router,
            RoomClock clock,
            Link toPeers,
            Function<Peer, Optional<SimulatedNode>> nodes) {
        this.around = around;
        this.loop = loop;
        this.toPeers = toPeers;
        this.nodes = nodes;
        this.clock = clock;
        this.commands = new Forwarding<>(
                nodeId,
                new Commands(router),
                link((there, call, timeoutMs) -> there.submit(call.withDeadline(clock.monotonicMs() + timeoutMs))),
                clock);
        this.questions = new Forwarding<>(
                nodeId, new Questions(router), link((there, question, timeoutMs) -> question.ask.apply(there)), clock);
    }

    private final class Commands implements Forwarding.Calls<CommandRequest, Answer> {
        private final CommandRouter router;

        Commands(CommandRouter router) {
            this.router = router;
        }

        @Override
        public Future<Answer> runHere(CommandRequest call, long timeoutMs) {
            return router.submit(call.withDeadline(clock.monotonicMs() + timeoutMs));
        }

        @Override
        public Optional<Refused> refusal(Answer answer) {
            return answer instanceof Refused refused ? Optional.of(refused) : Optional.empty();
        }

        @Override
        public Answer refused(CommandRequest call, Refused refused) {
            return refused;
        }
    }

    private record Questions(CommandRouter router) implements Forwarding.Calls<Question, ReadAnswer> {
        @Override
        public Future<ReadAnswer> runHere(Question call, long timeoutMs) {
            return call.ask.apply(router);
        }

        @Override
        public Optional<Refused> refusal(ReadAnswer answer) {
            return answer instanceof ReadAnswer.Refused refused ? Optional.of(refused.refused()) : Optional.empty();
        }

        @Override
        public ReadAnswer refused(Question call, Refused refused) {
            return new ReadAnswer.Refused(refused);
        }
    }

    /** Runs a call at the far end. */
    private interface Run<C, A> {
        Future<A> at(CommandRouter there, C call, long timeoutMs);
    }

    /** A call travels, and its answer; either may be lost, and then the caller waits for as long as it can. */
    private <C, A> PeerLink<C, A> link(Run<C, A> run) {
        return (peer, call, timeoutMs) -> onLoop(() -> {
            Promise<A> answer = Promise.promise();
            around.trace.note("a call goes to " + peer.nodeId());
            CellLoop.Cancellable deadline = loop.schedule(
                    Math.max(1, timeoutMs),
                    () -> answer.tryFail(new PeerException("no answer in time", Fate.MAY_HAVE_RUN)));
            answer.future().onComplete(over -> deadline.cancel());
            boolean lost = isLost();
            around.time.later(travelMs(), () -> {
                Optional<SimulatedNode> there = nodes.apply(peer);
                if (there.isEmpty()) {
                    deliver(() -> answer.tryFail(new PeerException("nobody there", Fate.NOT_RUN)));
                } else if (!lost && !there.get().toPeers.isCut()) {
                    there.get()
                            .servePeer(router -> run.at(router, call, timeoutMs)
                                    .onComplete(ran -> back(there.get(), () -> answer.tryComplete(ran.result()))));
                }
            });
            return answer.future();
        });
    }

    private void back(SimulatedNode from, Runnable arrival) {
        if (!isLost() && !from.toPeers.isCut()) {
            around.time.later(travelMs(), () -> deliver(arrival));
        }
    }

    private boolean isLost() {
        return toPeers.isCut() || around.dice.percent(toPeers.lossPercent());
    }

    private int travelMs() {
        return 1 + around.dice.below(toPeers.slowestMs());
    }

    private void deliver(Runnable arrival) {
        loop.execute(arrival);
    }

    /** See {@link CommandRouter#submit}. */
    Future<Answer> submit(CommandRequest request) {
        return onLoop(() -> commands.run(request.key(), request, request.deadlineMs() - clock.monotonicMs()));
    }

    /** Puts a question to wherever the room is. */
    Future<ReadAnswer> ask(RoomKey key, Function<CommandRouter, Future<ReadAnswer>> question) {
        return onLoop(() -> questions.run(key, new Question(key, question), READ_MS));
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> call) {
        Promise<T> answer = Promise.promise();
        loop.execute(() -> call.get().onComplete(answer));
        return answer.future();
    }
}
