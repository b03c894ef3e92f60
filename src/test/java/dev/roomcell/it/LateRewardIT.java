package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.RoomNode;
import dev.roomcell.client.RoomClient;
import dev.roomcell.dev.ImSink;
import dev.roomcell.dev.TencentApp;
import dev.roomcell.dev.TencentFaults;
import dev.roomcell.dev.TencentSimulator;
import dev.roomcell.dev.wallet.WalletFaults.Fault;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.proto.room.v1.SendGiftResult;
import dev.roomcell.testkit.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** GIFT-6: a reward that nobody knew of when its gift was answered is told to whoever gave it, and to nobody else. */
@Tag("GIFT-6")
final class LateRewardIT {
    private static final RoomKey ROOM = new RoomKey(GiftHouse.APP, "late");
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final TencentApp app = new TencentApp(1_400_000_000, "administrator", "0123abc");
    private final TencentFaults faults = new TencentFaults();
    private final TencentSimulator simulator = new TencentSimulator(app, System::currentTimeMillis, faults, null);
    private GiftHouse house;
    private ImSink sink;
    /** The one that a test has started, and the way to it. */
    private final List<RoomNode> nodes = new ArrayList<>();

    private final List<RoomClient> clients = new ArrayList<>();

    @BeforeEach
    void start() {
        house = new GiftHouse(10_000);
        sink = Await.result(ImSink.start(house.vertx, 0, simulator));
    }

    @AfterEach
    void stop() {
        nodes.forEach(node -> Await.result(node.stop()));
        house.close();
    }

    private void party(Map<String, String> variables) {
        nodes.add(house.backends.startNode("late", house.variables(variables)));
        clients.add(house.client("127.0.0.1:" + nodes.get(0).grpcPort()));
        RoomClient client = clients.get(0);
        house.tables.offer(GiftHouse.APP, "clover", 10, true);
        Await.result(client.createRoom(RoomCalls.create(ROOM, "create")));
        for (String user : List.of("ann", "ben")) {
            Await.result(client.joinRoom(RoomCalls.join(ROOM, user, "join-" + user)));
        }
        house.wallet.books().open(GiftHouse.APP, "ann", 100);
    }

    private SendGiftResult give(String id) {
        SendGiftRequest gift = GiftHouse.gift(ROOM, "ann", "clover", 3, id, "ben");
        return Await.result(clients.get(0).sendGift(gift)).getResult();
    }

    /** One gift whose reward is known at once, and one for which the lottery does not answer in time. */
    private void giveInTimeAndLate() {
        assertThat(give("in-time").getRewardCoins()).isEqualTo(30);
        house.fail((method, key) -> method.equals("Draw") ? Fault.LOST_AFTER : Fault.PASS);
        SendGiftResult late = give("late");
        assertThat(late.getRewardPending()).isTrue();
        assertThat(late.getCoinBalanceAfter()).isEqualTo(70);
        house.fine();
        house.tables.makeDue("late");
        house.settle();
        house.audit();
        assertThat(house.wallet.books().balance(GiftHouse.APP, "ann")).isEqualTo(100);
    }

    private JsonArray seen(String path) {
        try {
            URI uri = URI.create(sink.page() + path + "/messages");
            return new JsonArray(HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void assertOnlyAnnIsTold() {
        Await.until("ann is told", () -> !seen("users/gifts/ann").isEmpty());
        JsonArray told = seen("users/gifts/ann");
        assertThat(told).hasSize(1);
        JsonObject reward = told.getJsonObject(0);
        assertThat(reward.getString("type")).isEqualTo("GIFT_REWARD_CREDITED");
        assertThat(reward.getString("event_id")).isEqualTo("late/reward");
        assertThat(reward.getString("room_id")).isEqualTo("late");
        assertThat(reward.getJsonObject("payload"))
                .isEqualTo(new JsonObject()
                        .put("command_id", "late")
                        .put("gift_id", "clover")
                        .put("reward_coins", "30"));
        Await.until("both gifts are seen", () -> gifts(seen("rooms/gifts/late")) == 2);
        assertThat(seen("rooms/gifts/late").encode()).doesNotContain("GIFT_REWARD_CREDITED", "balance");
        assertThat(seen("users/gifts/ben")).isEmpty();
    }

    private static long gifts(JsonArray messages) {
        return messages.stream()
                .filter(message -> ((JsonObject) message).getString("type").equals("ROOM_GIFT_SENT"))
                .count();
    }

    private String metrics() {
        try {
            URI uri = URI.create("http://127.0.0.1:" + nodes.get(0).opsPort() + "/metrics");
            return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theGiverIsSentAOneToOneMessageByTencent() {
        party(Map.of(
                "ROOM_TENCENT_BASE_URL", sink.site(),
                "ROOM_TENCENT_SDK_APP_ID", Long.toString(app.sdkAppId()),
                "ROOM_TENCENT_SECRET_KEY", app.secretKey()));
        giveInTimeAndLate();
        assertOnlyAnnIsTold();
        assertThat(simulator.bodies().stream().filter(body -> body.containsKey("To_Account")))
                .singleElement()
                .satisfies(body -> assertThat(body.getString("To_Account")).isEqualTo("ann"));
        Await.until(
                "it is counted", () -> metrics().contains("room_gift_notices_total{outcome=\"sent\",reason=\"\"} 1.0"));
        assertThat(metrics()).contains("room_im_answers_total{code=\"0\",command=\"sendmsg\"} 1.0");
    }

    /** The reward is there, and the notice is given up. */
    @Test
    void whatTencentDoesNotTakeKeepsNoRewardBack() {
        party(Map.of(
                "ROOM_TENCENT_BASE_URL", sink.site(),
                "ROOM_TENCENT_SDK_APP_ID", Long.toString(app.sdkAppId()),
                "ROOM_TENCENT_SECRET_KEY", app.secretKey()));
        faults.alwaysCode(80001);
        giveInTimeAndLate();
        Await.until(
                "it is counted",
                () -> metrics().contains("room_gift_notices_total{outcome=\"failed\",reason=\"\"} 1.0"));
        assertThat(seen("users/gifts/ann")).isEmpty();
    }

    @Test
    void theGiverIsToldByTheSinkWhereThereIsNoProvider() {
        party(Map.of("ROOM_IM_SINK_URL", sink.url()));
        giveInTimeAndLate();
        assertOnlyAnnIsTold();
    }
}
