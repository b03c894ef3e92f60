package dev.roomcell.demo;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What a guest does not see: the operators' ports of the nodes, and what the clients of a room are sent. */
final class Backstage {
    private static final int CALL_MS = 10_000;

    private final HttpClient http;
    private final List<String> ops;
    private final Optional<String> messages;
    private final Optional<String> rtc;
    private final Optional<Facts> facts;

    /** The facts of a room that have arrived at consumers. */
    @FunctionalInterface
    interface Facts {
        Future<List<String>> eventIds(String app, String room);
    }

    /**
     * A view of nodes, of the sink of their messages, and of RTC.
     *
     * @param ops HOST:PORT of each node's operators' port
     * @param messages the address of the sink that shows what clients were sent, without a slash at its end
     * @param rtc the address of the simulated RTC, without a slash at its end
     * @param facts what consumers see
     */
    Backstage(Vertx vertx, List<String> ops, Optional<String> messages, Optional<String> rtc, Optional<Facts> facts) {
        this.http = vertx.createHttpClient(new HttpClientOptions().setConnectTimeout(CALL_MS));
        this.ops = List.copyOf(ops);
        this.messages = messages;
        this.rtc = rtc;
        this.facts = facts;
    }

    /** The room leaves the memory of whichever node has it. */
    void release(Stage.Step step, String app, String room) {
        long released = ops.stream()
                .filter(node -> Stage.done(call(
                                HttpMethod.POST,
                                "http://" + node + "/rooms/release?app=" + encoded(app) + "&room=" + encoded(room))
                        .map(answer -> answer.code == 200)))
                .count();
        step.equal("nodes that had it", 1L, released);
    }

    /** Whether anybody looks at messages. */
    boolean seesMessages() {
        return messages.isPresent();
    }

    /** What the clients of the room were sent, in the order in which it came. */
    List<JsonObject> messages(String app, String room) {
        String url = messages.orElseThrow() + "/rooms/" + encoded(app) + "/" + encoded(room) + "/messages";
        return Stage.done(call(HttpMethod.GET, url)
                .map(answer -> new JsonArray(answer.body)
                        .stream().map(JsonObject.class::cast).toList()));
    }

    /** Those of them that are of one type. */
    List<JsonObject> messages(String app, String room, String type) {
        return messages(app, room).stream()
                .filter(message -> type.equals(message.getString("type")))
                .toList();
    }

    /** Whether anybody looks at RTC. */
    boolean seesRtc() {
        return rtc.isPresent();
    }

    /**
     * Something happens in an RTC room, and the service is told.
     *
     * @param event what, as a query
     * @return whether a node has taken the callback
     */
    boolean happensInRtc(String rtcRoomId, String event) {
        String url = rtc.orElseThrow() + "/rooms/" + encoded(rtcRoomId) + "/events?" + event;
        return Stage.done(call(HttpMethod.POST, url).map(answer -> answer.code == 200));
    }

    /** Who is in an RTC room, and who was taken out of it. */
    JsonObject rtcRoom(String rtcRoomId) {
        return Stage.done(call(HttpMethod.GET, rtc.orElseThrow() + "/rooms/" + encoded(rtcRoomId))
                .map(answer -> new JsonObject(answer.body)));
    }

    /** Whether anybody looks at facts. */
    boolean seesFacts() {
        return facts.isPresent();
    }

    /** The ids of the room's facts, in the order in which they arrived. */
    List<String> facts(String app, String room) {
        return Stage.done(facts.orElseThrow().eventIds(app, room));
    }

    private record Answer(int code, String body) {}

    private Future<Answer> call(HttpMethod method, String url) {
        return http.request(new RequestOptions()
                        .setMethod(method)
                        .setAbsoluteURI(url)
                        .setTimeout(CALL_MS))
                .compose(request -> request.send()
                        .compose(response ->
                                response.body().map(body -> new Answer(response.statusCode(), body.toString()))));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
