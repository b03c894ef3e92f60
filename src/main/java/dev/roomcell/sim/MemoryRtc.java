package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.domain.RtcReports;
import dev.roomcell.port.RtcControl;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** An RTC that remembers whom it was told to remove, and which rooms to end. */
public final class MemoryRtc implements RtcControl {
    private final Map<RoomKey, Integer> dismissed = new HashMap<>();
    private final Map<RoomKey, Map<String, Integer>> removed = new HashMap<>();
    private final Map<RtcReports.Outcome, Integer> reports = new EnumMap<>(RtcReports.Outcome.class);
    private int toFail;

    /** The next so many calls fail. */
    public void fail(int calls) {
        toFail = calls;
    }

    @Override
    public Future<Void> removeUser(RoomKey key, String userId) {
        return call(() -> removed.computeIfAbsent(key, none -> new HashMap<>()).merge(userId, 1, Integer::sum));
    }

    @Override
    public Future<Void> dismissRoom(RoomKey key) {
        return call(() -> dismissed.merge(key, 1, Integer::sum));
    }

    private Future<Void> call(Runnable effect) {
        if (toFail > 0) {
            toFail--;
            return Future.failedFuture(new IllegalStateException("RTC does not answer"));
        }
        effect.run();
        return Future.succeededFuture();
    }

    void reported(RtcReports.Outcome outcome) {
        reports.merge(outcome, 1, Integer::sum);
    }

    /** What became of its reports; only what became of any. */
    Map<RtcReports.Outcome, Integer> reports() {
        return reports;
    }

    /** How often a user was removed. */
    public int removals(RoomKey key, String userId) {
        return removed.getOrDefault(key, Map.of()).getOrDefault(userId, 0);
    }

    /** How often a room was ended. */
    public int dismissals(RoomKey key) {
        return dismissed.getOrDefault(key, 0);
    }
}
