package dev.roomcell.cell;

/**
 * Which command ids a room has committed of late: at most {@link CellSettings#DEDUPE_IDS}, of the last {@link
 * CellSettings#DEDUPE_MS}. It keeps 64-bit hashes, so that a busy room pays 16 KB and an idle one nearly nothing; it
 * may say "maybe" to a new id, and it forgets: the log has the last word on both (CMD-2).
 */
final class DedupeWindow {
    private static final int SMALLEST = 8;

    /** A ring of the ids in order of commit. */
    private long[] hashes = new long[SMALLEST];

    private int[] committedAtSec = new int[SMALLEST];
    private int head;
    private int size;

    /** An open-addressing index over the ring, twice its size; 0 is an empty place. */
    private long[] index = new long[2 * SMALLEST];

    void add(String commandId, long atMs) {
        dropOlderThan(atMs - CellSettings.DEDUPE_MS);
        if (size == CellSettings.DEDUPE_IDS) {
            dropOldest();
        }
        if (size == hashes.length) {
            grow();
        }
        long hash = hash(commandId);
        int place = (head + size) % hashes.length;
        hashes[place] = hash;
        committedAtSec[place] = (int) (atMs / 1000);
        size++;
        insert(hash);
    }

    boolean mayHold(String commandId) {
        return find(hash(commandId)) >= 0;
    }

    int size() {
        return size;
    }

    private void dropOlderThan(long atMs) {
        int atSec = (int) (atMs / 1000);
        // By difference: the seconds of an int run over in 2038.
        while (size > 0 && committedAtSec[head] - atSec < 0) {
            dropOldest();
        }
    }

    private void dropOldest() {
        remove(hashes[head]);
        head = (head + 1) % hashes.length;
        size--;
    }

    private void grow() {
        int capacity = hashes.length;
        long[] grownHashes = new long[2 * capacity];
        int[] grownSecs = new int[2 * capacity];
        for (int i = 0; i < size; i++) {
            grownHashes[i] = hashes[(head + i) % capacity];
            grownSecs[i] = committedAtSec[(head + i) % capacity];
        }
        hashes = grownHashes;
        committedAtSec = grownSecs;
        head = 0;
        index = new long[4 * capacity];
        for (int i = 0; i < size; i++) {
            insert(hashes[i]);
        }
    }

    private void insert(long hash) {
        int place = home(hash);
        while (index[place] != 0) {
            place = next(place);
        }
        index[place] = hash;
    }

    private int find(long hash) {
        int place = home(hash);
        while (index[place] != 0) {
            if (index[place] == hash) {
                return place;
            }
            place = next(place);
        }
        return -1;
    }

    /** Removes one occurrence and closes the gap, so that a search never stops short at it. */
    private void remove(long hash) {
        int gap = find(hash);
        int place = next(gap);
        while (index[place] != 0) {
            int home = home(index[place]);
            boolean homeBetween = gap < place ? gap < home && home <= place : gap < home || home <= place;
            if (!homeBetween) {
                index[gap] = index[place];
                gap = place;
            }
            place = next(place);
        }
        index[gap] = 0;
    }

    private int home(long hash) {
        return (int) (hash ^ hash >>> 32) & index.length - 1;
    }

    private int next(int place) {
        return place + 1 & index.length - 1;
    }

    /** FNV-1a over the characters, then mixed; never 0, which marks an empty place. */
    private static long hash(String commandId) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < commandId.length(); i++) {
            hash = (hash ^ commandId.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash ^= hash >>> 33;
        return hash == 0 ? 1 : hash;
    }
}
