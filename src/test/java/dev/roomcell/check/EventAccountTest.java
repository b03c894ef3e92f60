package dev.roomcell.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Presence;
import dev.roomcell.domain.Presence.RoomUserJoined;
import dev.roomcell.domain.RoomState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** I11: what the room makes of its events, against an account that is kept without it. */
final class EventAccountTest {
    private final Doctored room = Doctored.room();
    private final Findings findings = new Findings(Doctored.ROOM);
    private final EventAccount account = new EventAccount(findings);
    private final RoomState right = room.stateAt(4);

    private void follow(long versions) {
        for (long version = 1; version <= versions; version++) {
            account.apply(version, room.eventsOf(version));
        }
    }

    private List<String> differences(RoomState state) {
        account.compare(state);
        assertThat(findings.violations()).extracting(Violation::invariant).containsOnly(Invariant.I11);
        return findings.violations().stream().map(Violation::message).toList();
    }

    @Test
    void agreesWithARoomThatIsRight() {
        follow(4);

        account.compare(right);

        assertThat(account.counts(right)).isTrue();
        assertThat(findings.violations()).isEmpty();
    }

    @Test
    void missesAUserOfWhomTheRoomKnowsNothing() {
        follow(4);
        account.apply(5, List.of(new RoomUserJoined("emil", Presence.MemberKind.USER, 4)));

        assertThat(account.counts(right)).isFalse();
        assertThat(differences(right))
                .containsExactly("version 4: 3 users and 0 robots are present; by joins and leavings 4 and 0 are");
    }

    @Test
    void findsAUserWhoNeverJoined() {
        follow(3);

        assertThat(account.counts(right)).isFalse();
        assertThat(differences(right))
                .contains("version 4: cara is present since version 4; by joins and leavings since version 0");
    }

    @Test
    void findsAUserWhoHasTheStayOfAnother() {
        follow(5);
        account.apply(6, List.of(new RoomUserJoined("emil", Presence.MemberKind.USER, 3)));

        assertThat(account.counts(right)).isTrue();
        assertThat(differences(right))
                .containsExactly("version 4: ben is present since version 3; by joins and leavings since version 0");
    }
}
