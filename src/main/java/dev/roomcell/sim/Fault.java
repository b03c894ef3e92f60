package dev.roomcell.sim;

import dev.roomcell.domain.RoomKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What may go wrong around a cluster, and for how long. */
enum Fault {
    /** A process is stopped (SIGSTOP), often for longer than its leases live. */
    PAUSE {
        @Override
        Strike strike(Cluster cluster) {
            SimulatedNode node = anyNode(cluster);
            node.pause();
            return new Strike(node.toString(), 200 + cluster.around.dice.skewed(20_000), node::resume);
        }
    },
    /** A process is killed. */
    CRASH {
        @Override
        Strike strike(Cluster cluster) {
            SimulatedNode node = anyNode(cluster);
            cluster.kill(node);
            return Strike.atOnce(node.toString());
        }
    },
    /** A process is stopped while a call of a certain kind is on its way, about as long as a lease lives. */
    PAUSE_AT_CALL {
        @Override
        Strike strike(Cluster cluster) {
            int ttlMs = Math.toIntExact(cluster.settings.leaseTtlMs());
            return Traps.set(cluster, node -> {
                node.pause();
                cluster.around.time.later(ttlMs / 2 + cluster.around.dice.below(ttlMs * 2), node::resume);
            });
        }
    },
    /** A process is killed while a call of a certain kind is on its way. */
    CRASH_AT_CALL {
        @Override
        Strike strike(Cluster cluster) {
            return Traps.set(cluster, cluster::kill);
        }
    },
    /** A process is killed shortly before one of its rockets launches, or just then. */
    CRASH_BEFORE_LAUNCH {
        @Override
        Strike strike(Cluster cluster) {
            return Traps.beforeLaunch(cluster);
        }
    },
    /** A process is drained, ended and replaced, as in a deploy. */
    DRAIN {
        @Override
        Strike strike(Cluster cluster) {
            SimulatedNode node = anyNode(cluster);
            cluster.replace(node, 500 + cluster.around.dice.below(8_000));
            return Strike.atOnce(node.toString());
        }
    },
    /** All processes are killed together. */
    ALL_CRASH {
        @Override
        Strike strike(Cluster cluster) {
            cluster.nodes().forEach(cluster::kill);
            return Strike.atOnce("all");
        }
    },
    /** A node takes the time of the database to be another. */
    CLOCK_STEP {
        @Override
        Strike strike(Cluster cluster) {
            SimulatedNode node = anyNode(cluster);
            int byMs = cluster.around.dice.between(-CLOCK_WRONG_MS, CLOCK_WRONG_MS);
            node.clock.wrongBy(byMs);
            return new Strike(
                    node + " by " + byMs + " ms", cluster.around.dice.below(60_000), () -> node.clock.wrongBy(0));
        }
    },
    /** Nothing passes between a node and Redis. */
    CUT_FROM_REDIS {
        @Override
        Strike strike(Cluster cluster) {
            return cut(cluster, node -> node.toRedis);
        }
    },
    /** Nothing passes between a node and its peers, which all reach Redis and MySQL. */
    CUT_FROM_PEERS {
        @Override
        Strike strike(Cluster cluster) {
            return cut(cluster, node -> node.toPeers);
        }
    },
    /** A node is drained, and taken back after a while. */
    DRAIN_AND_BACK {
        @Override
        Strike strike(Cluster cluster) {
            SimulatedNode node = anyNode(cluster);
            node.drain(true);
            return new Strike(node.toString(), cluster.around.dice.skewed(15_000), () -> node.drain(false));
        }
    },
    /** Nothing passes between a node and MySQL. */
    CUT_FROM_MYSQL {
        @Override
        Strike strike(Cluster cluster) {
            return cut(cluster, node -> node.toMysql);
        }
    },
    /** Nothing passes between a node and the wallet and the lottery. */
    CUT_FROM_WALLET {
        @Override
        Strike strike(Cluster cluster) {
            return cut(cluster, node -> node.toWallet);
        }
    },
    /** One link after the other is clogged, and opened again in another order. */
    SWIZZLE {
        @Override
        Strike strike(Cluster cluster) {
            Dice dice = cluster.around.dice;
            List<Link> clogged = new ArrayList<>(cluster.links());
            clogged.removeIf(link -> dice.coin());
            for (Link link : clogged) {
                cluster.around.time.later(dice.below(3_000), link::cut);
            }
            for (Link link : clogged) {
                cluster.around.time.later(3_000 + dice.below(8_000), link::heal);
            }
            return new Strike(clogged.size() + " links", 11_000, () -> clogged.forEach(Link::heal));
        }
    },
    /** A link is slow. */
    SLOW_LINK {
        @Override
        Strike strike(Cluster cluster) {
            Dice dice = cluster.around.dice;
            Link link = dice.any(cluster.links());
            link.slow(20 + dice.skewed(2_000));
            return new Strike("one", dice.below(15_000), link::heal);
        }
    },
    /** Every link loses some calls and answers. */
    STORM {
        @Override
        Strike strike(Cluster cluster) {
            Dice dice = cluster.around.dice;
            int percent = dice.any(List.of(2, 8, 30));
            List<Link> links = cluster.links();
            links.forEach(link -> link.lossy(percent));
            return new Strike(percent + " %", dice.below(15_000), () -> links.forEach(Link::heal));
        }
    },
    /** Answers to clients are lost. */
    LOST_ANSWERS {
        @Override
        Strike strike(Cluster cluster) {
            cluster.around.lostAnswerPercent = 10 + cluster.around.dice.below(40);
            return new Strike("", cluster.around.dice.below(20_000), () -> cluster.around.lostAnswerPercent = 0);
        }
    },
    /** Redis loses everything. */
    REDIS_FLUSH {
        @Override
        Strike strike(Cluster cluster) {
            cluster.around.redis.flush();
            cluster.recorder.redisLoses(cluster.settings.leaseTtlMs());
            return Strike.atOnce("");
        }
    },
    /** A replica takes over that has not heard the latest. */
    REDIS_FAILOVER {
        @Override
        Strike strike(Cluster cluster) {
            Surroundings around = cluster.around;
            MemoryRedis.Replica replica = around.redis.replica();
            around.time.later(1 + around.dice.skewed(2_000), () -> {
                around.redisServer.stop();
                around.redis.failOverTo(replica);
                cluster.recorder.redisLoses(cluster.settings.leaseTtlMs());
            });
            return new Strike("", 2_100 + around.dice.below(3_000), around.redisServer::start);
        }
    },
    /** Redis is silent, and then does all that it was asked for. */
    REDIS_STALL {
        @Override
        Strike strike(Cluster cluster) {
            return stalled(cluster, cluster.around.redisServer, 10_000);
        }
    },
    /** Redis restarts, and remembers. */
    REDIS_RESTART {
        @Override
        Strike strike(Cluster cluster) {
            return down(cluster, cluster.around.redisServer, 10_000);
        }
    },
    /** MySQL is silent, and then does all that it was asked for. */
    MYSQL_STALL {
        @Override
        Strike strike(Cluster cluster) {
            return stalled(cluster, cluster.around.mysqlServer, 10_000);
        }
    },
    /** MySQL is killed and starts again. */
    MYSQL_RESTART {
        @Override
        Strike strike(Cluster cluster) {
            cluster.around.killMysql();
            return new Strike("", 100 + cluster.around.dice.skewed(8_000), cluster.around.mysqlServer::start);
        }
    },
    /** MySQL refuses writes (1290), as in a failover. */
    MYSQL_READ_ONLY {
        @Override
        Strike strike(Cluster cluster) {
            SimulatedServer mysql = cluster.around.mysqlServer;
            mysql.readOnly(true);
            return new Strike("", cluster.around.dice.skewed(8_000), () -> mysql.readOnly(false));
        }
    },
    /** Transactions meet deadlocks (1213). */
    DEADLOCKS {
        @Override
        Strike strike(Cluster cluster) {
            cluster.around.deadlockPercent = 20 + cluster.around.dice.below(60);
            return new Strike("", cluster.around.dice.below(8_000), () -> cluster.around.deadlockPercent = 0);
        }
    },
    /** Statements fail that will fail again, as for a value that a column does not take. */
    BAD_STATEMENTS {
        @Override
        Strike strike(Cluster cluster) {
            cluster.around.badStatementPercent = 20 + cluster.around.dice.below(60);
            return new Strike("", cluster.around.dice.below(5_000), () -> cluster.around.badStatementPercent = 0);
        }
    },
    /** COMMITs are done and not answered. */
    LOST_COMMITS {
        @Override
        Strike strike(Cluster cluster) {
            cluster.around.lostCommitPercent = 20 + cluster.around.dice.below(70);
            return new Strike("", cluster.around.dice.below(10_000), () -> cluster.around.lostCommitPercent = 0);
        }
    },
    /** Somebody else has a room's row locked, so that statements wait for it in vain (1205). */
    HELD_ROW {
        @Override
        Strike strike(Cluster cluster) {
            List<RoomKey> rooms = cluster.around.database.rooms();
            if (rooms.isEmpty()) {
                return Strike.atOnce("none");
            }
            RoomKey room = cluster.around.dice.any(rooms);
            return cluster.around
                    .database
                    .tryHoldRow(room)
                    .map(held -> new Strike(room.toString(), cluster.around.dice.skewed(5_000), held::close))
                    .orElseGet(() -> Strike.atOnce("none"));
        }
    },
    /** A snapshot has a flipped bit. */
    BAD_DISK {
        @Override
        Strike strike(Cluster cluster) {
            return BadDisk.strike(cluster.around.database, cluster.around.dice);
        }
    },
    /** The streams take no connection, and lose those that they have. */
    STREAMS_DOWN {
        @Override
        Strike strike(Cluster cluster) {
            return down(cluster, cluster.around.streamServer, 20_000);
        }
    },
    /** The streams are silent, often for longer than a claim lasts, and then take all that came. */
    STREAMS_STALL {
        @Override
        Strike strike(Cluster cluster) {
            return stalled(cluster, cluster.around.streamServer, 15_000);
        }
    },
    /** The streams take facts, and do not say so. */
    LOST_ARRIVALS {
        @Override
        Strike strike(Cluster cluster) {
            cluster.around.lostArrivalPercent = 20 + cluster.around.dice.below(80);
            return new Strike("", cluster.around.dice.below(15_000), () -> cluster.around.lostArrivalPercent = 0);
        }
    },
    /** Facts are refused for what they are. */
    REFUSED_FACTS {
        @Override
        Strike strike(Cluster cluster) {
            cluster.around.refusedFactPercent = cluster.around.dice.any(List.of(10, 50, 100));
            return new Strike("", cluster.around.dice.below(30_000), () -> cluster.around.refusedFactPercent = 0);
        }
    },
    /** The wallet takes no connection, and loses those that it has. */
    WALLET_DOWN {
        @Override
        Strike strike(Cluster cluster) {
            return down(cluster, cluster.around.walletServer, 20_000);
        }
    },
    /** The wallet is silent, and then does all that it was asked for. */
    WALLET_STALL {
        @Override
        Strike strike(Cluster cluster) {
            return stalled(cluster, cluster.around.walletServer, 20_000);
        }
    },
    /** Calls of the wallet are lost, or have their effect and are not answered, or have it long after. */
    WALLET_TROUBLE {
        @Override
        Strike strike(Cluster cluster) {
            cluster.around.walletTroublePercent = cluster.around.dice.any(List.of(10, 50, 90));
            return new Strike("", cluster.around.dice.skewed(30_000), () -> cluster.around.walletTroublePercent = 0);
        }
    },
    /** Nothing can be drawn. */
    LOTTERY_DOWN {
        @Override
        Strike strike(Cluster cluster) {
            return down(cluster, cluster.around.lotteryServer, 30_000);
        }
    },
    /** Neither IM groups nor RTC rooms can be made. */
    EXTERNALS_DOWN {
        @Override
        Strike strike(Cluster cluster) {
            cluster.around.externalsDown = true;
            return new Strike("", cluster.around.dice.below(60_000), () -> cluster.around.externalsDown = false);
        }
    };

    /**
     * A fault that has come.
     *
     * @param told what it hit
     * @param lastsMs how long it lasts, ms
     * @param end what ends it; may be run again
     */
    record Strike(String told, long lastsMs, Runnable end) {
        /** One whose consequences end by themselves. */
        static Strike atOnce(String told) {
            return new Strike(told, 0, () -> {});
        }
    }

    private static SimulatedNode anyNode(Cluster cluster) {
        return cluster.around.dice.any(cluster.nodes());
    }

    private static Strike cut(Cluster cluster, Function<SimulatedNode, Link> which) {
        SimulatedNode node = anyNode(cluster);
        Link link = which.apply(node);
        link.cut();
        return new Strike(node.toString(), cluster.around.dice.skewed(15_000), link::heal);
    }

    private static Strike stalled(Cluster cluster, SimulatedServer server, int mostMs) {
        int ms = cluster.around.dice.skewed(mostMs);
        server.stallUntil(cluster.around.time.nowMs() + ms);
        return Strike.atOnce(ms + " ms");
    }

    private static Strike down(Cluster cluster, SimulatedServer server, int mostMs) {
        server.stop();
        return new Strike("", cluster.around.dice.skewed(mostMs), server::start);
    }

    /** A node's clock is wrong by at most so many ms. */
    static final int CLOCK_WRONG_MS = 60_000;

    /** Lets it happen now. */
    abstract Strike strike(Cluster cluster);
}
