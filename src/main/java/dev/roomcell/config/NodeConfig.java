package dev.roomcell.config;

import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a node. The key of a setting is its path here in snake case ({@code lease.ttl_ms}), its environment
 * variable that path in upper case behind {@code ROOM_} ({@code ROOM_LEASE_TTL_MS}). Names end in their unit: {@code _ms}
 * are milliseconds, {@code _bytes} bytes, what is plural and has neither is a count. Ranges are inclusive, and hold for
 * what {@link #load} returns.
 *
 * @param node who this node is
 * @param cluster how the nodes find each other
 * @param grpc the port for clients and peers
 * @param ops the port for health and metrics
 * @param mysql the database
 * @param redis the lease directory
 * @param lease who may execute a room
 * @param room the limits of one room and of this node's rooms
 * @param commit the limits of a group commit
 * @param request deadlines of calls
 * @param snapshot when a room's snapshot is taken
 * @param log for how long the command logs are kept
 * @param create creation of rooms
 * @param presence signs of life of users
 * @param mic the mic seats
 * @param im where messages to the clients of rooms go
 * @param rtc who says who speaks
 * @param tencent where the groups of rooms are
 * @param webhook where Tencent IM asks
 * @param drain how the node ends
 * @param outbox how facts leave the house
 * @param gifts what becomes of gifts that nobody brings to an end
 * @param wallet where users' coins are
 * @param luckyGift where lucky gifts are drawn for
 */
public record NodeConfig(
        Node node,
        ClusterConfig cluster,
        Grpc grpc,
        Ops ops,
        Mysql mysql,
        Redis redis,
        Lease lease,
        Room room,
        Commit commit,
        Request request,
        SnapshotConfig snapshot,
        LogConfig log,
        CreateConfig create,
        PresenceConfig presence,
        Mic mic,
        ImConfig im,
        RtcConfig rtc,
        TencentConfig tencent,
        WebhookConfig webhook,
        DrainConfig drain,
        OutboxConfig outbox,
        GiftsConfig gifts,
        CalledServiceConfig wallet,
        CalledServiceConfig luckyGift) {
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    /** One statement has to stay below MariaDB's usual max_allowed_packet of 16 MiB, encoding included. */
    private static final int MAX_COMMIT_BYTES = 8 * MIB;

    private static final int MAX_EVENT_LOOPS = 64;

    private static final long MINUTE_MS = 60_000;
    private static final long HOUR_MS = 60 * MINUTE_MS;

    /**
     * Reads and checks the configuration: the environment goes before the file, the file before the defaults. Asks the
     * system for the host name, so not for an event loop.
     *
     * @param file a YAML file, or null for none; an empty one changes nothing
     * @param environment usually {@link System#getenv()}; of other variables than {@code ROOM_…} only LOG_LEVEL and
     *     LOG_FORMAT are looked at, which the logger reads itself and would not complain about
     * @throws ConfigException with every problem found: unknown keys and {@code ROOM_…} variables, values of the wrong
     *     type or outside their range, and values that contradict each other
     */
    public static NodeConfig load(@Nullable Path file, Map<String, String> environment) {
        return load(file, environment, hostName());
    }

    static NodeConfig load(@Nullable Path file, Map<String, String> environment, String hostName) {
        List<String> problems = new ArrayList<>();
        Map<String, GivenValue> values = file == null ? Map.of() : YamlSource.read(file, problems);
        ConfigReader reader = new ConfigReader(values, environment, problems);
        NodeConfig config = new NodeConfig(
                Node.read(reader, hostName),
                ClusterConfig.read(reader),
                Grpc.read(reader),
                Ops.read(reader),
                Mysql.read(reader),
                Redis.read(reader),
                Lease.read(reader),
                Room.read(reader),
                Commit.read(reader),
                Request.read(reader),
                SnapshotConfig.read(reader),
                LogConfig.read(reader),
                CreateConfig.read(reader),
                PresenceConfig.read(reader),
                Mic.read(reader),
                ImConfig.read(reader),
                RtcConfig.read(reader),
                TencentConfig.read(reader),
                WebhookConfig.read(reader),
                DrainConfig.read(reader),
                OutboxConfig.read(reader),
                GiftsConfig.read(reader),
                CalledServiceConfig.read(reader, "wallet", 7460),
                CalledServiceConfig.read(reader, "lucky_gift", 7470));
        config.checkTogether(reader);
        reader.requireWord("LOG_LEVEL", Set.of("trace", "debug", "info", "warn", "error", "off"));
        reader.requireWord("LOG_FORMAT", Set.of("json", "text"));
        reader.finish();
        return config;
    }

    private void checkTogether(ConfigReader reader) {
        reader.requireAtMost(
                "room.batch_bytes", room.batchBytes, "commit.group_bytes", commit.groupBytes, "commit.group_bytes");
        reader.requireAtMost(
                "request.default_deadline_ms",
                request.defaultDeadlineMs,
                "request.max_deadline_ms",
                request.maxDeadlineMs,
                "request.max_deadline_ms");
        rtc.checkTogether(reader);
        tencent.checkTogether(reader, im);
        webhook.checkTogether(reader, tencent);
        // One heartbeat may be lost without anybody being taken for gone.
        reader.requireAtMost(
                "presence.heartbeat_every_ms",
                presence.heartbeatEveryMs(),
                "presence.stale_after_ms / 2",
                presence.staleAfterMs() / 2,
                "presence.stale_after_ms");
        // A renewal is due every third of the TTL: a slower answer than that must count as none.
        reader.requireAtMost(
                "redis.call_timeout_ms", redis.callTimeoutMs, "lease.ttl_ms / 3", lease.ttlMs / 3, "lease.ttl_ms");
        // A worker says that it lives between two batches only.
        reader.requireAtMost(
                "outbox.publish_timeout_ms",
                outbox.publishTimeoutMs(),
                "outbox.lease_ms",
                outbox.leaseMs(),
                "outbox.lease_ms");
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
        } catch (UnknownHostException e) {
            return "";
        }
    }

    /** Every setting as {@code path=value}, in one line for the start log. Secrets are masked. */
    public String describe() {
        List<String> settings = new ArrayList<>();
        for (RecordComponent section : NodeConfig.class.getRecordComponents()) {
            Record values = (Record) valueOf(section, this);
            for (RecordComponent key : values.getClass().getRecordComponents()) {
                settings.add(snakeCase(section) + "." + snakeCase(key) + "=" + valueOf(key, values));
            }
        }
        return String.join(" ", settings);
    }

    private static Object valueOf(RecordComponent component, Record holder) {
        try {
            return component.getAccessor().invoke(holder);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the accessor of " + component + " failed", e);
        }
    }

    private static String snakeCase(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    /**
     * Who this node is.
     *
     * @param id this node's name, unlike any other node's; by default the host name; {@code [a-z0-9.-]{1,40}}
     * @param advertiseAddr HOST:PORT where peers and clients reach this very node; empty: grpc.host and the bound port
     * @param eventLoops 1..64; by default, and for a given 0, half of the processors, at least one
     */
    public record Node(String id, String advertiseAddr, int eventLoops) {
        private static Node read(ConfigReader reader, String hostName) {
            String id = reader.text("node.id", "", TextRule.NODE_ID_OR_EMPTY);
            if (id.isEmpty()) {
                id = hostName;
                if (!TextRule.NODE_ID.allows().test(hostName)) {
                    String words = "is not set, and the host name \"" + GivenValue.printable(hostName);
                    reader.refuse("node.id", words + "\" is not " + TextRule.NODE_ID.words());
                }
            }
            int eventLoops = reader.count("node.event_loops", 0, 0, MAX_EVENT_LOOPS);
            if (eventLoops == 0) {
                eventLoops = Math.min(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), MAX_EVENT_LOOPS);
            }
            return new Node(id, reader.text("node.advertise_addr", "", TextRule.ADVERTISE_ADDR), eventLoops);
        }
    }

    /**
     * The port for clients and peers.
     *
     * @param host where to listen; a loopback address (SEC-1)
     * @param port 0..65,535; 0 takes a free one
     * @param maxMessageBytes the longest request taken, 16 KiB..16 MiB
     * @param maxStreamsPerConnection calls at once on one connection, 1..1,000,000
     */
    public record Grpc(String host, int port, int maxMessageBytes, int maxStreamsPerConnection) {
        private static Grpc read(ConfigReader reader) {
            return new Grpc(
                    reader.text("grpc.host", "127.0.0.1", TextRule.LOOPBACK_HOST),
                    reader.count("grpc.port", 7400, 0, 65_535),
                    reader.count("grpc.max_message_bytes", MIB, 16 * KIB, 16 * MIB),
                    reader.count("grpc.max_streams_per_connection", 10_000, 1, 1_000_000));
        }
    }

    /**
     * The port for health and metrics.
     *
     * @param host where to listen; a loopback address (SEC-1)
     * @param port 0..65,535; 0 takes a free one
     */
    public record Ops(String host, int port) {
        private static Ops read(ConfigReader reader) {
            return new Ops(
                    reader.text("ops.host", "127.0.0.1", TextRule.LOOPBACK_HOST),
                    reader.count("ops.port", 7480, 0, 65_535));
        }
    }

    /**
     * The database.
     *
     * @param host name or address
     * @param port 1..65,535
     * @param user with rights on the schema; to create tables too if this node migrates
     * @param password may be empty
     * @param schema {@code [a-z0-9_]{1,48}}
     * @param readConnections for loads and queries, each event loop's, 1..64; commits have their own
     * @param connectTimeoutMs 100..60,000
     * @param statementTimeoutMs 100..60,000
     * @param migrateAtStart whether the node brings the schema up to date before it serves
     */
    public record Mysql(
            String host,
            int port,
            String user,
            Secret password,
            String schema,
            int readConnections,
            long connectTimeoutMs,
            long statementTimeoutMs,
            boolean migrateAtStart) {
        private static Mysql read(ConfigReader reader) {
            return new Mysql(
                    reader.text("mysql.host", "127.0.0.1", TextRule.HOST),
                    reader.count("mysql.port", 3306, 1, 65_535),
                    reader.text("mysql.user", "room", TextRule.USER),
                    reader.secret("mysql.password", TextRule.PASSWORD),
                    reader.text("mysql.schema", "rooms", TextRule.SCHEMA),
                    reader.count("mysql.read_connections", 4, 1, 64),
                    reader.number("mysql.connect_timeout_ms", 2000, 100, MINUTE_MS),
                    reader.number("mysql.statement_timeout_ms", 5000, 100, MINUTE_MS),
                    reader.flag("mysql.migrate_at_start", true));
        }
    }

    /**
     * The lease directory.
     *
     * @param host name or address
     * @param port 1..65,535
     * @param password may be empty
     * @param database 0..1,023
     * @param keyPrefix stands before every key of ours (LEASE-2), 0..32 bytes without NUL
     * @param callTimeoutMs after which Redis counts as silent, 10..20,000 and at most a third of the lease's TTL
     */
    public record Redis(String host, int port, Secret password, int database, String keyPrefix, long callTimeoutMs) {
        private static Redis read(ConfigReader reader) {
            return new Redis(
                    reader.text("redis.host", "127.0.0.1", TextRule.HOST),
                    reader.count("redis.port", 6379, 1, 65_535),
                    reader.secret("redis.password", TextRule.PASSWORD),
                    reader.count("redis.database", 0, 0, 1023),
                    reader.text("redis.key_prefix", "", TextRule.KEY_PREFIX),
                    reader.number("redis.call_timeout_ms", 1000, 10, 20_000));
        }
    }

    /**
     * Who may execute a room, and for how long.
     *
     * @param ttlMs how long a silent owner keeps its rooms, 1,000..60,000; it renews every third of this
     */
    public record Lease(long ttlMs) {
        private static Lease read(ConfigReader reader) {
            return new Lease(reader.number("lease.ttl_ms", 6000, 1000, MINUTE_MS));
        }
    }

    /**
     * The limits of one room and of the rooms of this node.
     *
     * @param mailboxCommands commands that wait in one room, 16..65,536; beyond it OVERLOADED
     * @param batchCommands commands of one room committed together, 1..4,096
     * @param sharedBatchCommands the same while other rooms commit too, 1..4,096
     * @param batchBytes bytes of one room committed together, 16 KiB..8 MiB and at most commit.group_bytes
     * @param loadedRooms rooms in memory, 1..10,000,000; beyond it OVERLOADED
     * @param passivateAfterMs idle time after which a room that is not live leaves memory, 1,000..86,400,000
     */
    public record Room(
            int mailboxCommands,
            int batchCommands,
            int sharedBatchCommands,
            int batchBytes,
            int loadedRooms,
            long passivateAfterMs) {
        private static Room read(ConfigReader reader) {
            return new Room(
                    reader.count("room.mailbox_commands", 1024, 16, 65_536),
                    reader.count("room.batch_commands", 256, 1, 4096),
                    reader.count("room.shared_batch_commands", 32, 1, 4096),
                    reader.count("room.batch_bytes", MIB, 16 * KIB, MAX_COMMIT_BYTES),
                    reader.count("room.loaded_rooms", 100_000, 1, 10_000_000),
                    reader.number("room.passivate_after_ms", 5 * MINUTE_MS, 1000, 24 * HOUR_MS));
        }
    }

    /**
     * The limits of a group commit.
     *
     * @param groupRooms rooms in one transaction, 1..1,024
     * @param groupBytes bytes in one transaction, 16 KiB..8 MiB
     * @param secondGroupRooms rooms that wait before a second transaction begins beside the first, 1..1,024
     */
    public record Commit(int groupRooms, int groupBytes, int secondGroupRooms) {
        private static Commit read(ConfigReader reader) {
            return new Commit(
                    reader.count("commit.group_rooms", 256, 1, 1024),
                    reader.count("commit.group_bytes", 4 * MIB, 16 * KIB, MAX_COMMIT_BYTES),
                    reader.count("commit.second_group_rooms", 32, 1, 1024));
        }
    }

    /**
     * The deadlines of calls.
     *
     * @param defaultDeadlineMs of a call that brings none, 100..60,000 and at most maxDeadlineMs
     * @param maxDeadlineMs to which a call's own deadline is cut, 100..60,000
     */
    public record Request(long defaultDeadlineMs, long maxDeadlineMs) {
        private static Request read(ConfigReader reader) {
            return new Request(
                    reader.number("request.default_deadline_ms", 5000, 100, MINUTE_MS),
                    reader.number("request.max_deadline_ms", 15_000, 100, MINUTE_MS));
        }
    }

    /**
     * The mic seats.
     *
     * @param publishWithinMs how long a seat may be taken without confirmed audio, 500..600,000 (MIC-3)
     */
    public record Mic(long publishWithinMs) {
        private static Mic read(ConfigReader reader) {
            return new Mic(reader.number("mic.publish_within_ms", 15_000, 500, 10 * MINUTE_MS));
        }
    }
}
