package dev.roomcell.cell;

import static dev.roomcell.cell.CellWorld.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.port.LeaseDirectory.Renew;
import dev.roomcell.port.LeaseDirectory.Renewal;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** LEASE-16: which tokens prove a lease, and how long it lasts. */
class LeaseHoldTest {
    private static final long TTL_MS = 6_000;
    private static final long SENT_AT_MS = 100_000;

    private final LeaseHold hold = new LeaseHold(ROOM, TTL_MS, 3, "first", SENT_AT_MS);

    private Renew unanswered(String token) {
        Renew sent = hold.renewalSent(token);
        hold.renewalAnswered(sent, SENT_AT_MS, Future.failedFuture("no answer"));
        return sent;
    }

    /** LEASE-16: Redis may have got to any of them. */
    @Test
    void theLastEightUnansweredTokensProveTheLeaseBesideTheConfirmedOne() {
        List<String> sent = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            sent.add("unanswered-" + i);
            unanswered("unanswered-" + i);
        }
        assertThat(hold.proof().tokens()).contains("first").containsAll(sent).hasSize(9);

        unanswered("unanswered-9");

        assertThat(hold.proof().tokens()).contains("first", "unanswered-9").hasSize(9);
        assertThat(hold.proof().tokens()).doesNotContain("unanswered-1");
    }

    /** LEASE-16. */
    @Test
    void aConfirmedTokenTakesThePlaceOfTheOneBefore() {
        Renew sent = hold.renewalSent("second");
        assertThat(hold.proof().tokens()).containsExactlyInAnyOrder("first", "second");

        hold.renewalAnswered(sent, SENT_AT_MS + 2_000, Future.succeededFuture(Renewal.KEPT));

        assertThat(hold.proof().tokens()).containsExactly("second");
        assertThat(hold.confirmedToken()).isEqualTo("second");

        Renew next = hold.renewalSent("third");
        hold.renewalAnswered(next, SENT_AT_MS + 4_000, Future.succeededFuture(Renewal.KEPT));

        assertThat(hold.proof().tokens()).containsExactly("third");
    }

    /** LEASE-16, LEASE-17. */
    @ParameterizedTest
    @EnumSource(names = {"ABSENT", "LOST"})
    void aRenewalThatIsNotKeptProlongsNothing(Renewal answer) {
        Renew sent = hold.renewalSent("second");

        hold.renewalAnswered(sent, SENT_AT_MS + 2_000, Future.succeededFuture(answer));

        assertThat(hold.confirmedToken()).isEqualTo("first");
        assertThat(hold.coversRead(SENT_AT_MS + TTL_MS)).isFalse();
    }

    /** LEASE-16: under the new epoch only what was sent with it counts. */
    @Test
    void whoeverTakesTheLeaseAgainProvesItByTheNewTokenAlone() {
        unanswered("second");

        hold.retaken(4, "third", SENT_AT_MS + 2_000);

        assertThat(hold.proof().epoch()).isEqualTo(4);
        assertThat(hold.proof().tokens()).containsExactly("third");
    }

    /** LEASE-16. */
    @Test
    void theAnswerToARenewalOfAnOlderEpochConfirmsNothing() {
        Renew old = hold.renewalSent("second");
        hold.retaken(4, "third", SENT_AT_MS + 1_000);

        hold.renewalAnswered(old, SENT_AT_MS + 2_000, Future.succeededFuture(Renewal.KEPT));

        assertThat(hold.confirmedToken()).isEqualTo("third");
        assertThat(hold.coversRead(SENT_AT_MS + 1_000 + TTL_MS)).isFalse();
    }

    /** LEASE-16, LEASE-17: counted from when the confirmed renewal was sent. */
    @Test
    void aLeaseCoversCommandsForFiveSixthsOfItsTimeAndReadsForAllOfIt() {
        assertThat(hold.coversCommand(SENT_AT_MS + 4_999)).isTrue();
        assertThat(hold.coversCommand(SENT_AT_MS + 5_000)).isFalse();
        assertThat(hold.coversRead(SENT_AT_MS + 5_999)).isTrue();
        assertThat(hold.coversRead(SENT_AT_MS + 6_000)).isFalse();
    }

    /** LEASE-16. */
    @Test
    void aLeaseIsDueForRenewalAfterAThirdOfItsTimeUnlessOneIsOnItsWay() {
        assertThat(hold.dueForRenewal(SENT_AT_MS + 1_999)).isFalse();
        assertThat(hold.dueForRenewal(SENT_AT_MS + 2_000)).isTrue();

        Renew sent = hold.renewalSent("second");
        assertThat(hold.dueForRenewal(SENT_AT_MS + 2_000)).isFalse();

        hold.renewalAnswered(sent, SENT_AT_MS + 2_000, Future.failedFuture("no answer"));
        assertThat(hold.dueForRenewal(SENT_AT_MS + 2_000)).isTrue();
    }
}
