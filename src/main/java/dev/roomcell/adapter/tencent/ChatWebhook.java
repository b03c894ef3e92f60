package dev.roomcell.adapter.tencent;

import dev.roomcell.adapter.tencent.ChatGate.Outcome;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /tencent/im}: Tencent IM's callbacks. A message that somebody wants to send is answered within the deadline;
 * Tencent waits 2 s, asks once, and delivers what nobody has answered. Any other callback is answered as heard, so that
 * none stops what it is about.
 */
public final class ChatWebhook {
    private static final Logger log = LoggerFactory.getLogger(ChatWebhook.class);
    private static final String PATH = "/tencent/im";
    /** A message has 12 KB, and what is around it is short. */
    private static final int LONGEST_BODY = 64 * 1024;

    private static final String NOT_LOOKED_AT = "other";

    private final ChatGate gate;
    private final Settings settings;
    private final LongSupplier nowMs;
    private final WebhookMeter meter;

    /**
     * Whose callbacks, and what they get.
     *
     * @param sdkAppId the app at Tencent
     * @param token what makes a callback Tencent's
     * @param deliverUndecided whether a message is delivered that could not be judged in time
     */
    public record Settings(long sdkAppId, WebhookToken token, boolean deliverUndecided) {}

    /** What {@code gate} decides is the answer; {@code nowMs} is the time of day, epoch ms. */
    public ChatWebhook(ChatGate gate, Settings settings, LongSupplier nowMs, WebhookMeter meter) {
        this.gate = gate;
        this.settings = settings;
        this.nowMs = nowMs;
        this.meter = meter;
    }

    /** Answers one call. */
    public void handle(HttpServerRequest request) {
        WebhookMeter.Call call = meter.begun();
        if (!request.path().equals(PATH)) {
            refuse(request, 404, call, "unknown_path");
        } else if (!request.method().equals(HttpMethod.POST)) {
            refuse(request, 405, call, "not_a_post");
        } else if (!isTencents(request)) {
            refuse(request, 401, call, "not_signed");
        } else {
            new BoundedBody(request, LONGEST_BODY)
                    .read()
                    .onSuccess(body -> take(request, body, call))
                    .onFailure(failure -> refuse(request, 413, call, "too_long"));
        }
    }

    private boolean isTencents(HttpServerRequest request) {
        return Long.toString(settings.sdkAppId()).equals(request.getParam("SdkAppid", ""))
                && settings.token()
                        .admits(request.getParam("Sign", ""), request.getParam("RequestTime", ""), nowMs.getAsLong());
    }

    private void take(HttpServerRequest request, Buffer body, WebhookMeter.Call call) {
        if (!request.getParam("CallbackCommand", "").equals(ChatCallback.COMMAND)) {
            call.ended(NOT_LOOKED_AT);
            answer(request, 0, "");
            return;
        }
        ChatCallback.parse(body)
                .ifPresentOrElse(
                        message -> judge(request, message, call), () -> refuse(request, 400, call, "malformed"));
    }

    private void judge(HttpServerRequest request, ChatCallback message, WebhookMeter.Call call) {
        boolean byRest = request.getParam("OptPlatform", "").equals("RESTAPI");
        Future<Outcome> decided = gate.decide(message, byRest);
        decided.onSuccess(outcome -> {
                    call.ended(outcome.name().toLowerCase(Locale.ROOT));
                    int code = code(outcome);
                    answer(request, code, code == 0 ? "" : outcome.name());
                })
                .onFailure(fault -> {
                    log.error("a message was not judged", fault);
                    refuse(request, 500, call, "fault");
                });
    }

    /** 0 delivers; clients get one of 10100..10200 as the error of their sending, with its name. */
    private int code(Outcome outcome) {
        return switch (outcome) {
            case ALLOWED, OUR_OWN, OTHER_GROUP -> 0;
            case ROOM_CLOSED -> 10100;
            case BANNED -> 10101;
            case NOT_PRESENT -> 10102;
            case MUTED -> 10103;
            case CHAT_DISABLED -> 10104;
            case UNDECIDED -> settings.deliverUndecided() ? 0 : 10105;
        };
    }

    private static void answer(HttpServerRequest request, int code, String info) {
        end(
                request,
                200,
                new JsonObject()
                        .put("ActionStatus", "OK")
                        .put("ErrorInfo", info)
                        .put("ErrorCode", code));
    }

    private static void refuse(HttpServerRequest request, int status, WebhookMeter.Call call, String why) {
        call.ended(why);
        end(
                request,
                status,
                new JsonObject()
                        .put("ActionStatus", "FAIL")
                        .put("ErrorInfo", why)
                        .put("ErrorCode", 1));
    }

    private static void end(HttpServerRequest request, int status, JsonObject body) {
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end(body.encode())
                .onFailure(gone -> log.debug("a callback was not answered: {}", gone.toString()));
    }
}
