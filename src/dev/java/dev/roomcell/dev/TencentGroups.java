package dev.roomcell.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The groups of the simulated Tencent IM; in a file too, if there is one, so that they outlive a run as rooms do. */
final class TencentGroups {
    /** Messages of one group in a second. */
    static final int MESSAGES_PER_SECOND = 40;

    private static final long SAME_RANDOM_MS = 300_000;

    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final @Nullable Path file;

    /** Those of {@code file}, if it is there; null: none, and in memory only. */
    TencentGroups(@Nullable Path file) {
        this.file = file;
        if (file != null && Files.exists(file)) {
            read(file);
        }
    }

    private void read(Path from) {
        try {
            for (String line : Files.readAllLines(from)) {
                String[] words = line.split(" ", -1);
                if (words.length == 3 && words[0].equals("+")) {
                    groups.put(words[1], new Group(words[2]));
                } else if (words.length == 2 && words[0].equals("-")) {
                    groups.remove(words[1]);
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void write(String line) {
        if (file == null) {
            return;
        }
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    Optional<Group> find(String groupId) {
        return Optional.ofNullable(groups.get(groupId));
    }

    void create(String groupId, String owner) {
        groups.put(groupId, new Group(owner));
        write("+ " + groupId + " " + owner);
    }

    /** False if there is none. */
    boolean destroy(String groupId) {
        boolean there = groups.remove(groupId) != null;
        if (there) {
            write("- " + groupId);
        }
        return there;
    }

    /** One group: who owns it, and what it was sent lately. */
    static final class Group {
        private final String owner;
        private final CallRate rate = new CallRate(MESSAGES_PER_SECOND);
        private final Map<Long, Sent> byRandom = new LinkedHashMap<>();
        private final ArrayDeque<Long> randoms = new ArrayDeque<>();
        private final Map<String, Long> mutedUntilMs = new LinkedHashMap<>();
        private long seq;

        private record Sent(long atMs, long seq) {}

        Group(String owner) {
            this.owner = owner;
        }

        String owner() {
            return owner;
        }

        /** Nobody hears the account for so long. */
        void mute(String account, long seconds, long nowMs) {
            if (seconds == 0) {
                mutedUntilMs.remove(account);
            } else {
                mutedUntilMs.put(account, nowMs + seconds * 1_000);
            }
        }

        boolean isMuted(String account, long nowMs) {
            return mutedUntilMs.getOrDefault(account, nowMs) > nowMs;
        }

        /** Whether it takes one more message now. */
        boolean admit(long nowMs) {
            return rate.admit(nowMs);
        }

        /** The number of the message that had this Random in the last five minutes. */
        Optional<Long> sentWith(long random, long nowMs) {
            while (!randoms.isEmpty() && isOver(randoms.peekFirst(), nowMs)) {
                byRandom.remove(randoms.removeFirst());
            }
            return Optional.ofNullable(byRandom.get(random)).map(Sent::seq);
        }

        private boolean isOver(long random, long nowMs) {
            Sent sent = byRandom.get(random);
            return sent == null || sent.atMs() <= nowMs - SAME_RANDOM_MS;
        }

        /** The number of a message that is new. */
        long take(long random, long nowMs) {
            seq++;
            byRandom.put(random, new Sent(nowMs, seq));
            randoms.addLast(random);
            return seq;
        }
    }
}
