package dev.roomcell.adapter.rtc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roomcell.adapter.rtc.RtcCallback.Report;
import dev.roomcell.domain.RtcReports.Fact;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callbacks say, and what is made of those that say it otherwise than the documentation (B45). */
class RtcCallbackTest {
    private static RtcCallback read(String json) {
        return RtcCallback.read(Buffer.buffer(json.replace('\'', '"')));
    }

    private static String callback(int group, int type, String info) {
        return "{'EventGroupId':" + group + ",'EventType':" + type + ",'CallbackTs':1664209748188,'EventInfo':{" + info
                + "}}";
    }

    private static final String EVENT = "'RoomId':'r','EventTs':1664209748,'EventMsTs':1664209748180,'UserId':'ann'";

    @ParameterizedTest
    @CsvSource({
        "2, 203, 0, AUDIO_STARTED",
        "2, 204, 0, AUDIO_STOPPED",
        "1, 104, 1, EXITED",
        "1, 104, 2, EXIT_SUSPECTED",
        "1, 104, 3, EXITED",
        "1, 104, 4, EXITED",
        "1, 104, 5, EXITED",
        "1, 104, 77, EXITED"
    })
    void whatConcernsUsIsRead(int group, int type, int reason, Fact fact) {
        RtcCallback callback = read(callback(group, type, EVENT + ",'Reason':" + reason));

        assertThat(callback)
                .isEqualTo(new RtcCallback(
                        type,
                        OptionalLong.of(1_664_209_748_188L),
                        Optional.of(new Report(fact, "r", "ann", 1_664_209_748_180L))));
    }

    @Test
    void anExitWithoutAReasonIsAnExit() {
        assertThat(read(callback(1, 104, EVENT)).report().orElseThrow().fact()).isEqualTo(Fact.EXITED);
    }

    @Test
    void theEndOfARoomIsAboutNoUser() {
        assertThat(read(callback(1, 102, "'RoomId':'r','EventMsTs':5")).report())
                .contains(new Report(Fact.ROOM_GONE, "r", "", 5));
        assertThat(read(callback(1, 102, EVENT)).report().orElseThrow().userId())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 103, 105, 201, 202, 205, 206, 1, 999, 300_000})
    @DisplayName("B45: an event of no interest, or of a type that nobody knows yet, is read and says nothing")
    void theRestSaysNothing(int type) {
        assertThat(read(callback(2, type, EVENT)).report()).isEmpty();
        assertThat(read("{'EventType':" + type + "}").report()).isEmpty();
        assertThat(read("{'EventType':" + type + ",'EventInfo':7}").report()).isEmpty();
    }

    @Test
    @DisplayName("B45: an event of another group is another event, whatever its number")
    void anotherGroupSaysNothing() {
        assertThat(read(callback(3, 203, EVENT)).report()).isEmpty();
    }

    @Test
    @DisplayName("B45: unknown fields are passed over, a room id may be a number, times may be in quotes")
    void whatIsNewOrOtherwiseIsTakenAsItIs() {
        assertThat(read("{'Later':{'a':[1,{}]},'EventType':203,'EventInfo':{'RoomId':8489,'EventMsTs':'7',"
                                + "'UserId':'ann','UniqueId':null,'Role':20,'Later':[]}}")
                        .report())
                .contains(new Report(Fact.AUDIO_STARTED, "8489", "ann", 7));
        assertThat(read(callback(2, 203, "'RoomId':4294967295,'EventTs':3,'UserId':'ann'"))
                        .report())
                .contains(new Report(Fact.AUDIO_STARTED, "4294967295", "ann", 3_000));
        assertThat(read("{'EventType':203,'EventInfo':{" + EVENT + "}}").sentAtMs())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "7",
                "'text'",
                "{",
                "{}",
                "{'EventType':'start'}",
                "{'EventType':203.5}",
                "{'EventType':203}",
                "{'EventType':104,'EventInfo':[]}",
                "{'EventType':203,'EventInfo':{'EventMsTs':7,'UserId':'ann'}}",
                "{'EventType':203,'EventInfo':{'RoomId':null,'EventMsTs':7,'UserId':'ann'}}",
                "{'EventType':203,'EventInfo':{'RoomId':{},'EventMsTs':7,'UserId':'ann'}}",
                "{'EventType':203,'EventInfo':{'RoomId':'r','UserId':'ann'}}",
                "{'EventType':203,'EventInfo':{'RoomId':'r','EventMsTs':0,'UserId':'ann'}}",
                "{'EventType':203,'EventInfo':{'RoomId':'r','EventMsTs':-7,'UserId':'ann'}}",
                "{'EventType':203,'EventInfo':{'RoomId':'r','EventMsTs':1e300,'UserId':'ann'}}",
                "{'EventType':203,'EventInfo':{'RoomId':'r','EventMsTs':7}}",
                "{'EventType':203,'EventInfo':{'RoomId':'r','EventMsTs':7,'UserId':''}}",
                "{'EventType':203,'EventInfo':{'RoomId':'r','EventMsTs':7,'UserId':9}}"
            })
    void whatIsNoCallbackIsToldApart(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(MalformedCallbackException.class);
    }

    @Test
    void aBodyMayBeAnythingAtAll() {
        assertThatThrownBy(() -> RtcCallback.read(Buffer.buffer(new byte[] {(byte) 0xc3, 0x28, 0, -1})))
                .isInstanceOf(MalformedCallbackException.class);
        assertThatThrownBy(() -> read("[".repeat(60_000))).isInstanceOf(MalformedCallbackException.class);
        assertThatThrownBy(() -> read("{'a':".repeat(10_000))).isInstanceOf(MalformedCallbackException.class);
    }

    @Test
    @DisplayName("CMD-5: one event is one command, whatever is sent for it and how often")
    void theSameEventHasTheSameId() {
        Report report = new Report(Fact.EXITED, "r", "ann", 7);
        String id = RtcIds.commandId(1400000000, 104, report);

        assertThat(id).matches("~rtc:[0-9a-f]{32}");
        assertThat(RtcIds.commandId(1400000000, 104, new Report(Fact.EXIT_SUSPECTED, "r", "ann", 7)))
                .isEqualTo(id);
        assertThat(RtcIds.commandId(1400000001, 104, report)).isNotEqualTo(id);
        assertThat(RtcIds.commandId(1400000000, 204, report)).isNotEqualTo(id);
        assertThat(RtcIds.commandId(1400000000, 104, new Report(Fact.EXITED, "r2", "ann", 7)))
                .isNotEqualTo(id);
        assertThat(RtcIds.commandId(1400000000, 104, new Report(Fact.EXITED, "r", "ben", 7)))
                .isNotEqualTo(id);
        assertThat(RtcIds.commandId(1400000000, 104, new Report(Fact.EXITED, "r", "ann", 8)))
                .isNotEqualTo(id);
    }

    @Test
    @DisplayName("SEC-2: who can't be a user of ours is known by the id")
    void theIdsOfUsersOfOurs() {
        assertThat(RtcIds.canBeOurs("")).isTrue();
        assertThat(RtcIds.canBeOurs("a".repeat(32))).isTrue();
        assertThat(RtcIds.canBeOurs("a".repeat(33))).isFalse();
        assertThat(RtcIds.canBeOurs("\u00e4")).isFalse();
        assertThat(RtcIds.canBeOurs("a\nb")).isFalse();
    }
}
