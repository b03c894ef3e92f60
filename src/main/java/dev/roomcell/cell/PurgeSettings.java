package dev.roomcell.cell;

/**
 * How long rows are kept, and how fast they go.
 *
 * @param logKeptMs for how long a log row is kept at least (LOG-1); longer than a command may be old (LOG-2)
 * @param giftsKeptMs for how long the intent of a gift is kept at least (LOG-3)
 * @param passEveryMs the pause between two passes over all rooms, about
 * @param pageEveryMs the pause between two looks in a pass, and between two batches, at least 1
 * @param roomsAPage rooms of one look, at least 1
 * @param rowsABatch rows that are deleted at once, 1..1,000
 */
public record PurgeSettings(
        long logKeptMs, long giftsKeptMs, long passEveryMs, long pageEveryMs, int roomsAPage, int rowsABatch) {}
