package dev.roomcell.cell;

import dev.roomcell.port.LeaseDirectory.Renewal;
import dev.roomcell.port.RoomClock;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cell's lease, as the cell uses it: is it still ours, make sure, take it again, give it up. */
final class CellLease {
    private static final Logger log = LoggerFactory.getLogger(CellLease.class);

    private final LeaseHold hold;
    private final LeaseKeeper keeper;
    private final CellRecovery recovery;
    private final RoomClock clock;

    CellLease(LeaseHold hold, LeaseKeeper keeper, CellRecovery recovery, RoomClock clock) {
        this.hold = hold;
        this.keeper = keeper;
        this.recovery = recovery;
        this.clock = clock;
    }

    LeaseHold hold() {
        return hold;
    }

    /** Has it renewed from now on; {@code onRenewal} hears each answer. */
    void keep(Consumer<Renewal> onRenewal) {
        keeper.keep(hold, onRenewal);
    }

    void forget() {
        keeper.forget(hold);
    }

    /** Whether reads may be answered without asking anybody (LEASE-17). */
    boolean coversRead() {
        return hold.coversRead(clock.monotonicMs());
    }

    /** EnsureOwner (LEASE-6): no call while the lease is fresh. Never fails; empty is yes. */
    Future<Optional<Answer.Refused>> ensureOwner() {
        if (hold.coversCommand(clock.monotonicMs())) {
            return Future.succeededFuture(Optional.empty());
        }
        return keeper.renewNow(hold)
                .compose(renewal -> switch (renewal) {
                    case KEPT -> Future.succeededFuture(Optional.<Answer.Refused>empty());
                    case LOST -> Future.succeededFuture(Optional.of(changedHands()));
                    case ABSENT -> recovery.retake(hold);
                })
                .otherwise(this::notConfirmed);
    }

    /** Takes again what Redis no longer knows (LEASE-16). Never fails; empty is yes. */
    Future<Optional<Answer.Refused>> retake() {
        return recovery.retake(hold).otherwise(this::notConfirmed);
    }

    static Answer.Refused changedHands() {
        return Answer.Refused.of(Answer.Refusal.LEASE_LOST, "the lease changed hands; nothing happened");
    }

    private Optional<Answer.Refused> notConfirmed(Throwable failure) {
        log.warn("room {}: lease not confirmed: {}", hold.key(), failure.toString());
        return Optional.of(Answer.Refused.of(
                Answer.Refusal.STORE_UNAVAILABLE, "the lease could not be confirmed; nothing happened"));
    }

    /** Gives it up; never fails, as it expires by itself. */
    Future<Void> release() {
        return recovery.release(hold)
                .onFailure(failure -> log.warn("room {}: lease not released: {}", hold.key(), failure.toString()))
                .otherwiseEmpty();
    }
}
