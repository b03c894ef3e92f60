package dev.roomcell.contract;

import static dev.roomcell.contract.LeaseBackend.NODE_A;
import static dev.roomcell.contract.LeaseBackend.NODE_B;
import static dev.roomcell.contract.LeaseBackend.TTL_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.port.NodeDirectory;
import dev.roomcell.port.NodeDirectory.Announced;
import dev.roomcell.port.Peer;
import dev.roomcell.testkit.Await;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where a live node can be reached. */
abstract class NodeDirectoryContract {
    private static final String KEY_OF_A = "room:node:" + NODE_A;

    private NodeDirectory a;
    private NodeDirectory b;

    abstract LeaseBackend backend();

    @BeforeEach
    void takeDirectories() {
        a = backend().nodeA().nodes();
        b = backend().nodeB().nodes();
    }

    @Test
    @Tag("LEASE-3")
    void anAnnouncedNodeIsFoundByEveryNodeUnderItsOwnKey() {
        Await.result(a.announce("10.0.0.1:7000", false));
        Await.result(b.announce("10.0.0.2:7000", false));
        assertThat(Await.result(b.find(List.of(NODE_A)))).containsExactly(at(NODE_A, "10.0.0.1:7000"));
        assertThat(Await.result(a.find(List.of(NODE_A)))).containsExactly(at(NODE_A, "10.0.0.1:7000"));
        assertThat(Await.result(a.find(List.of(NODE_B)))).containsExactly(at(NODE_B, "10.0.0.2:7000"));
        assertThat(backend().keys()).containsExactly(KEY_OF_A, "room:node:" + NODE_B);
    }

    private static Announced at(String nodeId, String address) {
        return new Announced(new Peer(nodeId, address), false);
    }

    @Test
    void severalAreFoundInOneQuestion() {
        Await.result(a.announce("10.0.0.1:7000", false));
        Await.result(b.announce("10.0.0.2:7000", false));
        assertThat(Await.result(a.find(List.of(NODE_B, "node-c", NODE_A))))
                .containsExactly(at(NODE_B, "10.0.0.2:7000"), at(NODE_A, "10.0.0.1:7000"));
        assertThat(Await.result(a.find(List.of()))).isEmpty();
    }

    @Test
    @Tag("LEASE-10")
    void aDrainingNodeSaysSoAndIsStillFound() {
        Await.result(a.announce("10.0.0.1:7000", true));
        assertThat(Await.result(b.find(List.of(NODE_A))))
                .containsExactly(new Announced(new Peer(NODE_A, "10.0.0.1:7000"), true));
        Await.result(a.announce("10.0.0.1:7000", false));
        assertThat(Await.result(b.find(List.of(NODE_A)))).containsExactly(at(NODE_A, "10.0.0.1:7000"));
    }

    @Test
    void aNodeThatNeverWasHasNoAddress() {
        assertThat(Await.result(a.find(List.of("node-c")))).isEmpty();
    }

    @Test
    @Tag("LEASE-3")
    void theEntryExpiresWithTheNode() {
        Await.result(a.announce("10.0.0.1:7000", false));
        assertThat(backend().remainingMs(KEY_OF_A).orElseThrow()).isBetween(1L, TTL_MS);
        backend().letRemain(KEY_OF_A, 0);
        assertThat(Await.result(b.find(List.of(NODE_A)))).isEmpty();
    }

    @Test
    void announcingAgainStartsTheTimeToLiveAnewAndMovesTheAddress() {
        Await.result(a.announce("10.0.0.1:7000", false));
        backend().letRemain(KEY_OF_A, 60_000);
        Await.result(a.announce("10.0.0.9:7000", false));
        assertThat(backend().remainingMs(KEY_OF_A).orElseThrow()).isBetween(TTL_MS - 60_000, TTL_MS);
        assertThat(Await.result(b.find(List.of(NODE_A)))).containsExactly(at(NODE_A, "10.0.0.9:7000"));
    }

    @Test
    void aWithdrawnNodeIsGoneAndNoOther() {
        Await.result(a.announce("10.0.0.1:7000", false));
        Await.result(b.announce("10.0.0.2:7000", false));
        Await.result(a.withdraw());
        assertThat(Await.result(b.find(List.of(NODE_A)))).isEmpty();
        assertThat(Await.result(a.find(List.of(NODE_B)))).containsExactly(at(NODE_B, "10.0.0.2:7000"));
        Await.result(a.withdraw());
    }
}
