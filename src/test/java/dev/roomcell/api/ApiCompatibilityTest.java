package dev.roomcell.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ApiCompatibilityTest {
    private static final FileDescriptorSet NOW = CommittedApi.compiled();

    /** With {@code -Dapi.accept=true} additions are taken into the committed set. */
    @Test
    void theCompiledApiIsTheCommittedOne() throws IOException {
        CommittedApi.ROOM_V1.check(NOW, Boolean.getBoolean("api.accept"));

        assertThat(CommittedApi.ROOM_V1.read()).isEqualTo(NOW);
    }

    @Test
    void everyFileOfTheFolderIsGuarded() throws IOException {
        try (Stream<Path> files = Files.list(CommittedApi.inProject("proto/room/v1"))) {
            List<String> inFolder =
                    files.map(file -> "room/v1/" + file.getFileName()).sorted().toList();

            assertThat(NOW.getFileList())
                    .extracting(FileDescriptorProto::getName)
                    .isEqualTo(inFolder);
        }
    }

    static Stream<Arguments> brokenPromises() {
        return Stream.of(
                broken(
                        "field room.v1.CommandMeta.command_id = 2 is missing",
                        message("CommandMeta", it -> it.removeField(1))),
                broken(
                        "field room.v1.CommandMeta.command_id = 2 is missing",
                        field("CommandMeta", 1, it -> it.setNumber(99))),
                broken(
                        "field room.v1.CommandMeta.command_id = 2: name changed from command_id to id",
                        field("CommandMeta", 1, it -> it.setName("id"))),
                broken(
                        "field room.v1.CommandMeta.sent_at_ms = 4: type changed from TYPE_INT64 to TYPE_INT32",
                        field("CommandMeta", 3, it -> it.setType(FieldDescriptorProto.Type.TYPE_INT32))),
                broken(
                        "field room.v1.MicSeat.status = 2: type changed from TYPE_ENUM.room.v1.MicSeatStatus to"
                                + " TYPE_ENUM.room.v1.RoomStatus",
                        field("MicSeat", 1, it -> it.setTypeName(".room.v1.RoomStatus"))),
                broken(
                        "field room.v1.SendGiftRequest.receiver_user_ids = 12: label changed from LABEL_REPEATED to"
                                + " LABEL_OPTIONAL",
                        field("SendGiftRequest", 4, it -> it.setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL))),
                broken(
                        "field room.v1.SetChatEnabledRequest.enabled = 10: presence changed from true to false",
                        field(
                                "SetChatEnabledRequest",
                                2,
                                it -> it.clearProto3Optional().clearOneofIndex())),
                broken(
                        "field room.v1.FactEnvelope.room_created = 101: oneof changed from payload to ",
                        field("FactEnvelope", 10, FieldDescriptorProto.Builder::clearOneofIndex)),
                broken(
                        "field room.v1.RetryHint.kind = 1: type changed from TYPE_ENUM.room.v1.RetryHint.Kind to"
                                + " TYPE_INT32",
                        field(
                                "RetryHint",
                                0,
                                it -> it.setType(FieldDescriptorProto.Type.TYPE_INT32)
                                        .clearTypeName())),
                broken(
                        "message room.v1.ListRoomsRequest: number 2 is no longer reserved",
                        message("ListRoomsRequest", DescriptorProto.Builder::clearReservedRange)),
                broken("message room.v1.ReplyMeta is missing", message("ReplyMeta", it -> it.setName("Meta"))),
                broken(
                        "enum room.v1.RetryHint.Kind is missing",
                        message("RetryHint", DescriptorProto.Builder::clearEnumType)),
                broken(
                        "enum value room.v1.RoomStatus.ROOM_STATUS_CLOSED is missing",
                        enumType("RoomStatus", it -> it.removeValue(4))),
                broken(
                        "enum value room.v1.RoomStatus.ROOM_STATUS_CLOSED: number changed from 4 to 5",
                        enumType("RoomStatus", it -> it.getValueBuilder(4).setNumber(5))),
                broken(
                        "service room.v1.RoomGuardService is missing",
                        service("RoomGuardService", it -> it.setName("RoomGateService"))),
                broken(
                        "method room.v1.RoomGuardService/CheckPresence is missing",
                        service("RoomGuardService", it -> it.removeMethod(1))),
                broken(
                        "method room.v1.RoomGuardService/CheckPresence is missing",
                        method(it -> it.setName("IsPresent"))),
                broken(
                        "method room.v1.RoomGuardService/CheckPresence: request changed from"
                                + " .room.v1.CheckPresenceRequest to .room.v1.CheckSpeakRequest",
                        method(it -> it.setInputType(".room.v1.CheckSpeakRequest"))),
                broken(
                        "method room.v1.RoomGuardService/CheckPresence: response changed from"
                                + " .room.v1.CheckPresenceResponse to .room.v1.CheckSpeakResponse",
                        method(it -> it.setOutputType(".room.v1.CheckSpeakResponse"))),
                broken(
                        "method room.v1.RoomGuardService/CheckPresence: client streaming changed from false to true",
                        method(it -> it.setClientStreaming(true))),
                broken(
                        "method room.v1.RoomGuardService/CheckPresence: server streaming changed from false to true",
                        method(it -> it.setServerStreaming(true))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenPromises")
    void aBrokenPromiseIsNamed(String complaint, FileDescriptorSet broken) {
        assertThat(ApiCompatibility.breaks(NOW, broken)).contains(complaint);
    }

    @Test
    void whatIsAddedOrMovedToAnotherFileBreaksNothing() {
        FileDescriptorSet.Builder grown = NOW.toBuilder();
        grown.addFileBuilder()
                .setName("room/v1/more.proto")
                .setPackage("room.v1")
                .setOptions(NOW.getFile(0).getOptions())
                .addMessageType(DescriptorProto.newBuilder().setName("More"));
        FileDescriptorProto.Builder common = file(grown, "room/v1/common.proto");
        DescriptorProto moved = common.getMessageType(0);
        common.removeMessageType(0);
        file(grown, "room/v1/errors.proto").addMessageType(moved.toBuilder().addField(newField()));
        file(grown, "room/v1/guard.proto").getServiceBuilder(0).addMethod(newMethod());

        assertThat(ApiCompatibility.breaks(NOW, grown.build())).isEmpty();
        assertThat(ApiCompatibility.breaks(grown.build(), NOW))
                .containsExactlyInAnyOrder(
                        "message room.v1.More is missing",
                        "field room.v1." + moved.getName() + ".more = 500 is missing",
                        "method room.v1.RoomGuardService/More is missing");
    }

    @Test
    void anAdditionIsRefusedUntilItIsAccepted(@TempDir Path folder) throws IOException {
        CommittedApi committed = new CommittedApi(folder.resolve("api.desc"));
        FileDescriptorSet smaller = message("ReplyMeta", it -> it.removeField(1));
        committed.check(smaller, true);

        assertThatThrownBy(() -> committed.check(NOW, false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("field room.v1.ReplyMeta.server_time_ms = 2 is missing")
                .hasMessageContaining(CommittedApi.ACCEPT);
        assertThat(committed.read()).isEqualTo(smaller);

        committed.check(NOW, true);
        assertThat(committed.read()).isEqualTo(NOW);
        committed.check(NOW, false);
    }

    @Test
    void aBreakIsRefusedEvenWhenAccepting(@TempDir Path folder) throws IOException {
        CommittedApi committed = new CommittedApi(folder.resolve("api.desc"));
        committed.check(NOW, true);
        FileDescriptorSet broken = message("ReplyMeta", it -> it.removeField(1));

        assertThatThrownBy(() -> committed.check(broken, true))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("field room.v1.ReplyMeta.server_time_ms = 2 is missing");
        assertThat(committed.read()).isEqualTo(NOW);
    }

    private static Arguments broken(String complaint, FileDescriptorSet broken) {
        return Arguments.of(complaint, broken);
    }

    private static FileDescriptorSet message(String name, Consumer<DescriptorProto.Builder> change) {
        FileDescriptorSet.Builder set = NOW.toBuilder();
        change.accept(set.getFileBuilderList().stream()
                .flatMap(file -> file.getMessageTypeBuilderList().stream())
                .filter(message -> message.getName().equals(name))
                .findFirst()
                .orElseThrow());
        return set.build();
    }

    private static FileDescriptorSet field(String message, int index, Consumer<FieldDescriptorProto.Builder> change) {
        return message(message, it -> change.accept(it.getFieldBuilder(index)));
    }

    private static FileDescriptorSet enumType(String name, Consumer<EnumDescriptorProto.Builder> change) {
        FileDescriptorSet.Builder set = NOW.toBuilder();
        change.accept(set.getFileBuilderList().stream()
                .flatMap(file -> file.getEnumTypeBuilderList().stream())
                .filter(type -> type.getName().equals(name))
                .findFirst()
                .orElseThrow());
        return set.build();
    }

    private static FileDescriptorSet service(String name, Consumer<ServiceDescriptorProto.Builder> change) {
        FileDescriptorSet.Builder set = NOW.toBuilder();
        change.accept(set.getFileBuilderList().stream()
                .flatMap(file -> file.getServiceBuilderList().stream())
                .filter(service -> service.getName().equals(name))
                .findFirst()
                .orElseThrow());
        return set.build();
    }

    /** With RoomGuardService's second method, CheckPresence, changed. */
    private static FileDescriptorSet method(Consumer<MethodDescriptorProto.Builder> change) {
        return service("RoomGuardService", it -> change.accept(it.getMethodBuilder(1)));
    }

    private static FileDescriptorProto.Builder file(FileDescriptorSet.Builder set, String name) {
        return set.getFileBuilderList().stream()
                .filter(file -> file.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static FieldDescriptorProto.Builder newField() {
        return FieldDescriptorProto.newBuilder()
                .setName("more")
                .setNumber(500)
                .setType(FieldDescriptorProto.Type.TYPE_STRING)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
    }

    private static MethodDescriptorProto.Builder newMethod() {
        return MethodDescriptorProto.newBuilder()
                .setName("More")
                .setInputType(".room.v1.CheckSpeakRequest")
                .setOutputType(".room.v1.CheckSpeakResponse");
    }
}
