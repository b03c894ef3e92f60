package dev.roomcell.dev;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** What goes wrong at the simulated Tencent IM, on demand: each trouble befalls one call. May be told from any thread. */
public final class TencentFaults {
    /** A trouble. */
    enum Kind {
        /** Nothing is done, and the answer is an error code. */
        CODE,
        /** Nothing is done, and the answer is an HTTP status. */
        STATUS,
        /** Nothing is done, and the connection ends. */
        LOST_CALL,
        /** All is done, and the connection ends. */
        LOST_ANSWER,
        /** Nothing is done, and there is no answer. */
        SILENCE,
        /** A success that has shown the message to nobody. */
        SILENT_DROP
    }

    /** One call's trouble; {@code number} is its code or status. */
    record Fault(Kind kind, int number) {}

    private final Deque<Fault> next = new ArrayDeque<>();
    private volatile Optional<Fault> always = Optional.empty();
    private volatile long slownessMs;
    private volatile boolean dropsSilently;

    /** Answers the next {@code calls} calls with an error code, whatever they ask. */
    public TencentFaults code(int code, int calls) {
        return add(new Fault(Kind.CODE, code), calls);
    }

    /** Answers the next {@code calls} calls with an HTTP status. */
    public TencentFaults status(int status, int calls) {
        return add(new Fault(Kind.STATUS, status), calls);
    }

    /** The next {@code calls} calls do not arrive. */
    public TencentFaults loseCalls(int calls) {
        return add(new Fault(Kind.LOST_CALL, 0), calls);
    }

    /** The next {@code calls} calls are done, but their answers do not arrive. */
    public TencentFaults loseAnswers(int calls) {
        return add(new Fault(Kind.LOST_ANSWER, 0), calls);
    }

    /** The next {@code calls} calls are never answered. */
    public TencentFaults silence(int calls) {
        return add(new Fault(Kind.SILENCE, 0), calls);
    }

    /** The next {@code calls} messages are answered as a success with a MsgDropReason. */
    public TencentFaults drop(int calls) {
        return add(new Fault(Kind.SILENT_DROP, 0), calls);
    }

    /** From now on every call is answered with an error code. */
    public TencentFaults alwaysCode(int code) {
        always = Optional.of(new Fault(Kind.CODE, code));
        return this;
    }

    /** From now on no call arrives. */
    public TencentFaults alwaysLost() {
        always = Optional.of(new Fault(Kind.LOST_CALL, 0));
        return this;
    }

    /** From now on no call is answered. */
    public TencentFaults alwaysSilent() {
        always = Optional.of(new Fault(Kind.SILENCE, 0));
        return this;
    }

    /** What befell every call is over. */
    public TencentFaults well() {
        always = Optional.empty();
        return this;
    }

    /** Every answer takes so long from now on, ms. */
    public TencentFaults slow(long ms) {
        slownessMs = ms;
        return this;
    }

    /** Whether a message above a group's rate is answered as a success with a MsgDropReason, and not with 10023. */
    public TencentFaults dropsSilently(boolean silently) {
        dropsSilently = silently;
        return this;
    }

    private synchronized TencentFaults add(Fault fault, int calls) {
        for (int i = 0; i < calls; i++) {
            next.addLast(fault);
        }
        return this;
    }

    synchronized Optional<Fault> take() {
        return always.or(() -> Optional.ofNullable(next.pollFirst()));
    }

    long slownessMs() {
        return slownessMs;
    }

    boolean dropsSilently() {
        return dropsSilently;
    }
}
