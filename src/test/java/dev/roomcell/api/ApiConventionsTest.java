package dev.roomcell.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.roomcell.proto.room.v1.CommandMeta;
import dev.roomcell.proto.room.v1.CommandsProto;
import dev.roomcell.proto.room.v1.ErrorReason;
import dev.roomcell.proto.room.v1.FactEnvelope;
import dev.roomcell.proto.room.v1.GuardProto;
import dev.roomcell.proto.room.v1.QueriesProto;
import dev.roomcell.proto.room.v1.QueryMeta;
import dev.roomcell.proto.room.v1.ReplyMeta;
import dev.roomcell.proto.room.v1.RoomEventType;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What common.proto promises of every message, and what other documents promise of the API. */
class ApiConventionsTest {
    /** Neither logged nor deduplicated, so their answers have no stored result. */
    private static final Set<String> UNLOGGED = Set.of("RoomHeartbeat", "PublishRobotDisplay");

    /** Asks about no single room. */
    private static final Set<String> ROOMLESS = Set.of("ListRooms");

    static Stream<MethodDescriptor> methods() {
        return Stream.of(CommandsProto.getDescriptor(), QueriesProto.getDescriptor(), GuardProto.getDescriptor())
                .flatMap(file -> file.getServices().stream())
                .flatMap(service -> service.getMethods().stream());
    }

    static Stream<MethodDescriptor> loggedCommands() {
        return methods()
                .filter(method -> method.getService().getName().equals("RoomCommandService"))
                .filter(method -> !UNLOGGED.contains(method.getName()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void aRequestStartsWithMetaAndRoomIdAndKeepsItsOwnFieldsFrom10On(MethodDescriptor method) {
        Descriptor request = method.getInputType();
        boolean command = method.getService().getName().equals("RoomCommandService");

        assertThat(request.getName()).isEqualTo(method.getName() + "Request");
        assertThat(method.getOutputType().getName()).isEqualTo(method.getName() + "Response");
        assertThat(namesAndTypes(request))
                .containsEntry(
                        1, "meta " + (command ? CommandMeta.getDescriptor() : QueryMeta.getDescriptor()).getFullName());
        if (!ROOMLESS.contains(method.getName())) {
            assertThat(namesAndTypes(request)).containsEntry(2, "room_id STRING");
        }
        assertThat(request.getFields())
                .filteredOn(field -> field.getNumber() > 2)
                .allSatisfy(field -> assertThat(field.getNumber()).isGreaterThanOrEqualTo(10));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("loggedCommands")
    void aCommandIsAnsweredWithAResultThatNamesTheVersionAndWithMeta(MethodDescriptor method) {
        String result = "room.v1." + method.getName() + "Result";

        assertThat(namesAndTypes(method.getOutputType()))
                .isEqualTo(Map.of(
                        1,
                        "result " + result,
                        2,
                        "meta " + ReplyMeta.getDescriptor().getFullName()));
        Descriptor resultType = method.getOutputType().findFieldByNumber(1).getMessageType();
        assertThat(namesAndTypes(resultType)).containsEntry(1, "room_version INT64");
    }

    @Test
    void whatIsNotACommandSaysTheServersTime() {
        assertThat(methods())
                .filteredOn(method -> !method.getService().getName().equals("RoomCommandService")
                        || UNLOGGED.contains(method.getName()))
                .isNotEmpty()
                .allSatisfy(method ->
                        assertThat(namesAndTypes(method.getOutputType())).containsEntry(2, "server_time_ms INT64"));
    }

    @Test
    void everyEnumStartsWithItsUnspecifiedValueAndPrefixesItsNames() {
        assertThat(enums()).isNotEmpty().allSatisfy(type -> {
            String prefix = upperSnake(type.getName()) + "_";
            assertThat(type.getValues().get(0).getNumber()).isZero();
            assertThat(type.getValues().get(0).getName()).isEqualTo(prefix + "UNSPECIFIED");
            assertThat(type.getValues())
                    .allSatisfy(value -> assertThat(value.getName()).startsWith(prefix));
        });
    }

    @Test
    void timesSpansAndMoneyHave64Bits() {
        assertThat(messages().flatMap(message -> message.getFields().stream()))
                .filteredOn(field -> field.getName().matches("(?!schema_).*(_ms|_coins|_version)|coin_.*"))
                .isNotEmpty()
                .allSatisfy(field -> assertThat(field.getType()).isEqualTo(FieldDescriptor.Type.INT64));
    }

    @Test
    void aPayloadsFieldNumberIs100PlusTheNumberOfItsTypeAndTheirNamesAgree() {
        Map<Integer, String> payloads = new TreeMap<>();
        Map<Integer, String> types = new TreeMap<>();
        for (FieldDescriptor field :
                FactEnvelope.getDescriptor().getOneofs().get(0).getFields()) {
            payloads.put(field.getNumber(), field.getName());
            assertThat(upperSnake(field.getMessageType().getName()).toLowerCase(Locale.ROOT))
                    .isEqualTo(field.getName());
        }
        Arrays.stream(RoomEventType.values())
                .filter(type -> type != RoomEventType.UNRECOGNIZED && type.getNumber() != 0)
                .forEach(type -> types.put(
                        100 + type.getNumber(),
                        type.name().substring("ROOM_EVENT_TYPE_".length()).toLowerCase(Locale.ROOT)));

        assertThat(payloads).isEqualTo(types);
    }

    @Test
    void everyEventOfBothLanesHasAType() {
        assertThat(RoomEventType.getDescriptor().getValues())
                .extracting(value -> value.getName().substring("ROOM_EVENT_TYPE_".length()))
                .containsExactlyInAnyOrder(upperSnakes("Unspecified RoomCreated RoomClosed RoomUserJoined RoomUserLeft"
                        + " RoomMicChanged RoomMicSeatLocked RoomUserKicked RoomUserMuted RoomUserUnbanned"
                        + " RoomChatEnabledChanged RoomAdminChanged RoomProfileUpdated RoomBackgroundChanged"
                        + " RoomGiftSent RoomHeatChanged RoomRankChanged RoomRocketFuelChanged RoomRocketIgnited"
                        + " RoomRocketLaunched"));
    }

    @Test
    void theReasonsAreThoseOfTheErrorTable() {
        String table = "UNSPECIFIED ROOM_NOT_FOUND ROOM_CLOSED ROOM_EXISTS ROOM_CREATING ROOM_FULL NOT_PRESENT BANNED"
                + " SEAT_NOT_FOUND SEAT_LOCKED SEAT_OCCUPIED ALREADY_ON_SEAT NOT_ON_SEAT MIC_SESSION_STALE NEED_OWNER"
                + " NEED_ADMIN TARGET_PROTECTED MUTED CHAT_DISABLED LIMIT_REACHED INSUFFICIENT_BALANCE GIFT_UNAVAILABLE GIFT_VOIDED"
                + " RECEIVER_GONE REWARD_IN_PROGRESS COMMAND_ID_CONFLICT COMMAND_TOO_OLD INVALID_FIELD UNAUTHENTICATED"
                + " APP_NOT_ALLOWED NOT_OWNER OWNER_UNREACHABLE FENCED LEASE_LOST DRAINING LOADING OVERLOADED"
                + " STORE_UNAVAILABLE OUTCOME_UNKNOWN INTERNAL";

        assertThat(ErrorReason.getDescriptor().getValues())
                .extracting(value -> value.getName().substring("ERROR_REASON_".length()))
                .containsExactlyInAnyOrder(table.split(" "));
    }

    /** LANE-4. */
    @Test
    void onlyTheSendersAnswerHasABalance() {
        assertThat(messages())
                .filteredOn(message -> message.getFields().stream()
                        .anyMatch(field -> field.getName().contains("balance")))
                .extracting(Descriptor::getName)
                .containsExactly("SendGiftResult");
    }

    @Test
    void everyFileGeneratesIntoTheOnePackageOneTypeAFile() {
        FileDescriptorSet api = CommittedApi.compiled();

        assertThat(api.getFileList()).isNotEmpty().allSatisfy(file -> {
            assertThat(file.getOptions().getJavaPackage()).isEqualTo("dev.roomcell.proto.room.v1");
            assertThat(file.getOptions().getJavaMultipleFiles()).isTrue();
        });
    }

    private static Map<Integer, String> namesAndTypes(Descriptor message) {
        Map<Integer, String> fields = new TreeMap<>();
        for (FieldDescriptor field : message.getFields()) {
            String type = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    ? field.getMessageType().getFullName()
                    : field.getType().name();
            fields.put(field.getNumber(), field.getName() + " " + type);
        }
        return fields;
    }

    private static Stream<Descriptor> messages() {
        return CommittedApi.files().stream().flatMap(file -> file.getMessageTypes().stream());
    }

    private static Stream<EnumDescriptor> enums() {
        return Stream.concat(
                CommittedApi.files().stream().flatMap(file -> file.getEnumTypes().stream()),
                messages().flatMap(message -> message.getEnumTypes().stream()));
    }

    private static String[] upperSnakes(String names) {
        return Arrays.stream(names.split(" "))
                .map(ApiConventionsTest::upperSnake)
                .toArray(String[]::new);
    }

    private static String upperSnake(String camel) {
        return camel.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }
}
