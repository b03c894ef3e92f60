package dev.roomcell.adapter.tencent;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What is done about an error code of Tencent IM: one table, in the order of what is done.
 *
 * @param firstCode the first code that it is about
 * @param lastCode the last one
 * @param remedy what is done
 * @param pauseMs at least so long before the next try, or until the open circuit tries again, ms
 * @param meaning what the code says
 */
record ErrorRule(int firstCode, int lastCode, Remedy remedy, long pauseMs, String meaning) {
    static final int NO_ERROR = 0;
    static final int GROUP_MISSING = 10010;
    static final int GROUP_GONE = 10015;
    static final int GROUP_ID_TAKEN = 10021;
    static final int TOO_MANY_IN_GROUP = 10023;
    static final int GROUP_IS_OURS = 10025;

    private static final long AT_ONCE = 0;
    private static final long SECOND_MS = 1_000;
    private static final long CIRCUIT_MS = 30_000;
    private static final long MINUTE_MS = 60_000;

    /** What is done about an error. */
    enum Remedy {
        /** The same call again, with the same Random, after a pause that doubles, as long as its time lasts. */
        RETRY,
        /** A new signature, then the call once more. */
        REFRESH,
        /** The account is imported, then the call once more. */
        IMPORT,
        /** This call comes to nothing; the next may do better. */
        DROP,
        /** No call will do better before somebody has looked: an alarm, and no calls for a while. */
        OPEN_CIRCUIT
    }

    static final List<ErrorRule> TABLE = table();

    private static List<ErrorRule> table() {
        List<ErrorRule> rules = new ArrayList<>();
        rules.addAll(retry("internal error", 10002, 20004, 20005, 70169, 70500));
        rules.addAll(retry("too many calls", 10006));
        rules.addAll(rules(Remedy.RETRY, SECOND_MS, "too many messages in the group", TOO_MANY_IN_GROUP));
        rules.addAll(retry("the account was not checked", 60004, 60005, 60014));
        rules.addAll(retry("too many REST calls", 60007, 60011, 60018, 60019));
        rules.addAll(retry("timed out, or bad HTTP", 60008, 60013));
        rules.addAll(retry("the callback before a message failed", 80003));
        rules.addAll(rules(Remedy.REFRESH, AT_ONCE, "the signature has expired", 70001));
        rules.addAll(rules(Remedy.IMPORT, AT_ONCE, "the account is not imported", 10019, 20003, 70107, 90012));
        rules.addAll(circuit("the call is malformed", 60002, 60003, 60009));
        rules.addAll(circuit("the app or its site is wrong", 60006, 60020, 60026));
        rules.addAll(circuit("no administrator", 60010));
        rules.addAll(circuit("no right to call", 60012, 60015, 60016, 60017, 60025));
        rules.addAll(circuit("this address may not call", 60021));
        rules.addAll(circuit("the trial's quota is used up", 60028));
        rules.addAll(circuit("the signature is wrong", 70003, 70009, 70013, 70014, 70016, 70020, 70051));
        rules.addAll(rules(Remedy.OPEN_CIRCUIT, MINUTE_MS, "too many wrong signatures", 70050));
        rules.addAll(circuit("not part of what was bought", 10059, 80005));
        rules.addAll(drop("not for this group or not allowed", 10003, 10004, 10007, 10011, 10026));
        rules.addAll(drop("there is no such group", GROUP_MISSING, GROUP_GONE));
        rules.addAll(drop("refused by our own callback", 10016));
        rules.addAll(drop("the sender is muted", 10017));
        rules.addAll(drop("the group's id is taken", GROUP_ID_TAKEN, GROUP_IS_OURS));
        rules.addAll(drop("too many groups", 10036));
        rules.addAll(drop("the text was not allowed", 80001));
        rules.addAll(drop("the message is too long", 80002));
        rules.add(new ErrorRule(10100, 10200, Remedy.DROP, AT_ONCE, "refused by our own callback"));
        rules.add(new ErrorRule(90001, 90010, Remedy.DROP, AT_ONCE, "the message is malformed"));
        return List.copyOf(rules);
    }

    private static List<ErrorRule> retry(String meaning, int... codes) {
        return rules(Remedy.RETRY, AT_ONCE, meaning, codes);
    }

    private static List<ErrorRule> circuit(String meaning, int... codes) {
        return rules(Remedy.OPEN_CIRCUIT, CIRCUIT_MS, meaning, codes);
    }

    private static List<ErrorRule> drop(String meaning, int... codes) {
        return rules(Remedy.DROP, AT_ONCE, meaning, codes);
    }

    private static List<ErrorRule> rules(Remedy remedy, long pauseMs, String meaning, int... codes) {
        return IntStream.of(codes)
                .mapToObj(code -> new ErrorRule(code, code, remedy, pauseMs, meaning))
                .toList();
    }

    private boolean isAbout(int code) {
        return firstCode <= code && code <= lastCode;
    }

    /** What is done about a code; one that nobody knows is not tried again. */
    static ErrorRule of(int code) {
        return TABLE.stream()
                .filter(rule -> rule.isAbout(code))
                .findFirst()
                .orElseGet(() -> new ErrorRule(code, code, Remedy.DROP, AT_ONCE, "unknown code"));
    }
}
