package dev.roomcell.sim;

import dev.roomcell.cell.Answer;
import dev.roomcell.cell.CommandRequest;
import dev.roomcell.cell.CommandRouter;
import dev.roomcell.cell.MicSign;
import dev.roomcell.cell.ReadAnswer;
import dev.roomcell.domain.Rejection;
import dev.roomcell.domain.RoomCommand;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.RoomCodec;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A user with a client: one wish after the other, each sent again under its id until it is known what became of it.
 * Some are sent twice at once, some once more after minutes.
 */
final class Caller {
    private static final List<Integer> DEADLINES_MS = List.of(5_000, 15_000);
    /** So much later than its deadline an answer may arrive, ms. */
    private static final int GRACE_MS = 1_000;

    private static final int PATIENCE_MS = 15_000;
    /** Of a hundred calls those below are reads, those from there to the next number heartbeats, the rest commands. */
    private static final int READS = 18;

    private static final int HEARTBEATS = 33;
    /** Of a hundred heartbeats so many say that audio is sent. */
    private static final int PUBLISHING_PERCENT = 60;

    private static final int TWICE_PERCENT = 10;
    private static final int AGAIN_PERCENT = 2;
    /** Money is worth more trouble. */
    private static final int GIFT_TWICE_PERCENT = 25;

    private static final int GIFT_AGAIN_PERCENT = 10;
    /** Of a hundred gifts so many are asked for once, whatever comes of it: nobody ever asks again. */
    private static final int GIFT_FORGOTTEN_PERCENT = 20;

    private static final int GIFT_ELSEWHERE_PERCENT = 25;
    private static final int SAME_ID_PERCENT = 10;
    /** So long a cell remembers an id (CMD-2). */
    private static final int REMEMBERED_MS = 600_000;

    /** A command is too old to be sent so long before its log row may go: longer than it may be on its way, ms. */
    private static final int TOO_OLD_BEFORE_MS = 60_000;

    private final Cluster cluster;
    private final Surroundings around;
    private final Dice dice;
    private final Recorder recorder;
    private final ClientNetwork network;
    private final Rooms rooms;
    private final RoomCodec codec;
    private final String userId;
    private final Wishes wishes;
    private int pauseMs;
    private int commands;
    private boolean busy;

    Caller(Cluster cluster, Rooms rooms, RoomCodec codec, String userId, List<String> others) {
        this.cluster = cluster;
        this.around = cluster.around;
        this.dice = around.dice;
        this.recorder = cluster.recorder;
        this.network = new ClientNetwork(around);
        this.rooms = rooms;
        this.codec = codec;
        this.userId = userId;
        this.wishes = new Wishes(dice, around::databaseNowMs, rooms, userId, others);
    }

    /** One wish, and what is known of it. */
    private final class Wish {
        private final RoomKey room;
        private final String commandId;
        private final RoomCommand command;
        private final long patientUntilMs;
        private final long begunMs = around.time.nowMs();

        Wish(RoomKey room, RoomCommand command) {
            this(room, command, userId + "-" + ++commands);
        }

        Wish(RoomKey room, RoomCommand command, String commandId) {
            this.room = room;
            this.commandId = commandId;
            this.command = command;
            boolean forgotten = isGift() && dice.percent(GIFT_FORGOTTEN_PERCENT);
            this.patientUntilMs = around.time.nowMs() + (forgotten ? 0 : PATIENCE_MS);
        }

        private boolean isGift() {
            return command.kind() == RoomCommand.Kind.SEND_GIFT;
        }

        void send(Consumer<Optional<Answer>> answered) {
            Recorder.Moment asked = recorder.now();
            SimulatedNode node = choose(room);
            int deadlineMs = dice.percent(10) ? 1 + dice.below(300) : dice.any(DEADLINES_MS);
            around.trace.note(userId + " asks " + node + " for " + command.kind() + " " + commandId + " in " + room);
            network.ask(
                    node,
                    deadlineMs + GRACE_MS,
                    entry -> entry.submit(new CommandRequest(
                            room,
                            commandId,
                            command,
                            codec.encodeCommand(room, command),
                            node.clock.monotonicMs() + deadlineMs)),
                    () -> Answer.Refused.of(Answer.Refusal.DRAINING, "nobody there"),
                    answer -> {
                        recorder.told(room, commandId, command, asked, answer);
                        answer.ifPresent(told -> {
                            learn(room, node, told);
                            wishes.told(room, command, told);
                            if (command.kind() == RoomCommand.Kind.REPORT_RTC && told instanceof Answer.Done done) {
                                around.rtc.reported(codec.decodeRtcOutcome(done.result()));
                            }
                        });
                        answered.accept(answer);
                    });
        }

        /** Sends it once more, unless the callers have gone home, or it is too old by then (LOG-2). */
        void sendAgain() {
            if (pauseMs > 0 && around.time.nowMs() - begunMs < cluster.purge.logKeptMs() - TOO_OLD_BEFORE_MS) {
                send(answer -> {});
            }
        }

        /** Sends it until it is known what became of it, or patience ends. */
        void pursue(Runnable then) {
            send(answer -> {
                if (answer.filter(Caller::isFinal).isPresent() || around.time.nowMs() > patientUntilMs) {
                    then.run();
                } else {
                    around.time.later(20L + dice.below(400), () -> pursue(then));
                }
            });
        }

        /** Sends it now as often as this kind of command is sent, and perhaps once more later. */
        void begin(Runnable then) {
            if (dice.percent(isGift() ? GIFT_TWICE_PERCENT : TWICE_PERCENT)) {
                send(answer -> {});
            }
            if (dice.percent(isGift() ? GIFT_AGAIN_PERCENT : AGAIN_PERCENT)) {
                around.time.later(dice.below(60_000) + (dice.coin() ? 1_000L : REMEMBERED_MS), this::sendAgain);
            }
            pursue(then);
        }
    }

    private static boolean isFinal(Answer answer) {
        return !(answer instanceof Answer.Refused refused) || refused.refusal() == Answer.Refusal.COMMAND_ID_CONFLICT;
    }

    /** From now on there are pauses of up to {@code ms} between two wishes; 0 for no more wishes. */
    void pace(int ms) {
        pauseMs = ms;
        if (!busy) {
            over();
        }
    }

    private void over() {
        busy = pauseMs > 0;
        if (busy) {
            around.time.later(1L + dice.below(pauseMs), this::wish);
        }
    }

    private void wish() {
        if (pauseMs == 0) {
            busy = false;
            return;
        }
        RoomKey room = rooms.any();
        int kind = dice.below(100);
        if (kind < READS) {
            read(room, router -> router.read(room));
        } else if (kind < HEARTBEATS) {
            MicSign sign = new MicSign(wishes.session(room), dice.percent(PUBLISHING_PERCENT));
            read(room, router -> router.heartbeat(room, userId, sign));
        } else {
            Wish wish = new Wish(room, wishes.next(room));
            if (wish.isGift() && dice.percent(GIFT_ELSEWHERE_PERCENT)) {
                wishes.giftElsewhere(room).ifPresent(other -> alsoGive(other, wish));
            }
            wish.begin(this::over);
        }
    }

    /** From the same account at the same time; by mistake under the same id, which only one of the two can have (GIFT-5). */
    private void alsoGive(Wishes.Elsewhere other, Wish first) {
        if (dice.percent(SAME_ID_PERCENT)) {
            recorder.givenTwice(first.commandId);
            new Wish(other.room(), other.gift(), first.commandId).begin(() -> {});
        } else {
            new Wish(other.room(), other.gift()).begin(() -> {});
        }
    }

    private void read(RoomKey room, Function<CommandRouter, Future<ReadAnswer>> question) {
        Recorder.Moment asked = recorder.now();
        SimulatedNode node = choose(room);
        network.ask(
                node,
                dice.any(DEADLINES_MS),
                entry -> entry.ask(room, question),
                () -> new ReadAnswer.Refused(Answer.Refused.of(Answer.Refusal.DRAINING, "nobody there")),
                answer -> {
                    answer.ifPresent(read -> {
                        recorder.read(room, asked, read);
                        if (read instanceof ReadAnswer.Refused refused) {
                            learn(room, node, refused.refused());
                        }
                    });
                    over();
                });
    }

    /** Mostly where the room was found last. */
    private SimulatedNode choose(RoomKey room) {
        return rooms.route(room)
                .filter(known -> dice.percent(80))
                .flatMap(cluster::at)
                .orElseGet(() -> dice.any(cluster.nodes()));
    }

    private void learn(RoomKey room, SimulatedNode node, Answer answer) {
        if (answer instanceof Answer.Refused refused) {
            refused.owner().ifPresent(hint -> rooms.route(room, hint.advertiseAddr()));
            return;
        }
        rooms.route(room, node.address);
        if (answer instanceof Answer.Rejected rejected
                && rejected.rejection().reason() == Rejection.Reason.ROOM_CLOSED) {
            rooms.ended(room);
        }
    }
}
