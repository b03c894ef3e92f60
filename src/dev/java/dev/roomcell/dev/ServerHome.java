package dev.roomcell.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder below which the servers of one {@link EmbeddedServers} keep everything. It is locked while it is
 * open; the lock is the operating system's, so it ends with this JVM too.
 */
final class ServerHome implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServerHome.class);
    private static final String TEMPORARY = "room-servers-";

    /** This JVM's own. A try at the lock file would not do: closing it again ends the lock of the whole JVM. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final boolean temporary;
    private final FileChannel lock;

    private ServerHome(Path folder, boolean temporary, FileChannel lock) {
        this.folder = folder;
        this.temporary = temporary;
        this.lock = lock;
    }

    /**
     * Opens a home that is kept, and makes it if absent. What is left of the servers of a killed JVM is stopped
     * first.
     *
     * @throws IllegalStateException if it is open already, here or in another JVM
     */
    static ServerHome open(Path home) throws IOException {
        Files.createDirectories(home);
        return lock(home.toRealPath(), false)
                .orElseThrow(() -> new IllegalStateException(home + " is in use by other embedded servers"));
    }

    /** Opens a new home that is deleted at its close; those that killed JVMs left behind are deleted as well. */
    static ServerHome openTemporary() throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        deleteLeftOvers(parent);
        String prefix = TEMPORARY + ProcessHandle.current().pid() + "-";
        Path home = Files.createTempDirectory(parent, prefix).toRealPath();
        return lock(home, true).orElseThrow(() -> new IllegalStateException(home + " is new, but in use"));
    }

    /** MariaDB's own folder. */
    Path mariadb() throws IOException {
        return Files.createDirectories(mariadbOf(folder));
    }

    /** Redis's own folder. */
    Path redis() throws IOException {
        return Files.createDirectories(redisOf(folder));
    }

    private static Path mariadbOf(Path home) {
        return home.resolve("mariadb");
    }

    private static Path redisOf(Path home) {
        return home.resolve("redis");
    }

    /** Unlocks the home, and deletes it if it is temporary. The servers must have been stopped. */
    @Override
    public void close() {
        try {
            if (temporary) {
                FileTrees.delete(folder);
            }
            unlock();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<ServerHome> lock(Path home, boolean temporary) throws IOException {
        if (!OPEN.add(home)) {
            return Optional.empty();
        }
        ServerHome opened = new ServerHome(home, temporary, openLockFile(home));
        try {
            if (opened.lock.tryLock() == null) {
                opened.unlock();
                return Optional.empty();
            }
            // Not all below the home: a home inside this one may be in use.
            OrphanedServers.stopBelow(mariadbOf(home));
            OrphanedServers.stopBelow(redisOf(home));
            return Optional.of(opened);
        } catch (IOException | RuntimeException e) {
            opened.unlock();
            throw e;
        }
    }

    private static FileChannel openLockFile(Path home) throws IOException {
        try {
            return FileChannel.open(home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            OPEN.remove(home);
            throw e;
        }
    }

    private void unlock() throws IOException {
        lock.close();
        OPEN.remove(folder);
    }

    private static void deleteLeftOvers(Path parent) throws IOException {
        for (Path home : matching(parent, TEMPORARY + "*")) {
            try {
                if (ownerIsGone(home)) {
                    lock(home.toRealPath(), true).ifPresent(ServerHome::close);
                }
            } catch (IOException | RuntimeException e) {
                log.atWarn().addKeyValue("home", home).setCause(e).log("an old temporary home stays");
            }
        }
    }

    private static boolean ownerIsGone(Path home) {
        String pid = home.getFileName().toString().substring(TEMPORARY.length()).replaceFirst("-.*", "");
        return pid.matches("\\d{1,18}") && ProcessHandle.of(Long.parseLong(pid)).isEmpty();
    }

    /** What is in a folder and has a name of the given glob pattern. */
    static List<Path> matching(Path folder, String glob) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
            stream.forEach(found::add);
        }
        return found;
    }
}
