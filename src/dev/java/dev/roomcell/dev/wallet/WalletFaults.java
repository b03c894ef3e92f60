package dev.roomcell.dev.wallet;

/** Says what becomes of each call to the wallet or the lottery. Called on event loops: it must not block. */
@FunctionalInterface
public interface WalletFaults {
    /** Nothing goes wrong. */
    WalletFaults NONE = (method, key) -> Fault.PASS;

    /**
     * What becomes of a call that has just come in; asked once a call.
     *
     * @param method Debit, Credit, Refund, GetBalance or Draw
     * @param key the call's; empty for GetBalance
     */
    Fault onCall(String method, String key);

    /**
     * What becomes of a call.
     *
     * @param kind how it goes
     * @param ms for SLOW and LATE: how long it waits first, ms
     */
    record Fault(Kind kind, long ms) {
        /** As it should. */
        public static final Fault PASS = new Fault(Kind.PASS, 0);
        /** No effect, no answer. */
        public static final Fault LOST_BEFORE = new Fault(Kind.LOST_BEFORE, 0);
        /** The effect, and no answer. */
        public static final Fault LOST_AFTER = new Fault(Kind.LOST_AFTER, 0);
        /** No effect, and UNAVAILABLE. */
        public static final Fault UNAVAILABLE_BEFORE = new Fault(Kind.UNAVAILABLE_BEFORE, 0);
        /** The effect, and UNAVAILABLE. */
        public static final Fault UNAVAILABLE_AFTER = new Fault(Kind.UNAVAILABLE_AFTER, 0);

        /** No effect, and FAILED_PRECONDITION: refused for good. */
        public static final Fault REFUSED = new Fault(Kind.REFUSED, 0);

        /** The effect and its answer come after so many ms. */
        public static Fault slow(long ms) {
            return new Fault(Kind.SLOW, ms);
        }

        /** The effect comes after so many ms, and no answer ever. */
        public static Fault late(long ms) {
            return new Fault(Kind.LATE, ms);
        }

        /** How a call may go. */
        public enum Kind {
            /** As it should. */
            PASS,
            /** No effect, no answer. */
            LOST_BEFORE,
            /** The effect, and no answer. */
            LOST_AFTER,
            /** No effect, and UNAVAILABLE. */
            UNAVAILABLE_BEFORE,
            /** The effect, and UNAVAILABLE. */
            UNAVAILABLE_AFTER,
            /** No effect, and FAILED_PRECONDITION. */
            REFUSED,
            /** The effect and its answer come later. */
            SLOW,
            /** The effect comes later, and no answer ever. */
            LATE
        }
    }
}
