package dev.roomcell.sim;

import dev.roomcell.cell.CellPorts;
import dev.roomcell.cell.GiftPorts;
import dev.roomcell.domain.RocketPlan;
import dev.roomcell.domain.Rockets.RoomRocketLaunched;
import dev.roomcell.domain.RoomEvent;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.RocketCatalog;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomClock;
import dev.roomcell.port.RoomCodec;
import dev.roomcell.port.TimerStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** Mistakes with rockets that a core or its adapters could make. Each of them must be found, as one with rockets (I13). */
enum PlantedRocketFlaw implements Flaw {
    /** The commit that ignites a rocket does not write its timer (ROCKET-1). */
    LAUNCH_TIMER_NOT_WRITTEN {
        @Override
        RoomBatch batch(RoomBatch right, RoomCodec codec) {
            List<RoomBatch.TimerChange> others = right.timers().stream()
                    .filter(timer -> timer.kind() != TimerStore.Kind.ROCKET_LAUNCH)
                    .toList();
            return Altered.timers(right, others);
        }
    },
    /** Nobody heeds a launch's timer: what its owner can't launch in time is never launched (ROCKET-3). */
    LAUNCH_TIMER_UNHEEDED {
        @Override
        public TimerStore in(TimerStore right) {
            return new TimerStore() {
                @Override
                public Future<List<DueTimer>> claimDue(TimerClaim claim) {
                    return right.claimDue(claim)
                            .map(due -> due.stream()
                                    .filter(timer -> timer.timer().kind() != Kind.ROCKET_LAUNCH)
                                    .toList());
                }

                @Override
                public Future<Void> giveBack(List<GivenBack> timers, long untilMs) {
                    return right.giveBack(timers, untilMs);
                }

                @Override
                public Future<Void> done(RoomTimer timer, long untilMs) {
                    return right.done(timer, untilMs);
                }

                @Override
                public Future<Void> plan(RoomTimer timer, long dueMs) {
                    return right.plan(timer, dueMs);
                }
            };
        }
    },
    /** A rocket launches by a clock that is ahead. */
    LAUNCHED_EARLY {
        @Override
        long clockAheadMs() {
            return 1_000;
        }
    },
    /** A rocket launches by a clock that is behind. */
    LAUNCHED_LATE {
        @Override
        long clockAheadMs() {
            return -15_000;
        }
    },
    /** A launch is decided again, and not compared with the rocket that is there (ROCKET-2). */
    LAUNCHED_TWICE {
        @Override
        RoomBatch batch(RoomBatch right, RoomCodec codec) {
            return Altered.batch(
                    right, right.rows().stream().map(row -> twice(row, codec)).toList());
        }

        private RoomBatch.LogRow twice(RoomBatch.LogRow row, RoomCodec codec) {
            List<RoomEvent> events = new ArrayList<>(codec.decodeEvents(row.events()));
            List<RoomEvent> launched =
                    events.stream().filter(RoomRocketLaunched.class::isInstance).toList();
            if (launched.isEmpty()) {
                return row;
            }
            events.addAll(launched);
            return Altered.events(row, codec.encodeEvents(events));
        }
    },
    /** The day of a rocket does not end when it should. */
    RESET_IGNORED {
        @Override
        RocketPlan plan(RocketPlan right) {
            return new RocketPlan(right.levels(), right.resetAt().plusHours(5), right.zone());
        }
    };

    RoomBatch batch(RoomBatch right, RoomCodec codec) {
        return right;
    }

    long clockAheadMs() {
        return 0;
    }

    RocketPlan plan(RocketPlan right) {
        return right;
    }

    @Override
    public CellPorts in(CellPorts ports, Surroundings around) {
        GiftPorts gifts = ports.gifts();
        RocketCatalog rockets = appCode -> gifts.rockets().plan(appCode).map(this::plan);
        CommandStore commands = new PassedCommands(ports.commands()) {
            @Override
            public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
                return right.commit(
                        batches.stream()
                                .map(batch -> batch(batch, ports.codec()))
                                .toList(),
                        skipLocked);
            }
        };
        CellPorts altered = Altered.ports(ports, ports.leases(), commands, ports.roomList(), ports.messenger());
        return Altered.clock(
                Altered.gifts(
                        altered,
                        new GiftPorts(gifts.store(), gifts.catalog(), rockets, gifts.wallet(), gifts.lottery())),
                clock(ports.clock()));
    }

    private RoomClock clock(RoomClock right) {
        return new RoomClock() {
            @Override
            public long nowMs() {
                return right.nowMs() + clockAheadMs();
            }

            @Override
            public long monotonicMs() {
                return right.monotonicMs();
            }
        };
    }
}
