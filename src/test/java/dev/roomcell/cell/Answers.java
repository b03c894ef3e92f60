package dev.roomcell.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roomcell.domain.Rejection.Reason;
import io.vertx.core.Future;

/** What a test expects to be told. */
final class Answers {
    private Answers() {}

    /** It happened now, by this call. */
    static byte[] assertDone(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Done.class);
        Answer.Done done = (Answer.Done) answer;
        assertThat(done.replayed()).as("replayed").isFalse();
        return done.result();
    }

    static byte[] assertDone(Future<Answer> answer) {
        return assertDone(given(answer));
    }

    /** It had happened before: the first answer again. */
    static void assertReplayed(Answer answer, byte[] result) {
        assertThat(answer).isInstanceOf(Answer.Done.class);
        Answer.Done done = (Answer.Done) answer;
        assertThat(done.replayed()).as("replayed").isTrue();
        assertThat(done.result()).isEqualTo(result);
    }

    static void assertReplayed(Future<Answer> answer, byte[] result) {
        assertReplayed(given(answer), result);
    }

    static void assertRejected(Answer answer, Reason reason) {
        assertThat(answer).isInstanceOf(Answer.Rejected.class);
        assertThat(((Answer.Rejected) answer).rejection().reason()).isEqualTo(reason);
    }

    static void assertRejected(Future<Answer> answer, Reason reason) {
        assertRejected(given(answer), reason);
    }

    static void assertRefused(Answer answer, Answer.Refusal refusal) {
        assertThat(answer).isInstanceOf(Answer.Refused.class);
        assertThat(((Answer.Refused) answer).refusal()).isEqualTo(refusal);
    }

    static void assertRefused(Future<Answer> answer, Answer.Refusal refusal) {
        assertRefused(given(answer), refusal);
    }

    static void assertRefused(ReadAnswer answer, Answer.Refusal refusal) {
        assertThat(answer).isInstanceOf(ReadAnswer.Refused.class);
        assertRefused(((ReadAnswer.Refused) answer).refused(), refusal);
    }

    static void assertRejected(ReadAnswer answer, Reason reason) {
        assertThat(answer).isInstanceOf(ReadAnswer.Rejected.class);
        assertThat(((ReadAnswer.Rejected) answer).rejection().reason()).isEqualTo(reason);
    }

    static void assertWaiting(Future<Answer> answer) {
        assertThat(answer.isComplete()).as("answered: %s", answer).isFalse();
    }

    private static Answer given(Future<Answer> answer) {
        assertThat(answer.isComplete()).as("answered").isTrue();
        return answer.result();
    }
}
