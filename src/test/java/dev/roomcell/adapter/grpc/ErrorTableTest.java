package dev.roomcell.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.cell.Answer;
import dev.roomcell.domain.Rejection;
import dev.roomcell.port.Peer;
import dev.roomcell.proto.room.v1.RetryHint;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of errors, held against the comments of the API that callers read. */
final class ErrorTableTest {
    private static final Path DOCUMENTED = Path.of("proto/room/v1/errors.proto");

    /** The status in the comment of a reason: {@code // STATUS, RETRY. Text …}, over one or more lines. */
    private static GrpcStatus documented(String reason) throws IOException {
        Pattern comment = Pattern.compile(
                "// ([A-Z_]+), [A-Z_]+\\.[^\\n]*\\n(?: *//[^\\n]*\\n)* *ERROR_REASON_" + reason + " = ");
        Matcher found = comment.matcher(Files.readString(DOCUMENTED));
        assertThat(found.find()).as("a documented reason " + reason).isTrue();
        return GrpcStatus.valueOf(found.group(1));
    }

    @ParameterizedTest
    @EnumSource
    void everyRejectionHasTheStatusAndReasonOfTheApi(Rejection.Reason reason) throws IOException {
        ApiError error = ErrorTable.of(new Rejection(reason, "because"));
        assertThat(error.reason()).isEqualTo(reason.name());
        assertThat(error.status()).isEqualTo(documented(reason.name()));
        assertThat(error.message()).isEqualTo("because");
    }

    @ParameterizedTest
    @EnumSource
    void everyRefusalHasTheStatusAndReasonOfTheApi(Answer.Refusal refusal) throws IOException {
        Peer owner = new Peer("node", "host:1");
        ApiError error = ErrorTable.of(new Answer.Refused(refusal, "because", Optional.of(owner)));
        assertThat(error.reason()).isEqualTo(refusal.name());
        assertThat(error.status()).isEqualTo(documented(refusal.name()));
        assertThat(error.owner()).contains(owner);
    }

    /** CMD-8. */
    @ParameterizedTest
    @EnumSource(
            names = {"COMMAND_ID_CONFLICT", "INTERNAL"},
            mode = EnumSource.Mode.EXCLUDE)
    void whatPromisesNoEffectAndWhatIsUnknownIsRetried(Answer.Refusal refusal) {
        RetryHint retry = ErrorTable.of(Answer.Refused.of(refusal, "because")).retry();
        assertThat(retry.getKind()).isIn(RetryHint.Kind.KIND_SAME_COMMAND_ID, RetryHint.Kind.KIND_AFTER);
    }
}
