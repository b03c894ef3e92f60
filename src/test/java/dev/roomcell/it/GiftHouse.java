package dev.roomcell.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.dev.wallet.EmbeddedWallet;
import dev.roomcell.dev.wallet.LuckyOdds;
import dev.roomcell.dev.wallet.WalletDatabase;
import dev.roomcell.dev.wallet.WalletFaults;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.proto.room.v1.SendGiftRequest;
import dev.roomcell.testkit.Await;
import dev.roomcell.testkit.SharedServers;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Everything that gifts need, on real servers: a schema, a wallet whose calls go wrong on demand, and a catalog. */
final class GiftHouse implements AutoCloseable {
    static final String APP = "gifts";

    final Vertx vertx = Vertx.vertx();
    final Backends backends = Backends.shared();
    final GiftTables tables;
    final EmbeddedWallet wallet;
    /** Where the wallet has its ledger. */
    private final String ledger = SharedServers.newSchema();

    private volatile WalletFaults faults = WalletFaults.NONE;
    /** Gifts that nobody brings to an end are given up after so many ms. */
    private final long voidAfterMs;

    GiftHouse(long voidAfterMs) {
        this.voidAfterMs = voidAfterMs;
        SharedServers.MysqlServer server = SharedServers.mysql();
        WalletDatabase books = new WalletDatabase(server.jdbcUrl(ledger), server.user(), server.password());
        // Every lucky gift wins what it costs.
        LuckyOdds odds = new LuckyOdds(List.of(new LuckyOdds.Prize(LuckyOdds.ALL, 100)), 1_000_000_000L);
        wallet = Await.result(EmbeddedWallet.start(vertx, books, odds, (method, key) -> faults.onCall(method, key)));
        tables = new GiftTables(backends);
    }

    /** What a node needs to know; the first node makes the tables. */
    Map<String, String> variables(Map<String, String> more) {
        Map<String, String> variables = new HashMap<>(wallet.environment());
        variables.put("ROOM_GIFTS_VOID_AFTER_MS", Long.toString(voidAfterMs));
        variables.put("ROOM_GIFTS_RECONCILE_EVERY_MS", "100");
        variables.put("ROOM_GIFTS_CATALOG_CACHE_MS", "0");
        variables.put("ROOM_WALLET_CALL_TIMEOUT_MS", "500");
        variables.put("ROOM_LUCKY_GIFT_CALL_TIMEOUT_MS", "500");
        variables.putAll(more);
        return variables;
    }

    void fail(WalletFaults wanted) {
        faults = wanted;
    }

    void fine() {
        faults = WalletFaults.NONE;
    }

    RoomClient client(String target) {
        return RoomClient.create(
                vertx, RoomClientOptions.to(target).withTimeouts(20_000, 4_000).withBackoff(20, 200));
    }

    static SendGiftRequest gift(RoomKey room, String giver, String giftId, int count, String id, String... receivers) {
        return SendGiftRequest.newBuilder()
                .setMeta(RoomCalls.meta(room, giver, id))
                .setRoomId(room.roomId())
                .setGiftId(giftId)
                .setCount(count)
                .addAllReceiverUserIds(List.of(receivers))
                .build();
    }

    /** What a command of the command line says about it; its last line is the exit code. */
    String run(Callable<Integer> command, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(
                "--mysql",
                "127.0.0.1:" + backends.servers().mysqlPort() + "/" + backends.schema(),
                "--user",
                backends.servers().mysqlUser(),
                "--ledger",
                ledger));
        StringWriter said = new StringWriter();
        CommandLine line =
                new CommandLine(command).setOut(new PrintWriter(said)).setErr(new PrintWriter(said));
        int code = line.execute(all.toArray(String[]::new));
        return said + "exit " + code;
    }

    /** Waits until nobody has to see to any gift. */
    void settle() {
        Await.until("no intent is open", () -> tables.intents(APP).stream().noneMatch(GiftTables.Row::due));
    }

    /** I7: what is in the logs was paid for once, and everything else was paid back. */
    void audit() {
        Map<String, WalletMovement> movements = new HashMap<>();
        wallet.ledger().movements().forEach(movement -> movements.put(movement.key(), movement));
        Set<String> given = new HashSet<>();
        tables.given(APP)
                .forEach(gift -> assertThat(given.add(gift.commandId()))
                        .as("%s is given once", gift)
                        .isTrue());
        for (GiftTables.Row intent : tables.intents(APP)) {
            String name = APP + "/" + intent.commandId();
            WalletMovement debit = movements.remove("debit/" + name);
            WalletMovement refund = movements.remove("refund/" + name);
            WalletMovement credit = movements.remove("credit/" + name);
            if (given.remove(intent.commandId())) {
                assertThat(intent.state()).as("%s", intent).isEqualTo("COMMITTED");
                assertThat(debit).as("%s is paid for", intent).isNotNull();
                assertThat(coins(debit)).as("%s", intent).isEqualTo(intent.totalPrice());
                assertThat(refund).as("%s is not paid back", intent).isNull();
                assertThat(intent.reward()).as("%s", intent).isIn("NONE", "PAID");
                assertThat(coins(credit)).as("%s", intent).isEqualTo(intent.rewardCoins());
            } else {
                assertThat(intent.state()).as("%s", intent).isEqualTo("VOIDED");
                assertThat(credit).as("%s has won nothing", intent).isNull();
                assertThat(refund).as("%s is refunded", intent).isNotNull();
                assertThat(coins(refund)).as("%s", intent).isEqualTo(coins(debit));
            }
        }
        assertThat(given).as("gifts without an intent").isEmpty();
        assertThat(movements.values())
                .as("movements that are no gift's")
                .allMatch(movement -> movement.kind() == WalletMovement.Kind.OPENING
                        || movement.key().startsWith("grant"));
        assertThat(wallet.ledger().audit()).isEmpty();
    }

    private static long coins(@Nullable WalletMovement movement) {
        return movement == null ? 0 : movement.coins();
    }

    @Override
    public void close() {
        tables.close();
        Await.result(wallet.stop());
        Await.result(vertx.close());
    }
}
