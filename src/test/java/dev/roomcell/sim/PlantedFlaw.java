package dev.roomcell.sim;

import dev.roomcell.cell.CellPorts;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.CommandStore.Cause;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.CommandStore.LoggedCommand;
import dev.roomcell.port.CommandStore.RoomRow;
import dev.roomcell.port.CommandStore.StoredRoom;
import dev.roomcell.port.CommandStore.Verdict;
import dev.roomcell.port.LeaseDirectory;
import dev.roomcell.port.LeaseDirectory.Acquisition;
import dev.roomcell.port.LeaseDirectory.Proof;
import dev.roomcell.port.LeaseDirectory.Renew;
import dev.roomcell.port.LeaseDirectory.Renewal;
import dev.roomcell.port.LiveRoomStore;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomListStore;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.TimerStore.GivenBack;
import dev.roomcell.port.TimerStore.TimerClaim;
import dev.roomcell.sim.MemoryTables.Guard;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Mistakes that a core or its adapters could make. Each of them must be found. */
enum PlantedFlaw implements Flaw {
    /** VerifyOwner says yes, whoever asks (LEASE-6). */
    VERIFY_OWNER_SKIPPED {
        @Override
        LeaseDirectory leases(LeaseDirectory right) {
            return new PassedLeases(right) {
                @Override
                public Future<List<Boolean>> verify(List<Proof> proofs) {
                    return right.verify(proofs).map(Collections.nCopies(proofs.size(), true));
                }
            };
        }
    },
    /** The commit compares the version, and not the epoch (LEASE-11). */
    EPOCH_NOT_COMPARED {
        @Override
        public Set<Guard> guards() {
            return EnumSet.complementOf(EnumSet.of(Guard.EPOCH));
        }
    },
    /** A command id may be in a room's log twice (CMD-2). */
    NO_COMMAND_ID_KEY {
        @Override
        public Set<Guard> guards() {
            return EnumSet.complementOf(EnumSet.of(Guard.COMMAND_ID_KEY));
        }
    },
    /** The answer does not wait for COMMIT. */
    ANSWERED_BEFORE_COMMIT {
        @Override
        CommandStore commands(CommandStore right, Surroundings around) {
            return new PassedCommands(right) {
                @Override
                public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
                    right.commit(batches, skipLocked)
                            .onComplete(late -> around.trace.say("    the commit came to " + late.result()));
                    return Future.succeededFuture(
                            new GroupOutcome.Committed(Collections.nCopies(batches.size(), Verdict.APPENDED)));
                }
            };
        }
    },
    /** A COMMIT without an answer counts as undone (LEASE-12). */
    LOST_COMMIT_IS_FAILED {
        @Override
        CommandStore commands(CommandStore right, Surroundings around) {
            return new PassedCommands(right) {
                @Override
                public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
                    return right.commit(batches, skipLocked)
                            .map(outcome ->
                                    outcome instanceof GroupOutcome.Unknown unknown ? undone(unknown) : outcome);
                }

                private GroupOutcome undone(GroupOutcome.Unknown unknown) {
                    return new GroupOutcome.RolledBack(Cause.UNAVAILABLE, unknown.detail());
                }
            };
        }
    },
    /** Nothing tells a cell that it was fenced: neither the commit's verdict nor a mint on condition (LEASE-11). */
    CELL_KEPT_AFTER_FENCE {
        @Override
        CommandStore commands(CommandStore right, Surroundings around) {
            return new PassedCommands(right) {
                @Override
                public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
                    return right.commit(batches, skipLocked).map(Altered::neverFenced);
                }

                @Override
                public Future<OptionalLong> mint(RoomKey key, String nodeId, String leaseToken, OptionalLong onlyFrom) {
                    return right.mint(key, nodeId, leaseToken, OptionalLong.empty());
                }
            };
        }
    },
    /** A timer that somebody claimed is nobody else's ever again (TIMER-1). */
    TIMER_NOT_ARMED_AGAIN {
        @Override
        public TimerStore in(TimerStore right) {
            return new TimerStore() {
                @Override
                public Future<List<DueTimer>> claimDue(TimerClaim claim) {
                    return right.claimDue(new TimerClaim(
                            claim.nodeId(), claim.nowMs(), claim.lateMs(), Long.MAX_VALUE, claim.limit()));
                }

                @Override
                public Future<Void> giveBack(List<GivenBack> timers, long untilMs) {
                    return Future.succeededFuture();
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
    /** A load reads first, and only then mints (LEASE-11). */
    READ_BEFORE_MINT {
        @Override
        CommandStore commands(CommandStore right, Surroundings around) {
            Map<RoomKey, StoredRoom> readEarly = new HashMap<>();
            return new PassedCommands(right) {
                @Override
                public Future<OptionalLong> mint(RoomKey key, String nodeId, String leaseToken, OptionalLong onlyFrom) {
                    return right.load(key, 0, Integer.MAX_VALUE)
                            .onSuccess(read -> readEarly.put(key, read))
                            .compose(read -> right.mint(key, nodeId, leaseToken, onlyFrom));
                }

                @Override
                public Future<StoredRoom> load(RoomKey key, long idsSinceMs, int maxIds) {
                    StoredRoom early = readEarly.remove(key);
                    return early == null
                            ? right.load(key, idsSinceMs, maxIds)
                            : right.find(key)
                                    .map(row -> new StoredRoom(
                                            new RoomRow(
                                                    early.row().status(),
                                                    early.row().version(),
                                                    row.orElseThrow().epoch(),
                                                    early.row().ownerNodeId()),
                                            early.snapshot(),
                                            early.tail(),
                                            early.recentIds()));
                }
            };
        }
    },
    /** A mint says that it raised the epoch, and did not. */
    MINT_WITHOUT_EFFECT {
        @Override
        CommandStore commands(CommandStore right, Surroundings around) {
            return new PassedCommands(right) {
                @Override
                public Future<OptionalLong> mint(RoomKey key, String nodeId, String leaseToken, OptionalLong onlyFrom) {
                    return right.find(key)
                            .map(row -> row.map(there -> OptionalLong.of(there.epoch()))
                                    .orElse(OptionalLong.empty()));
                }
            };
        }
    },
    /** The log is asked for command ids, and knows none (CMD-2). */
    LOG_NOT_ASKED {
        @Override
        CommandStore commands(CommandStore right, Surroundings around) {
            return new PassedCommands(right) {
                @Override
                public Future<Map<String, LoggedCommand>> findCommands(RoomKey key, Collection<String> commandIds) {
                    return right.findCommands(key, commandIds).map(Map.of());
                }
            };
        }
    },
    /** A renewal that Redis refused counts as done (LEASE-16). */
    RENEWAL_BELIEVED {
        @Override
        LeaseDirectory leases(LeaseDirectory right) {
            return new PassedLeases(right) {
                @Override
                public Future<List<Renewal>> renew(List<Renew> leases) {
                    return right.renew(leases).map(Collections.nCopies(leases.size(), Renewal.KEPT));
                }
            };
        }
    },
    /** Whoever asks for a lease gets it, and lets nobody know (LEASE-7). */
    LEASE_FOR_EVERYBODY {
        @Override
        LeaseDirectory leases(LeaseDirectory right) {
            return new PassedLeases(right) {
                @Override
                public Future<Acquisition> acquire(RoomKey key, String token) {
                    return right.acquire(key, token).map(new Acquisition.Acquired());
                }

                @Override
                public Future<Boolean> recordEpoch(RoomKey key, String token, long epoch) {
                    return right.recordEpoch(key, token, epoch).map(true);
                }
            };
        }
    },
    /** Nobody looks for rooms without an owner (LEASE-14). */
    NO_ADOPTION {
        @Override
        public LiveRoomStore in(LiveRoomStore right) {
            return new LiveRoomStore() {
                @Override
                public Future<List<String>> owners(int most) {
                    return Future.succeededFuture(List.of());
                }

                @Override
                public Future<List<LiveRoom>> roomsOf(String nodeId, Optional<RoomKey> after, int most) {
                    return right.roomsOf(nodeId, after, most);
                }
            };
        }
    },
    /** The room list is not written (ROOM-8). */
    LIST_NOT_WRITTEN {
        @Override
        public CellPorts in(CellPorts ports, Surroundings around) {
            RoomListStore right = ports.roomList();
            RoomListStore unwritten = new RoomListStore() {
                @Override
                public Future<Void> write(List<ListEntry> entries) {
                    return Future.succeededFuture();
                }

                @Override
                public Future<List<ListEntry>> hottest(
                        String appCode, Optional<String> region, Optional<Place> after, int most) {
                    return right.hottest(appCode, region, after, most);
                }
            };
            return Altered.ports(ports, ports.leases(), ports.commands(), unwritten, ports.messenger());
        }
    };

    LeaseDirectory leases(LeaseDirectory right) {
        return right;
    }

    CommandStore commands(CommandStore right, Surroundings around) {
        return right;
    }

    @Override
    public CellPorts in(CellPorts ports, Surroundings around) {
        return Altered.ports(
                ports, leases(ports.leases()), commands(ports.commands(), around), ports.roomList(), ports.messenger());
    }
}
