package dev.roomcell.sim;

/** MySQL or Redis, as far as it can be in trouble. */
final class SimulatedServer {
    final String name;
    private int generation;
    private boolean down;
    private long stalledUntilMs;
    private boolean readOnly;

    SimulatedServer(String name) {
        this.name = name;
    }

    /** Its connections are lost and, until {@link #start}, no new ones are taken. */
    void stop() {
        down = true;
        generation++;
    }

    void start() {
        down = false;
    }

    boolean isDown() {
        return down;
    }

    /** Tells connections of before and after a {@link #stop} apart. */
    int generation() {
        return generation;
    }

    /** Does nothing until then, and then all that it was asked for. */
    void stallUntil(long ms) {
        stalledUntilMs = Math.max(stalledUntilMs, ms);
    }

    long stalledUntilMs() {
        return stalledUntilMs;
    }

    /** Whether writes are refused (1290). */
    boolean isReadOnly() {
        return readOnly;
    }

    void readOnly(boolean now) {
        readOnly = now;
    }
}
