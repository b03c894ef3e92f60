package dev.roomcell.dev.rtc;

import dev.roomcell.dev.CallRate;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tencent RTC on loopback, for development and tests. Nothing is heard there: users start and stop to speak when somebody
 * says so, and the nodes are told.
 *
 * <ul>
 *   <li>{@code POST /}: TRTC's API, RemoveUserByStrRoomId and DismissRoomByStrRoomId; who is removed, leaves, and the nodes
 *       are told of that too
 *   <li>{@code POST /rooms/ROOM/events?type=203&user=USER&reason=0&at=MS}: something happens in an RTC room; answered when
 *       a node has taken the callback, with 200 and all sendings, or with 502
 *   <li>{@code POST /faults?seed=1&copies=3&latest_ms=500&loss_percent=10}: how callbacks go wrong from now on; what is not
 *       given is as it should be
 *   <li>{@code POST /faults/api?code=InternalError&calls=3&slow_ms=0}: how the next calls of the API go wrong
 *   <li>{@code GET /rooms/ROOM}: who is in an RTC room, and who was removed from it
 * </ul>
 */
public final class RtcSimulator extends VerticleBase {
    private static final Logger log = LoggerFactory.getLogger(RtcSimulator.class);
    private static final int CALLS_PER_SECOND = 20;

    private final int port;
    private final RtcApp app;
    private final CallbackSender sender;
    private final RtcRooms rooms = new RtcRooms();
    private final CloudFaults faults = new CloudFaults();
    private final CallRate lately = new CallRate(CALLS_PER_SECOND);
    private @Nullable HttpServer server;

    private RtcSimulator(Vertx vertx, int port, RtcApp app, CallbackSender.Retries retries) {
        this.port = port;
        this.app = app;
        this.sender = new CallbackSender(vertx, app, System::currentTimeMillis, retries);
    }

    /** Starts a simulator on loopback; it ends with {@code vertx}. Port 0 takes a free one. */
    public static Future<RtcSimulator> start(Vertx vertx, int port, RtcApp app, CallbackSender.Retries retries) {
        RtcSimulator simulator = new RtcSimulator(vertx, port, app, retries);
        return vertx.deployVerticle(simulator).map(simulator);
    }

    /** Where it is, without a slash at the end. */
    public String url() {
        return "http://127.0.0.1:" + Objects.requireNonNull(server).actualPort();
    }

    /** What a node needs to know of it; its own port for callbacks is a free one. */
    public Map<String, String> environment() {
        return Map.of(
                "ROOM_RTC_PORT", "0",
                "ROOM_RTC_SDK_APP_ID", Integer.toString(app.sdkAppId()),
                "ROOM_RTC_CALLBACK_KEY", app.callbackKey(),
                "ROOM_RTC_ENDPOINT", url(),
                "ROOM_RTC_SECRET_ID", app.secretId(),
                "ROOM_RTC_SECRET_KEY", app.secretKey());
    }

    /** Sends the callbacks. */
    public CallbackSender sender() {
        return sender;
    }

    /** Who is where. */
    public RtcRooms rooms() {
        return rooms;
    }

    /** What goes wrong with calls of the API. */
    public CloudFaults faults() {
        return faults;
    }

    /** The app. */
    public RtcApp app() {
        return app;
    }

    /** Something happens in an RTC room; all sendings of its callback, when there are no more. Never fails. */
    public Future<List<CallbackSender.Sent>> happen(RtcEvent event) {
        rooms.happened(event);
        return sender.send(event);
    }

    @Override
    public Future<?> start() {
        return vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(port, "127.0.0.1")
                .onSuccess(listening -> server = listening);
    }

    @Override
    public Future<?> stop() {
        return sender.close();
    }

    private void handle(HttpServerRequest request) {
        List<String> path = List.of(request.path().substring(1).split("/", -1));
        boolean post = HttpMethod.POST.equals(request.method());
        if (post && request.path().equals("/")) {
            request.body()
                    .onSuccess(body -> call(request, body))
                    .onFailure(lost -> log.debug("a call was not sent to its end: {}", lost.toString()));
        } else if (post
                && path.size() == 3
                && path.get(0).equals("rooms")
                && path.get(2).equals("events")) {
            event(request, path.get(1));
        } else if (post && request.path().equals("/faults")) {
            sender.fail(new RtcFaults(
                    number(request, "seed", 0),
                    number(request, "copies", 1),
                    number(request, "latest_ms", 0),
                    number(request, "loss_percent", 0)));
            answer(request, 200, new JsonObject());
        } else if (post && request.path().equals("/faults/api")) {
            faults.fail(request.getParam("code", ""), number(request, "calls", 0));
            faults.slow(number(request, "slow_ms", 0));
            answer(request, 200, new JsonObject());
        } else if (!post && path.size() == 2 && path.get(0).equals("rooms")) {
            answer(request, 200, room(path.get(1)));
        } else {
            answer(
                    request,
                    404,
                    new JsonObject().put("there_are", "/, /rooms/ROOM, /rooms/ROOM/events, /faults and /faults/api"));
        }
    }

    private static int number(HttpServerRequest request, String name, int byDefault) {
        String given = request.getParam(name, "");
        return given.matches("[0-9]{1,6}") ? Integer.parseInt(given) : byDefault;
    }

    private JsonObject room(String roomId) {
        JsonArray removals = new JsonArray();
        rooms.removals(roomId)
                .forEach(removal -> removals.add(new JsonObject()
                        .put("user", removal.userId())
                        .put("was_there", removal.wasThere())
                        .put("at_ms", removal.atMs())));
        return new JsonObject().put("users", new JsonArray(rooms.users(roomId))).put("removals", removals);
    }

    private void event(HttpServerRequest request, String roomId) {
        String type = request.getParam("type", "");
        String at = request.getParam("at", Long.toString(System.currentTimeMillis()));
        String reason = request.getParam("reason", "0");
        if (!type.matches("[0-9]{3}") || !at.matches("[0-9]{1,15}") || !reason.matches("[0-9]{1,3}")) {
            answer(request, 400, new JsonObject().put("wanted", "type, user, and perhaps reason and at"));
            return;
        }
        happen(new RtcEvent(
                        Integer.parseInt(type),
                        roomId,
                        request.getParam("user", ""),
                        Long.parseLong(at),
                        Integer.parseInt(reason)))
                .onSuccess(sent -> answer(
                        request,
                        sent.stream().anyMatch(CallbackSender.Sent::isTaken) ? 200 : 502,
                        new JsonObject()
                                .put(
                                        "statuses",
                                        new JsonArray(sent.stream()
                                                .map(CallbackSender.Sent::status)
                                                .toList()))))
                .onFailure(fault -> answer(request, 500, new JsonObject().put("fault", fault.toString())));
    }

    private void call(HttpServerRequest request, Buffer body) {
        long nowMs = System.currentTimeMillis();
        Optional<String> trouble = faults.take();
        Optional<String> refused = CloudCall.refusal(app, request.headers(), body, nowMs);
        if (trouble.filter(String::isEmpty).isPresent()) {
            log.debug("a call is not answered");
        } else if (refused.isPresent() || trouble.isPresent()) {
            fail(request, refused.or(() -> trouble).orElseThrow());
        } else if (!lately.admit(nowMs)) {
            fail(request, "RequestLimitExceeded");
        } else {
            act(request, body, nowMs);
        }
    }

    private void act(HttpServerRequest request, Buffer body, long nowMs) {
        try {
            JsonObject asked = new JsonObject(body);
            if (asked.getInteger("SdkAppId", 0) != app.sdkAppId()) {
                fail(request, "InvalidParameter.SdkAppId");
                return;
            }
            Optional<String> error = switch (String.valueOf(request.getHeader("x-tc-action"))) {
                case "RemoveUserByStrRoomId" -> removeUsers(asked, nowMs);
                case "DismissRoomByStrRoomId" -> dismiss(asked.getString("RoomId", ""), nowMs);
                default -> Optional.of("InvalidAction");
            };
            error.ifPresentOrElse(code -> fail(request, code), () -> respond(request, new JsonObject()));
        } catch (DecodeException | ClassCastException wrong) {
            fail(request, "InvalidParameter");
        }
    }

    private Optional<String> removeUsers(JsonObject asked, long nowMs) {
        String roomId = asked.getString("RoomId", "");
        boolean roomThere = rooms.exists(roomId);
        boolean anybody = false;
        for (Object user : asked.getJsonArray("UserIds", new JsonArray())) {
            if (rooms.remove(roomId, user.toString(), nowMs)) {
                anybody = true;
                tell(new RtcEvent(RtcEvent.EXITED, roomId, user.toString(), nowMs, RtcEvent.REMOVED));
            }
        }
        if (anybody) {
            return Optional.empty();
        }
        return Optional.of(roomThere ? "FailedOperation.UserNotExist" : "FailedOperation.RoomNotExist");
    }

    private Optional<String> dismiss(String roomId, long nowMs) {
        if (!rooms.dismiss(roomId, nowMs)) {
            return Optional.of("FailedOperation.RoomNotExist");
        }
        tell(new RtcEvent(RtcEvent.ROOM_DISMISSED, roomId, "", nowMs, 0));
        return Optional.empty();
    }

    private void tell(RtcEvent event) {
        sender.send(event)
                .onSuccess(sent -> log.debug("{}: {}", event, sent))
                .onFailure(fault -> log.warn("{} is not told: {}", event, fault.toString()));
    }

    private void fail(HttpServerRequest request, String code) {
        respond(
                request,
                new JsonObject().put("Error", new JsonObject().put("Code", code).put("Message", "simulated")));
    }

    private void respond(HttpServerRequest request, JsonObject response) {
        JsonObject body = new JsonObject().put("Response", response.put("RequestId", "simulated"));
        long slownessMs = faults.slownessMs();
        if (slownessMs > 0) {
            vertx.setTimer(slownessMs, late -> answer(request, 200, body));
        } else {
            answer(request, 200, body);
        }
    }

    private static void answer(HttpServerRequest request, int status, JsonObject body) {
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end(body.encode())
                .onFailure(gone -> log.debug("{} not answered: {}", request.path(), gone.toString()));
    }
}
