package dev.roomcell.adapter.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node makes of Hazelcast's configuration. */
final class ClusterTest {
    @TempDir
    Path folder;

    private static Config config(String file) {
        return Cluster.config(new ClusterSettings("127.0.0.1:5701", "127.0.0.1", 5701, 0, "rooms", file, "a.1"));
    }

    /** LEASE-10: a cluster that is left at the signal already would have the others take the rooms for lost. */
    @Test
    void noFileMakesTheClusterEndBeforeTheNode() throws IOException {
        String file = Files.writeString(folder.resolve("own.xml"), """
                        <hazelcast xmlns="http://www.hazelcast.com/schema/config">
                          <cluster-name>own</cluster-name>
                          <properties>
                            <property name="hazelcast.shutdownhook.enabled">true</property>
                          </properties>
                        </hazelcast>
                        """).toString();
        assertThat(config("").getProperty("hazelcast.shutdownhook.enabled")).isEqualTo("false");
        assertThat(config(file).getClusterName()).isEqualTo("own");
        assertThat(config(file).getProperty("hazelcast.shutdownhook.enabled")).isEqualTo("false");
    }
}
