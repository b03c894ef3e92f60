package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.check.CheckCommand;
import dev.roomcell.check.ExplainGiftCommand;
import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.dev.wallet.WalletFaults.Fault;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.GiftStore.GiftKey;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.ParkedGifts;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Gifts whose money the wallet refuses to move: what operators see of them, and what they do. */
final class ParkedGiftIT {
    private static final RoomKey ROOM = new RoomKey(GiftHouse.APP, "parked");
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private GiftHouse house;
    private RoomNode node;
    private RoomClient client;

    @BeforeEach
    void start() {
        house = new GiftHouse(10_000);
        node = house.backends.startNode("parked", house.variables(Map.of("ROOM_GIFTS_MAX_REFUSALS", "2")));
        // A reward that is refused is one that is in progress; it is not waited for here.
        client = RoomClient.create(
                house.vertx,
                RoomClientOptions.to("127.0.0.1:" + node.grpcPort()).withTimeouts(3_000, 3_000));
        house.tables.offer(GiftHouse.APP, "rose", 10, false);
        house.tables.offer(GiftHouse.APP, "clover", 10, true);
        Await.result(client.createRoom(RoomCalls.create(ROOM, "create")));
        for (String user : List.of("ann", "ben", "cara")) {
            Await.result(client.joinRoom(RoomCalls.join(ROOM, user, "join-" + user)));
        }
        house.wallet.books().open(GiftHouse.APP, "ann", 100);
    }

    @AfterEach
    void stop() {
        Await.result(node.stop());
        house.close();
    }

    private String get(String path) {
        try {
            URI uri = URI.create("http://127.0.0.1:" + node.opsPort() + path);
            HttpResponse<String> answer = HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            return answer.body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private JsonObject degraded() {
        return new JsonObject(get("/health/ready")).getJsonObject("degraded", new JsonObject());
    }

    private void refuse(String id, SendGiftRequest gift) {
        assertThat(Await.failure(client.sendGift(gift))).as(id).isInstanceOf(RoomCallException.class);
    }

    /** One whose receiver leaves while it is paid for, and one that wins. */
    private void giveTwoThatTheWalletWillNotEnd() {
        house.fail((method, key) -> switch (method) {
            case "Refund", "Credit" -> Fault.REFUSED;
            case "Debit" -> key.endsWith("/back") ? Fault.slow(300) : Fault.PASS;
            default -> Fault.PASS;
        });
        Future<?> back = client.sendGift(GiftHouse.gift(ROOM, "ann", "rose", 2, "back", "cara"));
        Await.until("it is begun", () -> !house.tables.intents(GiftHouse.APP).isEmpty());
        Await.result(client.leaveRoom(RoomCalls.leave(ROOM, "cara", "leave")));
        assertThat(((RoomCallException) Await.failure(back)).reason()).isEqualTo("RECEIVER_GONE");
        refuse("won", GiftHouse.gift(ROOM, "ann", "clover", 3, "won", "ben"));
        house.tables.makeDue("won");
    }

    @Test
    @Tag("GIFT-2")
    @Tag("GIFT-6")
    void theyAreNamedEverywhereAndPutBackAsTheReadmeSays() {
        giveTwoThatTheWalletWillNotEnd();
        Await.until("both are parked", () -> {
            // Each refusal puts the next look off; nobody has to wait for it.
            house.tables.makeDueSoon();
            return house.tables.list(ParkedGifts.list()).size() == 2;
        });
        Await.until("it is counted", () -> get("/metrics").contains("room_gifts_parked 2.0"));
        assertThat(get("/metrics")).contains("room_gifts_open 0.0");
        assertThat(degraded().getString("gifts")).startsWith("2 parked");
        assertThat(house.tables.list(ParkedGifts.list()))
                .satisfiesExactly(
                        back -> assertThat(back).contains("back", "VOIDING", "refused on demand"),
                        won -> assertThat(won).contains("won", "COMMITTED", "refused on demand"));
        assertThat(house.run(new ExplainGiftCommand(), "back", "--app", GiftHouse.APP))
                .contains("it is parked until an operator puts it back; the wallet has refused it 2 times")
                .endsWith("exit 0");
        assertThat(house.run(new CheckCommand()))
                .contains(
                        "open: gift back in room gifts/parked is parked: what was taken of 20 coins is to go back to ann")
                .contains("open: gift won in room gifts/parked is parked: ann is to be rewarded with 30 coins")
                .contains("2 gifts are parked")
                .endsWith("no violation\nexit 0");

        house.fine();
        for (String id : List.of("back", "won")) {
            assertThat(house.tables.run(ParkedGifts.putBack(new GiftKey(GiftHouse.APP, id))))
                    .isEqualTo(1);
        }
        house.settle();
        house.audit();
        assertThat(house.wallet.books().balance(GiftHouse.APP, "ann")).isEqualTo(100);
        Await.until("nothing is parked", () -> get("/metrics").contains("room_gifts_parked 0.0"));
        assertThat(degraded().containsKey("gifts")).isFalse();
        assertThat(house.run(new CheckCommand())).doesNotContain("parked:").endsWith("exit 0");
    }
}
