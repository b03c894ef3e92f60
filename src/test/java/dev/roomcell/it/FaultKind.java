package dev.roomcell.it;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What may go wrong, by the numbers of the fault plan; each kind comes and is over again within one call. */
enum FaultKind {
    /** A node is killed and starts again. */
    NODE_KILLED("F1", 12, 0, 2_500, Part.NODE) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            NodeFaults.kill(stage, strike);
        }
    },
    /** A node stands still for longer than its leases last, and goes on. */
    NODE_PAUSED("F2", 10, 2_500, 6_000, Part.NODE) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            NodeFaults.pause(stage, strike);
        }
    },
    /** A COMMIT is under way for longer than the lease lasts. */
    COMMIT_HELD("F3", 8, 2_200, 3_500, Part.NODE, Part.MYSQL) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            MysqlFaults.holdCommit(stage, strike);
        }
    },
    /** Redis loses everything. */
    REDIS_FLUSHED("F4", 2, 0, 0, Part.REDIS) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            RedisFaults.flush(stage, record);
        }
    },
    /** Redis loses most leases. */
    LEASES_DELETED("F4", 2, 0, 0, Part.REDIS) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            RedisFaults.deleteLeases(stage, record);
        }
    },
    /** Redis is killed and comes back empty. */
    REDIS_RESTARTED("F5", 2, 0, 1_500, Part.REDIS) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            RedisFaults.restart(stage, record, strike);
        }
    },
    /** Redis ends all connections. */
    REDIS_DISCONNECTED("F5", 1, 0, 0, Part.REDIS) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            RedisFaults.disconnect(stage);
        }
    },
    /** Redis stands still, and then does all that it was asked for. */
    REDIS_PAUSED("F5", 1, 500, 3_000, Part.REDIS) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            RedisFaults.pause(stage, strike);
        }
    },
    /** MariaDB is stopped in order and starts again. */
    MYSQL_STOPPED("F7", 1, 0, 1_000, Part.MYSQL) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            MysqlFaults.restart(stage, strike, false);
        }
    },
    /** MariaDB is killed and starts again. */
    MYSQL_KILLED("F7", 1, 0, 1_000, Part.MYSQL) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            MysqlFaults.restart(stage, strike, true);
        }
    },
    /** MariaDB stands still, and then does all that it was asked for. */
    MYSQL_PAUSED("F7", 1, 1_000, 5_000, Part.MYSQL) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            MysqlFaults.pause(stage, strike);
        }
    },
    /** COMMITs are lost on their way to MariaDB, one after the other. */
    COMMITS_LOST("F8", 4, 0, 0, Part.NODE, Part.MYSQL) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            MysqlFaults.cutCommits(stage, strike, false);
        }
    },
    /** Answers to COMMITs are lost on their way back, one after the other. */
    COMMIT_ANSWERS_LOST("F8", 6, 0, 0, Part.NODE, Part.MYSQL) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            MysqlFaults.cutCommits(stage, strike, true);
        }
    },
    /** MariaDB takes no writes for a while, as a demoted one. */
    MYSQL_READ_ONLY("F9", 1, 1_000, 3_000, Part.MYSQL) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            MysqlFaults.readOnly(stage, strike);
        }
    },
    /** MariaDB ends connections, in whatever they are. */
    MYSQL_DISCONNECTED("F9", 1, 0, 0, Part.MYSQL) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            MysqlFaults.killConnections(stage, strike);
        }
    },
    /** Somebody else holds rows of rooms for longer than nodes wait for them. */
    ROWS_LOCKED("F9", 2, 1_200, 3_000, Part.MYSQL) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            MysqlFaults.lockRows(stage, strike);
        }
    },
    /** Nothing passes between a node and Redis, in one direction or both. */
    CUT_FROM_REDIS("F11", 3, 1_000, 5_000, Part.NODE, Part.REDIS) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            NodeFaults.cut(stage, stage.toRedis(strike.node()), strike);
        }
    },
    /** Nothing passes between a node and MariaDB, in one direction or both. */
    CUT_FROM_MYSQL("F11", 3, 1_000, 5_000, Part.NODE, Part.MYSQL) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            NodeFaults.cut(stage, stage.toMysql(strike.node()), strike);
        }
    },
    /** One node after the other is stopped in order and starts again, and nothing else goes wrong. */
    ROLLING_RESTART("F14", 1, 0, 0, Part.ALL_NODES, Part.MYSQL, Part.REDIS) {
        @Override
        void strike(FaultStage stage, PartyRecord record, Strike strike) {
            NodeFaults.restartAll(stage);
        }
    };

    /** What a fault needs for itself. */
    private enum Part {
        NODE,
        ALL_NODES,
        MYSQL,
        REDIS
    }

    private final String plan;
    private final int share;
    private final int leastMs;
    private final int mostMs;

    @SuppressWarnings("ImmutableEnumChecker") // Written by the constructor only.
    private final Set<Part> parts;

    FaultKind(String plan, int share, int leastMs, int mostMs, Part... parts) {
        this.plan = plan;
        this.share = share;
        this.leastMs = leastMs;
        this.mostMs = mostMs;
        this.parts = EnumSet.noneOf(Part.class);
        this.parts.addAll(List.of(parts));
    }

    /**
     * A fault that is to come.
     *
     * @param kind what
     * @param node of which node, where it is one's; 0 to {@link FaultStage#NODES} - 1
     * @param lastsMs how long it lasts, ms; what it takes to end comes on top
     * @param variant which of several ways; any number ≥ 0
     */
    record Strike(FaultKind kind, int node, int lastsMs, int variant) {
        @Override
        public String toString() {
            return kind + " node" + node + " " + lastsMs + " ms variant " + variant;
        }
    }

    /** The kind's row in the fault plan. */
    String plan() {
        return plan;
    }

    /** How many there are of it in a run of about sixty faults. */
    int share() {
        return share;
    }

    int leastMs() {
        return leastMs;
    }

    int mostMs() {
        return mostMs;
    }

    /** Whether the two may be at once, on two nodes if they are nodes': never two in one server's surroundings. */
    boolean goesWith(FaultKind other) {
        if (this == other || this == ROLLING_RESTART || other == ROLLING_RESTART) {
            return false;
        }
        return parts.stream().noneMatch(part -> part != Part.NODE && other.parts.contains(part));
    }

    /** Lets it happen and returns when it is over. */
    abstract void strike(FaultStage stage, PartyRecord record, Strike strike);
}
