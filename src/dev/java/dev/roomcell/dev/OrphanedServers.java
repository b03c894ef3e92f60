package dev.roomcell.dev;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Servers whose JVM was killed a moment ago. Their shells stop them, but not in no time, and until they are gone
 * their data is locked. They are found by program name and by the folder in their arguments, not by a file
 * with their process id: that id may be another process by now.
 */
final class OrphanedServers {
    private static final Set<String> PROGRAMS = Set.of("mariadbd", "redis-server");
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final long POLL_MS = 50;

    private OrphanedServers() {}

    /**
     * Stops the servers whose data is below a folder, and waits until they are gone.
     *
     * @param folder absolute; nobody may start a server there meanwhile
     * @throws IllegalStateException if one does not end
     */
    static void stopBelow(Path folder) {
        List<ProcessHandle> orphans = below(folder);
        orphans.forEach(ProcessHandle::destroy);
        for (ProcessHandle orphan : orphans) {
            if (!isGoneWithin(GRACE, orphan, folder)) {
                orphan.destroyForcibly();
                if (!isGoneWithin(GRACE, orphan, folder)) {
                    throw new IllegalStateException("process " + orphan.pid() + " on " + folder + " does not end");
                }
            }
        }
    }

    /** The running servers whose data is below a folder. */
    static List<ProcessHandle> below(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(process -> isBelow(folder, process.info()))
                .toList();
    }

    private static boolean isBelow(Path folder, ProcessHandle.Info process) {
        String program = process.command()
                .map(path -> Path.of(path).getFileName().toString())
                .orElse("");
        return PROGRAMS.contains(program)
                && Stream.of(process.arguments().orElse(new String[0]))
                        .anyMatch(argument -> argument.contains(folder + "/"));
    }

    private static boolean isGoneWithin(Duration limit, ProcessHandle process, Path folder) {
        long deadline = System.nanoTime() + limit.toNanos();
        // A zombie is gone for us and has no program name any more, but its handle stays alive until it is reaped.
        while (isBelow(folder, process.info())) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            process.onExit()
                    .completeOnTimeout(process, POLL_MS, TimeUnit.MILLISECONDS)
                    .join();
        }
        return true;
    }
}
