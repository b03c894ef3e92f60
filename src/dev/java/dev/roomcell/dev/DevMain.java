package dev.roomcell.dev;

import dev.roomcell.Main;
import dev.roomcell.RoomNode;
import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import dev.roomcell.config.NodeConfig;
import dev.roomcell.dev.rtc.CallbackSender.Retries;
import dev.roomcell.dev.rtc.RtcApp;
import dev.roomcell.dev.rtc.RtcSimulator;
import dev.roomcell.dev.wallet.EmbeddedWallet;
import dev.roomcell.dev.wallet.LuckyOdds;
import dev.roomcell.dev.wallet.SampleGifts;
import dev.roomcell.dev.wallet.WalletDatabase;
import dev.roomcell.dev.wallet.WalletFaults;
import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.CreateRoomRequest;
import dev.roomcell.verticle.RtcVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dev}: MariaDB, Redis and nodes on loopback, in one JVM, until Ctrl-C. */
@Command(
        name = "dev",
        mixinStandardHelpOptions = true,
        description =
                "Runs nodes with MariaDB and Redis embedded; prints one line when they can be used, and where messages are shown.")
public final class DevMain implements Callable<Integer> {
    private static final long START_SECONDS = 60;
    private static final long STOP_SECONDS = 30;
    /** What each user has to begin with. */
    private static final long WELCOME_COINS = 1_000_000;
    /** The app at the simulated Tencent IM. */
    private static final long SDK_APP_ID = 1_400_000_000;

    @Option(names = "--nodes", defaultValue = "1", paramLabel = "N", description = "How many nodes (1).")
    int nodes;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keeps the data here; a later start finds its rooms. Without it they end with the run.")
    @Nullable
    Path data;

    @Option(
            names = "--port",
            defaultValue = "7400",
            paramLabel = "PORT",
            description = "The first node's gRPC port (7400), the others take the next ones; 0 takes free ones.")
    int port;

    @Option(
            names = "--ops-port",
            defaultValue = "7480",
            paramLabel = "PORT",
            description = "The first node's operators' port (7480); 0 takes a free one.")
    int opsPort;

    @Option(
            names = "--im-port",
            defaultValue = "7490",
            paramLabel = "PORT",
            description = "Where messages to rooms are shown, of all nodes (7490); 0 takes a free one.")
    int imPort;

    @Option(
            names = "--rtc-port",
            defaultValue = "7496",
            paramLabel = "PORT",
            description = "Where the simulated RTC is (7496); 0 takes a free one.")
    int rtcPort;

    @Option(
            names = "--im",
            defaultValue = "sink",
            paramLabel = "WAY",
            description = "How messages get there: sink, or tencent, by the REST API of a simulated Tencent IM (sink).")
    Way im = Way.SINK;

    @Option(names = "--no-sample", description = "Creates no sample room.")
    boolean noSample;

    private final List<RoomNode> running = new ArrayList<>();
    private final Vertx vertx = Vertx.vertx();
    private @Nullable EmbeddedServers servers;

    private DevMain() {}

    /** How messages get to the page that shows them. */
    enum Way {
        /** As they are. */
        SINK,
        /** To groups of Tencent IM, with its limits. */
        TENCENT
    }

    /** Runs until the JVM is told to end. */
    public static void main(String[] args) {
        if (System.getProperty("log.format") == null) {
            System.setProperty("log.format", "text");
        }
        int exitCode = Main.oneLineErrors(new CommandLine(new DevMain()).setCaseInsensitiveEnumValuesAllowed(true))
                .execute(args);
        // Returning is not enough: exec:java waits for the event loops, which never end.
        System.exit(exitCode);
    }

    @Override
    public Integer call() throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
        EmbeddedServers backends =
                data == null ? EmbeddedServers.startTemporary() : EmbeddedServers.start(data.toAbsolutePath());
        servers = backends;
        TencentApp app = new TencentApp(SDK_APP_ID, "administrator", secretKey());
        Path groups = data == null ? null : data.toAbsolutePath().resolve("im-groups.txt");
        TencentSimulator tencent = new TencentSimulator(app, System::currentTimeMillis, new TencentFaults(), groups);
        ImSink sink = await(ImSink.start(vertx, imPort, tencent));
        EmbeddedWallet wallet =
                await(EmbeddedWallet.start(vertx, WalletDatabase.on(backends), LuckyOdds.STANDARD, WalletFaults.NONE));
        wallet.welcome(WELCOME_COINS);
        RtcSimulator rtc = await(RtcSimulator.start(vertx, rtcPort, RtcApp.sample(), Retries.OF_THE_VENDOR));
        List<String> members = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            members.add("127.0.0.1:" + FreePorts.pick());
        }
        for (int i = 0; i < nodes; i++) {
            running.add(await(RoomNode.start(config(backends, sink, app, wallet, rtc, members, i))));
        }
        rtc.sender().sendTo(callbacks());
        WalletDatabase rooms = new WalletDatabase(
                backends.jdbcUrl(EmbeddedServers.SCHEMA), backends.mysqlUser(), backends.mysqlPassword());
        SampleGifts.offer(rooms, List.of("demo", "bench"));
        SampleGifts.offerRockets(rooms, List.of("demo"));
        if (!noSample) {
            createSampleRoom(running.get(0).advertiseAddr());
        }
        System.out.printf(
                "READY grpc=%s ops=%s mysql=127.0.0.1:%d/%s redis=127.0.0.1:%d%n",
                running.stream().map(RoomNode::advertiseAddr).collect(Collectors.joining(",")),
                running.stream().map(node -> "127.0.0.1:" + node.opsPort()).collect(Collectors.joining(",")),
                backends.mysqlPort(),
                EmbeddedServers.SCHEMA,
                backends.redisPort());
        System.out.println("Messages to rooms: " + sink.page());
        System.out.println("Who speaks: " + rtc.url() + "/rooms/RTC_ROOM_ID");
        System.out.flush();
        new CountDownLatch(1).await();
        return 0;
    }

    private NodeConfig config(
            EmbeddedServers backends,
            ImSink sink,
            TencentApp app,
            EmbeddedWallet wallet,
            RtcSimulator rtc,
            List<String> members,
            int index) {
        // What the caller's environment says goes first; the embedded servers decide where they are.
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("ROOM_NODE_ID", "dev-" + (index + 1));
        environment.put("ROOM_GRPC_PORT", Integer.toString(port == 0 ? 0 : port + index));
        environment.put("ROOM_OPS_PORT", Integer.toString(opsPort == 0 ? 0 : opsPort + index));
        environment.put("ROOM_MYSQL_PORT", Integer.toString(backends.mysqlPort()));
        environment.put("ROOM_MYSQL_USER", backends.mysqlUser());
        environment.put("ROOM_MYSQL_PASSWORD", backends.mysqlPassword());
        environment.put("ROOM_MYSQL_SCHEMA", EmbeddedServers.SCHEMA);
        environment.put("ROOM_REDIS_PORT", Integer.toString(backends.redisPort()));
        environment.putAll(messages(sink, app));
        environment.putAll(wallet.environment());
        environment.putAll(rtc.environment());
        environment.putIfAbsent("ROOM_DRAIN_LINGER_MS", "0");
        if (members.size() > 1) {
            String own = members.get(index);
            environment.put("ROOM_CLUSTER_MEMBERS", String.join(",", members));
            environment.put("ROOM_CLUSTER_PORT", own.substring(own.indexOf(':') + 1));
        }
        return NodeConfig.load(null, environment);
    }

    private List<String> callbacks() {
        return running.stream()
                .flatMap(node -> node.rtcPort().stream())
                .map(listening -> "http://127.0.0.1:" + listening + RtcVerticle.PATH)
                .toList();
    }

    private Map<String, String> messages(ImSink sink, TencentApp app) {
        return switch (im) {
            case SINK -> Map.of("ROOM_IM_SINK_URL", sink.url(), "ROOM_TENCENT_SDK_APP_ID", "0");
            case TENCENT ->
                Map.of(
                        "ROOM_IM_SINK_URL", "",
                        "ROOM_TENCENT_BASE_URL", sink.site(),
                        "ROOM_TENCENT_SDK_APP_ID", Long.toString(app.sdkAppId()),
                        "ROOM_TENCENT_IDENTIFIER", app.identifier(),
                        "ROOM_TENCENT_SECRET_KEY", app.secretKey());
        };
    }

    private static String secretKey() {
        byte[] drawn = new byte[32];
        new SecureRandom().nextBytes(drawn);
        return HexFormat.of().formatHex(drawn);
    }

    /** A room to try calls on; a restart on kept data finds it. */
    private static void createSampleRoom(String target) throws Exception {
        Vertx vertx = Vertx.vertx();
        RoomClient client = RoomClient.create(vertx, RoomClientOptions.to(target));
        CreateRoomRequest sample = CreateRoomRequest.newBuilder()
                .setMeta(CommandMeta.newBuilder()
                        .setAppCode("demo")
                        .setCommandId("sample-room")
                        .setActorUserId("owner"))
                .setRoomId("sample")
                .setTitle("Sample room")
                .build();
        await(client.createRoom(sample).eventually(client::close).eventually(vertx::close));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(START_SECONDS, TimeUnit.SECONDS);
    }

    private synchronized void stop() {
        CountDownLatch stopped = new CountDownLatch(running.size());
        running.forEach(node -> node.stop().onComplete(done -> stopped.countDown()));
        try {
            stopped.await(STOP_SECONDS, TimeUnit.SECONDS);
            // The nodes may have asked the wallet to their last.
            CountDownLatch closed = new CountDownLatch(1);
            vertx.close().onComplete(done -> closed.countDown());
            closed.await(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (servers != null) {
                servers.close();
            }
        }
    }
}
