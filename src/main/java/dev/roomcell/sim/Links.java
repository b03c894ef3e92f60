package dev.roomcell.sim;

/** The ways from one node to the servers. */
record Links(Link mysql, Link redis, Link streams, Link wallet) {
    /** Ways on which nothing is in the way. */
    static Links clear() {
        return new Links(new Link(), new Link(), new Link(), new Link());
    }
}
