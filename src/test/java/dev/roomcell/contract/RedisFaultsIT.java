package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.port.LeaseDirectory.Acquisition;
import dev.roomcell.port.LeaseDirectory.LeaseStoreException;
import dev.roomcell.port.LeaseDirectory.Proof;
import dev.roomcell.port.LeaseDirectory.Renew;
import dev.roomcell.port.LeaseDirectory.Renewal;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the directories make of a Redis that is silent, gone or has forgotten, and of real time. */
final class RedisFaultsIT {
    @RegisterExtension
    static final RedisBackend REDIS = new RedisBackend();

    private static final RoomKey ROOM = new RoomKey("app", "room");
    private static final Acquisition ACQUIRED = new Acquisition.Acquired();
    private static final long CALL_TIMEOUT_MS = 500;
    private static final long SHORT_TTL_MS = 300;

    private FaultProxy proxy;
    private LeaseBackend.Directories faulty;

    @BeforeEach
    void startProxy() {
        proxy = Await.result(FaultProxy.start(REDIS.vertx(), SharedServers.get().redisPort()));
        faulty = REDIS.nodeThrough(proxy.port(), CALL_TIMEOUT_MS, LeaseBackend.TTL_MS);
    }

    @AfterEach
    void closeProxy() {
        Await.result(proxy.close());
    }

    private void assertEveryCallFails() {
        Proof proof = new Proof(ROOM, 1, Set.of("t"));
        List<Future<?>> calls = List.of(
                faulty.leases().acquire(ROOM, "t"),
                faulty.leases().recordEpoch(ROOM, "t", 1),
                faulty.leases().renew(List.of(new Renew(ROOM, 1, "t"))),
                faulty.leases().verify(List.of(proof)),
                faulty.leases().release(ROOM, 1),
                faulty.nodes().announce("10.0.0.1:7000", false),
                faulty.nodes().find(List.of(LeaseBackend.NODE_A)),
                faulty.nodes().withdraw());
        calls.forEach(call -> assertThat(Await.failure(call)).isInstanceOf(LeaseStoreException.class));
    }

    private void assertServesAgain() {
        Await.until(
                "Redis is found again",
                () -> Await.result(faulty.leases()
                        .acquire(ROOM, "t-2")
                        .map(ACQUIRED::equals)
                        .otherwise(false)));
    }

    @Test
    void everyCallToASilentRedisFailsAtItsDeadline() {
        Await.result(faulty.leases().acquire(ROOM, "t-1"));
        proxy.blackHole();
        assertEveryCallFails();
        proxy.pass();
        assertServesAgain();
    }

    @Test
    void everyCallToARedisThatIsGoneFails() {
        Await.result(faulty.leases().acquire(ROOM, "t-1"));
        proxy.refuse();
        proxy.reset();
        assertEveryCallFails();
        proxy.pass();
        assertServesAgain();
    }

    @Test
    void aRedisThatHasForgottenTheScriptsIsTaughtThemAgain() {
        Await.result(REDIS.nodeA().leases().acquire(ROOM, "t-1"));
        REDIS.ask(Command.SCRIPT, "FLUSH");
        assertThat(Await.result(REDIS.nodeA().leases().renew(List.of(new Renew(ROOM, 0, "t-2")))))
                .containsExactly(Renewal.KEPT);
        assertThat(Await.result(REDIS.nodeA().leases().acquire(ROOM, "t-3"))).isEqualTo(ACQUIRED);
    }

    @Test
    void aLeaseThatNobodyRenewsRunsOutByItself() {
        LeaseBackend.Directories shortLived = REDIS.nodeThrough(proxy.port(), CALL_TIMEOUT_MS, SHORT_TTL_MS);
        assertThat(Await.result(shortLived.leases().acquire(ROOM, "t-1"))).isEqualTo(ACQUIRED);
        assertThat(Await.result(shortLived.nodes().announce("10.0.0.1:7000", false)))
                .isNull();
        Await.until(
                "the lease has run out",
                () -> ACQUIRED.equals(Await.result(REDIS.nodeB().leases().acquire(ROOM, "t-2"))));
        Await.until(
                "the node's entry has run out",
                () -> Await.result(REDIS.nodeB().nodes().find(List.of(LeaseBackend.NODE_A)))
                        .isEmpty());
    }
}
