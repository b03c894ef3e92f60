package dev.roomcell.cell;

import dev.roomcell.port.CellLoop;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.TokenSource;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of a loop's cells, every third of their time to live, many in one call. It is the one place where a
 * token rotates (LEASE-16).
 */
final class LeaseKeeper {
    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

    /** The most leases of one call to Redis. */
    private static final int RENEWALS_A_CALL = 256;
    /** So many times in a lease's time to live it is looked which leases are due. */
    private static final int TICKS_PER_TTL = 12;

    private final CellLoop loop;
    private final LeaseDirectory leases;
    private final RoomClock clock;
    private final TokenSource tokens;
    private final long tickMs;
    /** In the order of loading: a lease has no name that would give a hash map the same order in every process. */
    private final Map<LeaseHold, Consumer<LeaseDirectory.Renewal>> kept = new LinkedHashMap<>();

    private CellLoop.Cancellable nextTick;
    private boolean stopped;

    LeaseKeeper(CellLoop loop, CellPorts ports, CellSettings settings) {
        this.loop = loop;
        this.leases = ports.leases();
        this.clock = ports.clock();
        this.tokens = ports.tokens();
        this.tickMs = Math.max(1, settings.leaseTtlMs() / TICKS_PER_TTL);
        this.nextTick = loop.schedule(tickMs, this::tick);
    }

    /** Renews {@code lease} from now on; {@code onRenewal} hears each answer, on the loop. */
    void keep(LeaseHold lease, Consumer<LeaseDirectory.Renewal> onRenewal) {
        kept.put(lease, onRenewal);
    }

    void forget(LeaseHold lease) {
        kept.remove(lease);
    }

    void stop() {
        stopped = true;
        nextTick.cancel();
    }

    /** Renews one lease now, or joins the renewal that is on its way. Fails when Redis does not answer. */
    Future<LeaseDirectory.Renewal> renewNow(LeaseHold lease) {
        return lease.renewalInFlight().orElseGet(() -> {
            renew(List.of(lease));
            return lease.renewalInFlight().orElseThrow();
        });
    }

    private void tick() {
        try {
            renewDue();
        } finally {
            if (!stopped) {
                nextTick = loop.schedule(tickMs, this::tick);
            }
        }
    }

    private void renewDue() {
        long nowMs = clock.monotonicMs();
        List<LeaseHold> due = new ArrayList<>();
        for (LeaseHold lease : kept.keySet()) {
            if (lease.dueForRenewal(nowMs)) {
                due.add(lease);
            }
        }
        for (int from = 0; from < due.size(); from += RENEWALS_A_CALL) {
            renew(due.subList(from, Math.min(due.size(), from + RENEWALS_A_CALL)));
        }
    }

    private void renew(List<LeaseHold> due) {
        List<LeaseHold> sentFor = List.copyOf(due);
        List<LeaseDirectory.Renew> sent = new ArrayList<>(due.size());
        sentFor.forEach(lease -> sent.add(lease.renewalSent(tokens.newToken())));
        long sentAtMs = clock.monotonicMs();
        loop.reenter(Future.<Void>succeededFuture().compose(begun -> leases.renew(sent)))
                .onComplete(answers -> {
                    for (int i = 0; i < sentFor.size(); i++) {
                        LeaseHold lease = sentFor.get(i);
                        Future<LeaseDirectory.Renewal> answer = answers.failed()
                                ? Future.failedFuture(answers.cause())
                                : Future.succeededFuture(answers.result().get(i));
                        try {
                            answered(lease, sent.get(i), sentAtMs, answer);
                        } catch (RuntimeException fault) {
                            // One room's fault is not the next one's: each must hear that its renewal is over.
                            log.error("room {} failed on a renewal", lease.key(), fault);
                        }
                    }
                });
    }

    private void answered(
            LeaseHold lease, LeaseDirectory.Renew sent, long sentAtMs, Future<LeaseDirectory.Renewal> answer) {
        boolean current = sent.epoch() == lease.epoch();
        lease.renewalAnswered(sent, sentAtMs, answer);
        Consumer<LeaseDirectory.Renewal> onRenewal = kept.get(lease);
        // Unanswered: tried again at the next tick; the cell serves nothing once the lease has run out.
        if (onRenewal != null && current && answer.succeeded()) {
            onRenewal.accept(answer.result());
        }
    }
}
