package dev.roomcell.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.FactPublisher;
import dev.roomcell.port.FactPublisher.Delivery;
import dev.roomcell.port.FactPublisher.Outcome;
import dev.roomcell.port.OutboxStore.Claimed;
import dev.roomcell.port.OutboxStore.FactId;
import dev.roomcell.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What arrives, and what is said about it. */
abstract class FactPublisherContract {
    private static final RoomKey ROOM = new RoomKey("app", "räum 🚀");

    /** A queue with nothing in it. */
    abstract FactPublisher publisher();

    /** What an app's consumers see, in order. */
    abstract List<Claimed> entries(String appCode);

    /** From now on an app's facts are refused. */
    abstract void breakApp(String appCode);

    static Claimed fact(RoomKey room, int version) {
        byte[] envelope = ("{\"v\":" + version + ",\"🚀\":\"\0\u0001\"}").getBytes(StandardCharsets.UTF_8);
        return new Claimed(new FactId(room, version, version % 3), "RoomUserJoined", envelope, 0);
    }

    private List<Delivery> publish(Claimed... facts) {
        return Await.result(publisher().publish(List.of(facts)));
    }

    private void assertArrived(String appCode, Claimed... facts) {
        assertThat(entries(appCode))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(facts);
    }

    @Test
    @Tag("OUT-3")
    @Tag("OUT-5")
    @Tag("OUT-8")
    void whatIsPublishedArrivesAsItIsInOrder() {
        Claimed[] facts =
                IntStream.rangeClosed(1, 20).mapToObj(i -> fact(ROOM, i)).toArray(Claimed[]::new);
        assertThat(publish(facts)).hasSize(20).containsOnly(Delivery.DELIVERED);
        assertArrived("app", facts);
    }

    @Test
    @Tag("OUT-5")
    void anAppsFactsAreItsOwn() {
        Claimed ours = fact(ROOM, 1);
        Claimed theirs = fact(new RoomKey("other", "räum 🚀"), 1);
        assertThat(publish(ours, theirs)).containsOnly(Delivery.DELIVERED);
        assertArrived("app", ours);
        assertArrived("other", theirs);
    }

    @Test
    void aFactMayComeTwice() {
        Claimed fact = fact(ROOM, 1);
        publish(fact);
        assertThat(publish(fact)).containsExactly(Delivery.DELIVERED);
        assertArrived("app", fact, fact);
    }

    @Test
    @Tag("OUT-6")
    void aRefusedFactHoldsItsRoomAndNobodyElse() {
        RoomKey poisoned = new RoomKey("poison", "a");
        RoomKey neighbour = new RoomKey("poison", "b");
        Claimed ours = fact(ROOM, 1);
        breakApp("poison");
        List<Delivery> told = publish(fact(poisoned, 1), fact(poisoned, 2), ours, fact(neighbour, 1));
        assertThat(told)
                .extracting(Delivery::outcome)
                .containsExactly(Outcome.REFUSED, Outcome.HELD, Outcome.DELIVERED, Outcome.REFUSED);
        assertThat(told.get(0).error()).contains("WRONGTYPE");
        assertArrived("app", ours);
    }
}
