package dev.roomcell.port;

/**
 * How many messages a provider takes from all rooms of a node together. Shared by the node's event loops: callable from
 * any thread, and quick. Times are monotonic ms of one clock.
 */
public interface SendBudget {
    /** Takes one message's place if there is one now, and returns 0; else after how many ms there may be one, at least 1. */
    long take(long nowMs);

    /** The same for what gives way to all messages (LANE-5): there must be places left for others too. */
    boolean takeSpare(long nowMs);

    /** A message was sent, whether there was a place for it or not: one that is sent again. */
    void spend(long nowMs);

    /** Of a provider that takes whatever comes. */
    static SendBudget unlimited() {
        return new SendBudget() {
            @Override
            public long take(long nowMs) {
                return 0;
            }

            @Override
            public boolean takeSpare(long nowMs) {
                return true;
            }

            @Override
            public void spend(long nowMs) {}
        };
    }
}
