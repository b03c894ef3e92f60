package dev.roomcell.adapter.eventbus;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.config.Config;
import com.hazelcast.config.XmlConfigBuilder;
import com.hazelcast.core.HazelcastInstance;
import dev.roomcell.port.Members;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes that found each other, and the Vert.x instance whose event bus connects them. It says who seems to live; no
 * lock, map or membership of it decides who owns a room (LEASE-14).
 */
public final class Cluster implements Members {
    private static final Logger log = LoggerFactory.getLogger(Cluster.class);
    /** The attribute of a member that names its node. */
    private static final String NODE = "room.node";

    private final Vertx vertx;
    private final HazelcastInstance hazelcast;
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();
    private volatile Set<String> members = Set.of();

    private Cluster(Vertx vertx, HazelcastInstance hazelcast) {
        this.vertx = vertx;
        this.hazelcast = hazelcast;
        hazelcast.getCluster().addMembershipListener(new Listener());
        look();
    }

    /** Joins the others, or begins alone where none answers; they find each other later. */
    public static Future<Cluster> join(ClusterSettings settings, VertxOptions options) {
        HazelcastClusterManager manager = new HazelcastClusterManager(config(settings));
        options.getEventBusOptions()
                .setHost(settings.host())
                .setClusterPublicHost(settings.host())
                .setPort(settings.busPort());
        return Vertx.builder()
                .with(options)
                .withClusterManager(manager)
                .buildClustered()
                .map(vertx -> new Cluster(vertx, manager.getHazelcastInstance()));
    }

    /** The configuration of the file, or of the one in the jar, as a node needs it. */
    static Config config(ClusterSettings settings) {
        Properties values = new Properties();
        values.setProperty("cluster.members", settings.members());
        values.setProperty("cluster.host", settings.host());
        values.setProperty("cluster.port", Integer.toString(settings.port()));
        values.setProperty("cluster.name", settings.name());
        try (InputStream xml = settings.file().isEmpty()
                ? Cluster.class.getResourceAsStream("/cluster.xml")
                : Files.newInputStream(Path.of(settings.file()))) {
            Config config = new XmlConfigBuilder(xml).setProperties(values).build();
            config.getMemberAttributeConfig().setAttribute(NODE, settings.nodeId());
            // Whatever the file says: at SIGTERM the node hands its rooms over first, and leaves the cluster last.
            config.setProperty("hazelcast.shutdownhook.enabled", "false");
            return config;
        } catch (IOException e) {
            throw new UncheckedIOException("cluster.file " + settings.file() + " can't be read", e);
        }
    }

    /** The node's Vert.x; whoever closes it leaves the cluster. */
    public Vertx vertx() {
        return vertx;
    }

    @Override
    public Set<String> now() {
        return members;
    }

    /** {@code listener} hears the members whenever they have changed, on a thread of the cluster's. */
    public void onChange(Consumer<Set<String>> listener) {
        listeners.add(listener);
    }

    /** One at a time: an older list must not replace a newer one for good. */
    private synchronized void look() {
        Set<String> found = new TreeSet<>();
        for (Member member : hazelcast.getCluster().getMembers()) {
            String node = member.getAttribute(NODE);
            if (node != null) {
                found.add(node);
            }
        }
        log.info("members: {}", found);
        members = Set.copyOf(found);
        listeners.forEach(listener -> listener.accept(members));
    }

    private final class Listener implements MembershipListener {
        @Override
        public void memberAdded(MembershipEvent event) {
            look();
        }

        @Override
        public void memberRemoved(MembershipEvent event) {
            look();
        }
    }
}
