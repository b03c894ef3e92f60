package dev.roomcell.adapter.tencent;

import dev.roomcell.adapter.tencent.ErrorRule.Remedy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call until its end: what {@link ErrorRule} says about an error is done, and what has no answer is tried again, as
 * its body stays the same and Tencent knows a message by its Random (B113). All within one deadline.
 */
final class ImCall {
    private static final Logger log = LoggerFactory.getLogger(ImCall.class);
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LONGEST_PAUSE_MS = 1_000;

    private final Vertx vertx;
    private final ImAccess access;
    private final ImPost post;
    private final ImCommand command;
    private final JsonObject body;
    private final Buffer bytes;
    private final boolean givesWay;
    private final long timeoutMs;
    private final long deadlineMs;
    private final Promise<JsonObject> outcome = Promise.promise();
    private ImException last;
    private long pauseMs = FIRST_PAUSE_MS;
    private boolean refreshed;
    private boolean imported;
    private int attempts;

    /**
     * A call that has not begun.
     *
     * @param bytes the body, encoded
     * @param givesWay whether it comes to nothing, instead of waiting, when its group has too many messages
     * @param timeoutMs for all attempts together, ms
     */
    ImCall(
            Vertx vertx,
            ImAccess access,
            ImPost post,
            ImCommand command,
            JsonObject body,
            Buffer bytes,
            boolean givesWay,
            long timeoutMs) {
        this.vertx = vertx;
        this.access = access;
        this.post = post;
        this.command = command;
        this.body = body;
        this.bytes = bytes;
        this.givesWay = givesWay;
        this.timeoutMs = timeoutMs;
        this.deadlineMs = access.monotonicMs().getAsLong() + timeoutMs;
        this.last = ImException.unknown(command, "no answer in time");
    }

    /** The answer, once it is no error; else fails with {@link ImException}, at the deadline at the latest. */
    Future<JsonObject> run() {
        long deadline = vertx.setTimer(Math.max(1, timeoutMs), late -> outcome.tryFail(last));
        attempt();
        return outcome.future().onComplete(over -> vertx.cancelTimer(deadline));
    }

    private boolean isOver() {
        return outcome.future().isComplete();
    }

    private void attempt() {
        if (isOver()) {
            return;
        }
        if (!access.circuit().admit()) {
            outcome.tryFail(ImException.notCalled(command));
            return;
        }
        if (attempts > 0 && command == ImCommand.SEND_GROUP_MSG) {
            // The first was counted by whoever sends it.
            access.share().limits().ofAllRooms().spend(access.monotonicMs().getAsLong());
        }
        attempts++;
        String sig = access.sig().get();
        post.post(path(sig), bytes, attemptMs()).onComplete(answer -> judge(sig, answer), this::lost);
    }

    /** One that is not answered leaves time for another. */
    private long attemptMs() {
        long leftMs = deadlineMs - access.monotonicMs().getAsLong();
        return Math.max(1, Math.min(leftMs, timeoutMs / 2));
    }

    private String path(String sig) {
        TencentSettings settings = access.settings();
        return "v4/" + command.path() + "?sdkappid=" + settings.sdkAppId() + "&identifier="
                + URLEncoder.encode(settings.identifier(), StandardCharsets.UTF_8) + "&usersig=" + sig + "&random="
                + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE) + "&contenttype=json";
    }

    private void lost(Throwable why) {
        access.meter().lost(command);
        access.circuit().lost();
        last = ImException.unknown(command, why.toString());
        access.health().failed(String.valueOf(last.getMessage()));
        again(0);
    }

    private void judge(String sig, JsonObject answer) {
        if (!(answer.getValue("ErrorCode") instanceof Integer code)) {
            lost(new IllegalStateException("an answer without an ErrorCode"));
            return;
        }
        access.meter().answered(command, code);
        if (code == ErrorRule.NO_ERROR) {
            access.circuit().answered();
            access.health().well();
            outcome.tryComplete(answer);
            return;
        }
        last = ImException.refused(command, code, answer.getString("ErrorInfo", ""));
        ErrorRule rule = ErrorRule.of(code);
        if (rule.remedy() == Remedy.OPEN_CIRCUIT) {
            access.circuit().open(rule.pauseMs());
            access.health().refusesAll(String.valueOf(last.getMessage()));
            log.error("no calls of Tencent IM for {} ms: {}", rule.pauseMs(), last.getMessage());
        } else {
            access.circuit().answered();
        }
        remedy(rule, sig);
    }

    private void remedy(ErrorRule rule, String sig) {
        switch (rule.remedy()) {
            case RETRY -> {
                access.health().failed(String.valueOf(last.getMessage()));
                if (givesWay && rule.firstCode() == ErrorRule.TOO_MANY_IN_GROUP) {
                    outcome.tryFail(last);
                } else {
                    again(rule.pauseMs());
                }
            }
            case REFRESH -> {
                access.sig().expired(sig);
                if (refreshed) {
                    outcome.tryFail(last);
                } else {
                    refreshed = true;
                    attempt();
                }
            }
            case IMPORT -> {
                if (imported || command == ImCommand.ACCOUNT_IMPORT) {
                    outcome.tryFail(last);
                } else {
                    imported = true;
                    importAccount();
                }
            }
            case DROP, OPEN_CIRCUIT -> outcome.tryFail(last);
        }
    }

    private void again(long atLeastMs) {
        long waitMs = Math.max(atLeastMs, pauseMs);
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
        if (access.monotonicMs().getAsLong() + waitMs >= deadlineMs) {
            outcome.tryFail(last);
            return;
        }
        log.debug("again in {} ms: {}", waitMs, last.getMessage());
        vertx.setTimer(waitMs, over -> attempt());
    }

    /** The account that nothing is known of: who is to be silent, or is told, or who sends, or who is to own the group. */
    private String unknownAccount() {
        JsonArray members = body.getJsonArray("Members_Account", new JsonArray());
        if (!members.isEmpty()) {
            return members.getString(0);
        }
        return body.getString(
                "To_Account", body.getString("From_Account", access.settings().identifier()));
    }

    private void importAccount() {
        JsonObject account = new JsonObject().put("UserID", unknownAccount());
        long leftMs = Math.max(1, deadlineMs - access.monotonicMs().getAsLong());
        new ImCall(vertx, access, post, ImCommand.ACCOUNT_IMPORT, account, account.toBuffer(), false, leftMs)
                .run()
                .onComplete(done -> attempt(), outcome::tryFail);
    }
}
