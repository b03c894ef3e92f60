package dev.roomcell.cell;

/**
 * The limits of an {@link OutboxWorker}.
 *
 * @param batch the most facts claimed and published at once, at least 1
 * @param claimMs for how long nobody else takes what was claimed (OUT-2)
 * @param leaseMs for how long a worker that says nothing keeps its partitions
 * @param maxTries so often a fact is refused before it is parked, at least 1
 * @param retryFirstMs the pause after the first failure; it doubles with each
 * @param retryMaxMs the longest such pause
 * @param pollMs the pause between two looks when nothing is due
 * @param keptMs for how long delivered rows are kept (OUT-7)
 */
public record OutboxSettings(
        int batch,
        long claimMs,
        long leaseMs,
        int maxTries,
        long retryFirstMs,
        long retryMaxMs,
        long pollMs,
        long keptMs) {}
