package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.client.RoomCallException;
import dev.roomcell.client.RoomClient;
import dev.roomcell.dev.wallet.WalletFaults.Fault;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.proto.room.v1.SendGiftResponse;
import dev.roomcell.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * B28, B30: the owner dies, or stands still until another has taken over, at every step of a gift at which money is on the
 * way. The client sends the same id again, and the money is where the room says it is.
 */
@Tag("GIFT-1")
@Tag("GIFT-2")
final class GiftStepsIT {
    /** Longer than the client tries, so that it is not the reconciler that decides. */
    private static final long VOID_AFTER_MS = 20_000;

    /** Where the owner is hit: a call has arrived at the wallet, and has had its effect or not. */
    private enum Step {
        DEBIT_BEFORE("Debit", false),
        DEBIT_AFTER("Debit", true),
        DRAW_BEFORE("Draw", false),
        DRAW_AFTER("Draw", true),
        CREDIT_BEFORE("Credit", false),
        CREDIT_AFTER("Credit", true),
        REFUND_BEFORE("Refund", false),
        REFUND_AFTER("Refund", true);

        private final String method;
        private final boolean hasEffect;

        Step(String method, boolean hasEffect) {
            this.method = method;
            this.hasEffect = hasEffect;
        }
    }

    @TempDir
    static Path folder;

    private static GiftHouse house;
    private static NodeProcess other;
    private static NodeProcess standing;

    @BeforeAll
    static void start() {
        house = new GiftHouse(VOID_AFTER_MS);
        other = startNode("other");
        other.awaitReady();
        standing = startNode("standing");
        house.tables.offer(GiftHouse.APP, "clover", 10, true);
    }

    @AfterAll
    static void stop() {
        other.close();
        standing.close();
        house.close();
    }

    private static NodeProcess startNode(String nodeId) {
        return NodeProcess.start(folder, house.backends.environment(nodeId, house.variables(Map.of())));
    }

    private static String address(NodeProcess node) {
        return "127.0.0.1:" + node.awaitReady().grpcPort();
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void theOwnerDies(Step step) {
        try (NodeProcess owner = startNode("dies")) {
            give(step, owner, "dies-" + step, "KILL");
        }
    }

    /** In a build only those at which two owners are most likely to pay or reward at once; {@code -Dgift.steps=all} for each. */
    static Stream<Step> stepsToStandStillAt() {
        return "all".equals(System.getProperty("gift.steps"))
                ? Stream.of(Step.values())
                : Stream.of(Step.DEBIT_BEFORE, Step.CREDIT_BEFORE);
    }

    @ParameterizedTest
    @MethodSource("stepsToStandStillAt")
    void theOwnerStandsStillUntilAnotherHasTakenOver(Step step) {
        give(step, standing, "stands-" + step, "STOP");
    }

    private static void give(Step step, NodeProcess owner, String name, String signal) {
        RoomKey room = new RoomKey(GiftHouse.APP, name);
        RoomClient client = house.client(address(owner) + "," + address(other));
        Await.result(client.createRoom(RoomCalls.create(room, "create")));
        for (String user : new String[] {"ann-" + name, "ben", "cara"}) {
            Await.result(client.joinRoom(RoomCalls.join(room, user, "join-" + user)));
        }
        house.wallet.books().open(GiftHouse.APP, "ann-" + name, 100);
        boolean refund = step.method.equals("Refund");
        AtomicBoolean hit = new AtomicBoolean();
        Promise<String> signalled = Promise.promise();
        house.fail((method, key) -> {
            if (!key.endsWith("/gift-" + name)) {
                return Fault.PASS;
            }
            if (method.equals(step.method) && hit.compareAndSet(false, true)) {
                house.vertx
                        .executeBlocking(() -> {
                            owner.signal(signal);
                            return signal;
                        })
                        .onComplete(signalled);
                return step.hasEffect ? Fault.LOST_AFTER : Fault.LOST_BEFORE;
            }
            return refund && method.equals("Debit") ? Fault.slow(300) : Fault.PASS;
        });
        SendGiftRequest request = GiftHouse.gift(room, "ann-" + name, "clover", 2, "gift-" + name, "ben", "cara");
        Future<SendGiftResponse> sent = client.sendGift(request);
        if (refund) {
            // The room will say no to what is paid for.
            Await.until(
                    "it is begun",
                    () -> house.tables.intents(GiftHouse.APP).stream()
                            .anyMatch(intent -> intent.commandId().equals("gift-" + name)));
            Await.result(client.leaveRoom(RoomCalls.leave(room, "cara", "leave")));
        }
        Await.result(signalled.future());
        if (refund) {
            assertThat(((RoomCallException) Await.failure(sent)).reason()).isIn("GIFT_VOIDED", "RECEIVER_GONE");
        } else {
            SendGiftResponse given = Await.result(sent);
            assertThat(given.getResult().getTotalPriceCoins()).isEqualTo(40);
            assertThat(Await.result(client.sendGift(request)).getResult()).isEqualTo(given.getResult());
        }
        if (signal.equals("STOP")) {
            // What it had begun before goes on where it was.
            owner.signal("CONT");
        }
        house.settle();
        house.audit();
        house.fine();
        assertThat(house.wallet.books().balance(GiftHouse.APP, "ann-" + name))
                .isEqualTo(refund ? 100 : 60 + rewardOf("gift-" + name));
    }

    /** What it has won in the end; a draw that was not answered is made up for. */
    private static long rewardOf(String commandId) {
        return house.tables.intents(GiftHouse.APP).stream()
                .filter(intent -> intent.commandId().equals(commandId))
                .mapToLong(GiftTables.Row::rewardCoins)
                .sum();
    }
}
