package dev.roomcell.sim;

import dev.roomcell.cell.CellPorts;
import dev.roomcell.domain.RoomKey;
import dev.roomcell.port.CommandStore;
import dev.roomcell.port.CommandStore.GroupOutcome;
import dev.roomcell.port.FactPublisher;
import dev.roomcell.port.OutboxStore;
import dev.roomcell.port.RoomBatch;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.port.RoomMessenger.Message;
import dev.roomcell.sim.MemoryTables.Guard;
import io.vertx.core.Future;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Mistakes with what consumers and clients hear of a room. Each of them must be found. */
enum PlantedNewsFlaw implements Flaw {
    /** Facts are not written with their command (OUT-1). */
    FACTS_LOST {
        @Override
        public CellPorts in(CellPorts ports, Surroundings around) {
            CommandStore right = ports.commands();
            CommandStore forgetting = new PassedCommands(right) {
                @Override
                public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
                    return right.commit(
                            around.dice.percent(99)
                                    ? batches
                                    : batches.stream()
                                            .map(Altered::withoutFacts)
                                            .toList(),
                            skipLocked);
                }
            };
            return Altered.ports(ports, ports.leases(), forgetting, ports.roomList(), ports.messenger());
        }
    },
    /** Facts are marked before they are sent (OUT-3). */
    MARKED_BEFORE_SENT {
        @Override
        public OutboxStore in(OutboxStore right) {
            return new PassedOutbox(right) {
                @Override
                public Future<Claim> claim(ClaimRequest request) {
                    return right.claim(request)
                            .compose(claim -> right.finish(
                                            request.claimToken(),
                                            claim.rows().stream()
                                                    .map(row -> new Finish(row.id(), End.DELIVERED, 0, ""))
                                                    .toList())
                                    .map(claim));
                }
            };
        }
    },
    /** A fact does not wait for those in front of it (OUT-6). */
    FACTS_OVERTAKE {
        @Override
        public Set<Guard> guards() {
            return EnumSet.complementOf(EnumSet.of(Guard.FACT_ORDER));
        }
    },
    /** A queue that is out counts as one that refuses (B75). */
    OUTAGE_IS_REFUSAL {
        @Override
        public FactPublisher in(FactPublisher right) {
            return facts -> right.publish(facts)
                    .otherwise(out -> facts.stream()
                            .map(fact -> new FactPublisher.Delivery(FactPublisher.Outcome.REFUSED, out.toString()))
                            .toList());
        }
    },
    /** A claim never runs out (OUT-2). */
    CLAIM_FOR_EVER {
        @Override
        public OutboxStore in(OutboxStore right) {
            return new PassedOutbox(right) {
                @Override
                public Future<Claim> claim(ClaimRequest request) {
                    return right.claim(new ClaimRequest(
                            request.workerId(),
                            request.claimToken(),
                            request.partitions(),
                            request.limit(),
                            Integer.MAX_VALUE,
                            request.likely()));
                }
            };
        }
    },
    /** The room's clients are told before the commit (LANE-2). */
    TOLD_BEFORE_COMMIT {
        @Override
        public CellPorts in(CellPorts ports, Surroundings around) {
            CommandStore telling = new PassedCommands(ports.commands()) {
                @Override
                public Future<GroupOutcome> commit(List<RoomBatch> batches, boolean skipLocked) {
                    batches.forEach(batch -> batch.rows()
                            .forEach(row -> row.facts()
                                    .forEach(fact -> ports.messenger()
                                            .send(new Message(batch.key(), row.version(), fact), 1_000)
                                            .onFailure(lost -> around.trace.say("    a message was lost")))));
                    return right.commit(batches, skipLocked);
                }
            };
            return Altered.ports(ports, ports.leases(), telling, ports.roomList(), ports.messenger());
        }
    },
    /** Of the messages of a room now and then one goes after the next (LANE-2). */
    MESSAGES_OUT_OF_ORDER {
        @Override
        public CellPorts in(CellPorts ports, Surroundings around) {
            Map<RoomKey, Message> heldBack = new HashMap<>();
            RoomMessenger swapping = (message, timeoutMs) -> {
                Message held = heldBack.remove(message.key());
                if (held == null && around.dice.percent(1)) {
                    heldBack.put(message.key(), message);
                    return Future.succeededFuture();
                }
                Future<Void> sent = ports.messenger().send(message, timeoutMs);
                return held == null
                        ? sent
                        : sent.compose(first -> ports.messenger().send(held, timeoutMs));
            };
            return Altered.ports(ports, ports.leases(), ports.commands(), ports.roomList(), swapping);
        }
    },
    /** Clients are told of an event other than it was committed (LANE-2). */
    MESSAGE_NOT_AS_COMMITTED {
        @Override
        public CellPorts in(CellPorts ports, Surroundings around) {
            RoomMessenger garbling = (message, timeoutMs) -> ports.messenger()
                    .send(
                            around.dice.percent(1)
                                    ? new Message(message.key(), message.version() - 1, message.fact())
                                    : message,
                            timeoutMs);
            return Altered.ports(ports, ports.leases(), ports.commands(), ports.roomList(), garbling);
        }
    }
}
