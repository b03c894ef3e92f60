package dev.roomcell.dev;

import dev.roomcell.dev.TencentGroups.Group;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers the calls of Tencent IM's REST API as its documentation says, by a signature, a rate, a size or a group that is
 * right or wrong. What a group's members, or an account, would get goes to whoever was named at the start. Belongs to one event loop;
 * {@link ImSink} serves it over HTTP.
 */
public final class TencentSimulator {
    /** The longest message with all that is around it, bytes. */
    static final int MESSAGE_BYTES = 12 * 1024;
    /** Calls of one command in a second, of an app. */
    static final int CALLS_PER_SECOND = 200;

    private static final int BAD_REQUEST = 60002;
    private static final int BAD_JSON = 60003;
    private static final int NO_ADMINISTRATOR = 60010;
    private static final int NO_SUCH_COMMAND = 60009;
    private static final int TOO_MANY_CALLS = 60011;
    private static final int NO_SUCH_APP = 70020;
    private static final int BAD_PARAMETER = 10004;
    private static final int NO_SUCH_GROUP = 10010;
    private static final int SENDER_IS_MUTED = 10017;
    private static final int GROUP_ID_TAKEN = 10021;
    private static final int TOO_MANY_MESSAGES = 10023;
    private static final int GROUP_IS_YOURS = 10025;
    private static final int MESSAGE_TOO_LONG = 80002;
    private static final int BAD_MESSAGE = 90001;
    private static final long LARGEST_UINT32 = 0xffff_ffffL;
    private static final int KEPT_BODIES = 1_000;

    private final TencentApp app;
    private final LongSupplier nowMs;
    private final TencentFaults faults;
    private final TencentGroups groups;
    private final Map<String, CallRate> rates = new LinkedHashMap<>();
    private final Map<String, Function<JsonObject, JsonObject>> commands = new LinkedHashMap<>();
    private final ArrayDeque<Buffer> bodies = new ArrayDeque<>();
    private String goodSig = "";
    private long goodUntilMs;
    private Consumer<JsonObject> viewers = message -> {};

    /**
     * One that has an app, and the groups of {@code file}.
     *
     * @param nowMs the time of day, epoch ms
     * @param file keeps the groups; null: they end with it
     */
    public TencentSimulator(TencentApp app, LongSupplier nowMs, TencentFaults faults, @Nullable Path file) {
        this.app = app;
        this.nowMs = nowMs;
        this.faults = faults;
        this.groups = new TencentGroups(file);
        commands.put("group_open_http_svc/send_group_msg", this::send);
        commands.put("group_open_http_svc/create_group", this::create);
        commands.put("group_open_http_svc/destroy_group", this::destroy);
        commands.put("group_open_http_svc/forbid_send_msg", this::forbid);
        commands.put("group_open_http_svc/get_group_info", this::info);
        commands.put("openim/sendmsg", this::sendToUser);
        commands.put("im_open_login_svc/account_import", account -> ok());
    }

    /** Whoever gets what the members of groups would. */
    void showTo(Consumer<JsonObject> clients) {
        viewers = clients;
    }

    TencentFaults faults() {
        return faults;
    }

    /** The bodies of the last calls whose signature was right, oldest first; may be asked from any thread. */
    public List<JsonObject> bodies() {
        synchronized (bodies) {
            return bodies.stream().map(Buffer::toJsonObject).toList();
        }
    }

    /**
     * The answer to a call.
     *
     * @param command service and command
     * @param query what stands behind the question mark, decoded
     */
    JsonObject answer(String command, Map<String, String> query, Buffer body) {
        Function<JsonObject, JsonObject> does = commands.get(command);
        if (does == null) {
            return fail(NO_SUCH_COMMAND);
        }
        int refused = refusal(query);
        if (refused != 0) {
            return fail(refused);
        }
        if (!rates.computeIfAbsent(command, first -> new CallRate(CALLS_PER_SECOND))
                .admit(nowMs.getAsLong())) {
            return fail(TOO_MANY_CALLS);
        }
        try {
            JsonObject asked = body.toJsonObject();
            keep(body);
            return body.length() > MESSAGE_BYTES ? fail(MESSAGE_TOO_LONG) : does.apply(asked);
        } catch (DecodeException | ClassCastException wrong) {
            return fail(BAD_JSON);
        }
    }

    private int refusal(Map<String, String> query) {
        if (!Long.toString(app.sdkAppId()).equals(query.get("sdkappid"))) {
            return NO_SUCH_APP;
        }
        if (!app.identifier().equals(query.get("identifier"))) {
            return NO_ADMINISTRATOR;
        }
        if (!query.getOrDefault("random", "").matches("[0-9]{1,10}")
                || Long.parseLong(query.get("random")) > LARGEST_UINT32
                || !"json".equals(query.get("contenttype"))) {
            return BAD_REQUEST;
        }
        return signature(query.getOrDefault("usersig", ""));
    }

    /** Callers use theirs for hours, and its check is most of what a call costs here. */
    private int signature(String userSig) {
        long now = nowMs.getAsLong();
        if (userSig.equals(goodSig) && now < goodUntilMs) {
            return 0;
        }
        TencentApp.Checked checked = app.check(userSig, now);
        if (checked.code() == 0) {
            goodSig = userSig;
            goodUntilMs = checked.untilMs();
        }
        return checked.code();
    }

    private void keep(Buffer body) {
        synchronized (bodies) {
            bodies.addLast(body);
            if (bodies.size() > KEPT_BODIES) {
                bodies.removeFirst();
            }
        }
    }

    private JsonObject send(JsonObject asked) {
        long now = nowMs.getAsLong();
        Optional<Group> found = groups.find(asked.getString("GroupId", ""));
        if (!(asked.getValue("Random") instanceof Number number)
                || !isUint32(number)
                || !List.of("High", "Normal", "Low").contains(asked.getString("MsgPriority", "Normal"))) {
            return fail(BAD_PARAMETER);
        }
        if (found.isEmpty()) {
            return fail(NO_SUCH_GROUP);
        }
        Group group = found.get();
        if (group.isMuted(asked.getString("From_Account", app.identifier()), now)) {
            return fail(SENDER_IS_MUTED);
        }
        long random = number.longValue();
        Optional<Long> before = group.sentWith(random, now);
        if (before.isPresent()) {
            return sent(before.get(), now);
        }
        if (!group.admit(now)) {
            return faults.dropsSilently() ? dropped(now) : fail(TOO_MANY_MESSAGES);
        }
        showAll(asked);
        return sent(group.take(random, now), now);
    }

    private void showAll(JsonObject asked) {
        for (Object element : asked.getJsonArray("MsgBody", new JsonArray())) {
            JsonObject content = ((JsonObject) element).getJsonObject("MsgContent", new JsonObject());
            show(content.getString("Data", ""));
        }
    }

    private JsonObject sendToUser(JsonObject asked) {
        if (asked.getString("To_Account", "").isEmpty()
                || !isUint32(asked.getValue("MsgSeq"))
                || !isUint32(asked.getValue("MsgRandom"))
                || asked.getJsonArray("MsgBody", new JsonArray()).isEmpty()) {
            return fail(BAD_MESSAGE);
        }
        showAll(asked);
        return ok().put("MsgTime", nowMs.getAsLong() / 1000).put("MsgKey", asked.getValue("MsgSeq") + "_simulated");
    }

    private static boolean isUint32(Object value) {
        return value instanceof Number number && number.longValue() >= 0 && number.longValue() <= LARGEST_UINT32;
    }

    /** A client of ours makes nothing of what it cannot read. */
    private void show(String data) {
        if (data.startsWith("{")) {
            viewers.accept(new JsonObject(data));
        }
    }

    private static JsonObject sent(long seq, long now) {
        return ok().put("MsgTime", now / 1000).put("MsgSeq", seq);
    }

    static JsonObject dropped(long now) {
        return sent(0, now).put("MsgDropReason", "MsgFreqCtrl");
    }

    private JsonObject create(JsonObject asked) {
        String groupId = asked.getString("GroupId", "");
        String owner = asked.getString("Owner_Account", "");
        if (!"AVChatRoom".equals(asked.getString("Type"))
                || !groupId.matches("[\\x21-\\x7e]{1,48}")
                || groupId.startsWith("@TGS#")
                || asked.getString("Name", "").isEmpty()
                || asked.getString("Name", "").length() > 30) {
            return fail(BAD_PARAMETER);
        }
        Optional<Group> there = groups.find(groupId);
        if (there.isPresent()) {
            return fail(there.get().owner().equals(owner) ? GROUP_IS_YOURS : GROUP_ID_TAKEN);
        }
        groups.create(groupId, owner);
        return ok().put("GroupId", groupId);
    }

    private JsonObject destroy(JsonObject asked) {
        return groups.destroy(asked.getString("GroupId", "")) ? ok() : fail(NO_SUCH_GROUP);
    }

    private JsonObject forbid(JsonObject asked) {
        Optional<Group> found = groups.find(asked.getString("GroupId", ""));
        JsonArray members = asked.getJsonArray("Members_Account", new JsonArray());
        if (members.isEmpty() || members.size() > 500 || !(asked.getValue("ShutUpTime") instanceof Number seconds)) {
            return fail(BAD_PARAMETER);
        }
        if (found.isEmpty()) {
            return fail(NO_SUCH_GROUP);
        }
        for (Object member : members) {
            found.get().mute(member.toString(), seconds.longValue(), nowMs.getAsLong());
        }
        return ok();
    }

    private JsonObject info(JsonObject asked) {
        JsonArray found = new JsonArray();
        for (Object groupId : asked.getJsonArray("GroupIdList", new JsonArray())) {
            groups.find(groupId.toString())
                    .ifPresent(group -> found.add(new JsonObject()
                            .put("GroupId", groupId)
                            .put("ErrorCode", 0)
                            .put("Type", "AVChatRoom")
                            .put("Owner_Account", group.owner())));
        }
        return ok().put("GroupInfo", found);
    }

    private static JsonObject ok() {
        return new JsonObject().put("ActionStatus", "OK").put("ErrorInfo", "").put("ErrorCode", 0);
    }

    static JsonObject fail(int code) {
        return new JsonObject()
                .put("ActionStatus", "FAIL")
                .put("ErrorInfo", "simulated")
                .put("ErrorCode", code);
    }
}
