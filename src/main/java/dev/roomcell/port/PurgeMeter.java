package dev.roomcell.port;

/** Hears what is deleted for its age, and what should be and can't. Called on one loop: it must be quick, and never throws. */
public interface PurgeMeter {
    /** So many rows are gone, at least 1. */
    void purged(PurgeStore.Table table, int rows);

    /** Of the rooms whose log is too long, so many keep it because a snapshot can't be read; told after every pass. */
    void stuck(int rooms);

    /** Hears nothing. */
    static PurgeMeter none() {
        return new PurgeMeter() {
            @Override
            public void purged(PurgeStore.Table table, int rows) {}

            @Override
            public void stuck(int rooms) {}
        };
    }
}
