package dev.roomcell.it;

import static dev.roomcell.dev.rtc.RtcEvent.AUDIO_STARTED;
import static dev.roomcell.proto.room.v1.MicSeatStatus.MIC_SEAT_STATUS_PUBLISHING;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.roomcell.dev.rtc.CallbackSender.Retries;
import dev.roomcell.dev.rtc.CallbackSender.Sent;
import dev.roomcell.dev.rtc.RtcApp;
import dev.roomcell.dev.rtc.RtcEvent;
import dev.roomcell.dev.rtc.RtcSimulator;
import dev.roomcell.fault.FaultProxy;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.RoomEventType;
import dev.roomcell.testkit.Alone;
import dev.roomcell.testkit.Await;
import dev.roomcell.verticle.RtcVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Processes that are told by RTC who speaks while the database stands still, or one of them dies. */
@Alone
final class RtcFaultsIT {
    private static final Logger log = LoggerFactory.getLogger(RtcFaultsIT.class);
    private static final long STALL_MS = 3_000;
    private static final int DELIVERIES = 8;

    @TempDir
    Path folder;

    private final List<NodeProcess> processes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private Vertx vertx;
    private Backends backends;
    private RtcSimulator trtc;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        backends = Backends.shared();
        trtc = Await.result(RtcSimulator.start(vertx, 0, RtcApp.sample(), Retries.NONE));
    }

    @AfterEach
    void stop() {
        processes.forEach(NodeProcess::close);
        Await.result(vertx.close());
    }

    /** Starts a node, and does not wait for it. */
    private NodeProcess node(Map<String, String> more) {
        int port = NodeProcess.freePort();
        Map<String, String> environment = new HashMap<>(trtc.environment());
        environment.putAll(more);
        environment.put("ROOM_RTC_PORT", Integer.toString(port));
        NodeProcess process = NodeProcess.start(folder, backends.environment("rtc-" + processes.size(), environment));
        processes.add(process);
        ports.add(port);
        return process;
    }

    private RawConnection connect(NodeProcess node) {
        return RawConnection.open(vertx, node.awaitReady().grpcPort());
    }

    private Future<Sent> send(RtcEvent event, int node) {
        return trtc.sender().sendOnce(event, "http://127.0.0.1:" + ports.get(node) + RtcVerticle.PATH);
    }

    private long micChanges(RtcRoom room) {
        try (RoomTables tables = backends.tables()) {
            long changes = 0;
            for (byte[] envelope : tables.envelopes(room.key())) {
                changes += FactEnvelope.parseFrom(envelope).getType() == RoomEventType.ROOM_EVENT_TYPE_ROOM_MIC_CHANGED
                        ? 1
                        : 0;
            }
            return changes;
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName(
            "B43: eight deliveries, three at once to three nodes while MySQL stands still: one change, every answer in time")
    void oneEventIsOneChangeHoweverOftenItIsDelivered() {
        FaultProxy toMysql =
                Await.result(FaultProxy.startMysql(vertx, backends.servers().mysqlPort()));
        for (Map<String, String> member : Backends.cluster(3)) {
            Map<String, String> more = new HashMap<>(member);
            more.put("ROOM_MYSQL_PORT", Integer.toString(toMysql.port()));
            node(more);
        }
        List<RawConnection> to = processes.stream().map(this::connect).toList();
        RtcRoom room = RtcRoom.created("stalled", to.get(0)).seated("ann", 1);
        assertThat(micChanges(room)).isEqualTo(1);
        RtcEvent event = room.event(AUDIO_STARTED, "ann");
        // So that all of them know how to find the room's owner.
        to.forEach(room::now);

        toMysql.hold();
        List<Future<Sent>> atOnce = List.of(send(event, 0), send(event, 1), send(event, 2));
        Await.result(vertx.timer(STALL_MS, TimeUnit.MILLISECONDS));
        toMysql.release();
        List<Sent> answers = new ArrayList<>();
        atOnce.forEach(sent -> answers.add(Await.result(sent)));
        for (int i = answers.size(); i < DELIVERIES; i++) {
            answers.add(Await.result(send(event, i % 3)));
        }
        // As often as it takes on a busy machine; RTC would go on, too.
        Await.until("it is taken", () -> {
            answers.add(Await.result(send(event, 0)));
            return answers.get(answers.size() - 1).isTaken();
        });

        log.info("{}", answers);
        // The sender gives up after five seconds, and says 0.
        assertThat(answers).extracting(Sent::status).containsOnly(200, 503);
        assertThat(answers).allSatisfy(sent -> assertThat(sent.tookMs()).isLessThan(5_000));
        assertThat(room.seat(1)).isEqualTo(MIC_SEAT_STATUS_PUBLISHING);
        assertThat(micChanges(room)).isEqualTo(2);
        try (RoomTables tables = backends.tables()) {
            assertThat(tables.log(room.key()))
                    .filteredOn(row -> row.commandId().startsWith("~rtc:"))
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("TIMER-1: who is kicked is taken out of RTC though the room's owner dies before it could do so")
    void aKickOutlivesTheOwner() {
        List<Map<String, String>> members = Backends.cluster(2);
        Map<String, String> cutOff = new HashMap<>(members.get(0));
        cutOff.put("ROOM_RTC_ENDPOINT", "http://127.0.0.1:1");
        NodeProcess owner = node(cutOff);
        NodeProcess heir = node(members.get(1));
        heir.awaitReady();
        RtcRoom room = RtcRoom.created("orphan", connect(owner)).joined("ann").joined("ben");
        trtc.rooms().enter(room.rtcRoomId(), "ann");
        trtc.rooms().enter(room.rtcRoomId(), "ben");
        room.kick("ben");
        owner.kill();

        Await.until("ben is out", () -> trtc.rooms().users(room.rtcRoomId()).equals(List.of("ann")));
    }
}
