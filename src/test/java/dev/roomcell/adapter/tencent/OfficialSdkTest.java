package dev.roomcell.adapter.tencent;

import static org.assertj.core.api.Assertions.assertThat;

import com.tencentcloudapi.im.ApiClient;
import com.tencentcloudapi.im.ApiException;
import com.tencentcloudapi.im.api.GroupApi;
import com.tencentcloudapi.im.api.SingleChatApi;
import com.tencentcloudapi.im.model.CreateGroupRequest;
import com.tencentcloudapi.im.model.DestroyGroupRequest;
import com.tencentcloudapi.im.model.ForbidCallbackControl;
import com.tencentcloudapi.im.model.ForbidSendMsgRequest;
import com.tencentcloudapi.im.model.GroupType;
import com.tencentcloudapi.im.model.SendGroupMsgRequest;
import com.tencentcloudapi.im.model.SendSingleChatMsgRequest;
import com.tencentcloudapi.im.model.TIMCustomElem;
import com.tencentcloudapi.im.model.TIMCustomElemMsgContent;
import com.tencentcloudapi.im.model.TIMMsgElement;
import dev.roomcell.dev.ImSink;
import dev.roomcell.dev.TencentApp;
import dev.roomcell.dev.TencentFaults;
import dev.roomcell.dev.TencentSimulator;
import dev.roomcell.domain.DeliveryLane.Priority;
import dev.roomcell.port.RoomMessenger;
import dev.roomcell.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tencent's own client as an oracle: the same calls, to the same server, have the same bodies. */
final class OfficialSdkTest {
    private static final String GROUP = "c".repeat(40);
    private static final String DATA =
            "{\"type\":\"ROOM_GIFT_SENT\",\"room_version\":\"9007199254740993\",\"t\":\"caf\u00e9 \ud83c\udf89\"}";
    private static final long TIMEOUT_MS = 20_000;

    private final Vertx vertx = Vertx.vertx();
    private final TencentApp app = new TencentApp(1_400_000_000, "admin", "0123abc");
    private final TencentSimulator simulator =
            new TencentSimulator(app, System::currentTimeMillis, new TencentFaults(), null);
    private final ImSink sink = Await.result(ImSink.start(vertx, 0, simulator));

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private GroupApi official() {
        return new GroupApi(client());
    }

    private ApiClient client() {
        ApiClient client = new ApiClient();
        client.setBasePath(sink.site());
        client.setSdkappid(Math.toIntExact(app.sdkAppId()));
        client.setIdentifier(app.identifier());
        client.setKey(app.secretKey());
        return client;
    }

    private void ours(Function<TencentIm, Future<Void>> call) {
        TencentSettings settings =
                new TencentSettings(URI.create(sink.site()), app.sdkAppId(), app.identifier(), app.secretKey(), 60_000);
        Promise<Void> over = Promise.promise();
        vertx.getOrCreateContext().runOnContext(now -> {
            ImAccess access = ImAccess.of(
                    settings,
                    System::currentTimeMillis,
                    () -> System.nanoTime() / 1_000_000,
                    TencentShare.of(new SimpleMeterRegistry(), RoomMessenger.Limits.NONE));
            call.apply(new TencentIm(vertx, access, 1, 1)).onComplete(over);
        });
        Await.result(over.future());
    }

    @Test
    void bothMakeTheSameGroupAndSendTheSameMessage() throws ApiException {
        CreateGroupRequest group = new CreateGroupRequest()
                .ownerAccount(app.identifier())
                .type(GroupType.AVCHATROOM)
                .groupId(GROUP)
                .name(GROUP.substring(0, 30));
        assertThat(official().createGroup(1, group).getErrorCode()).isZero();
        ours(im -> im.createGroup(GROUP, TIMEOUT_MS));

        SendGroupMsgRequest message = new SendGroupMsgRequest()
                .groupId(GROUP)
                .random(1_234_567)
                .msgPriority("High")
                .msgBody(List.of(element()))
                .forbidCallbackControl(List.of(
                        ForbidCallbackControl.FORBIDBEFORESENDMSGCALLBACK,
                        ForbidCallbackControl.FORBIDAFTERSENDMSGCALLBACK));
        assertThat(official().sendGroupMsg(2, message).getErrorCode()).isZero();
        ours(im -> im.sendGroupMessage(GROUP, 1_234_567, Priority.HIGH, DATA, TIMEOUT_MS));

        List<JsonObject> bodies = simulator.bodies();
        assertThat(bodies).hasSize(4);
        assertThat(bodies.get(1)).isEqualTo(bodies.get(0));
        assertThat(bodies.get(3)).isEqualTo(bodies.get(2));
    }

    private static TIMMsgElement element() {
        TIMCustomElemMsgContent content = new TIMCustomElemMsgContent();
        content.setData(DATA);
        content.setDesc("");
        content.setExt("");
        content.setSound("");
        return new TIMMsgElement(new TIMCustomElem().msgType("TIMCustomElem").msgContent(content));
    }

    @Test
    void bothTellOneUserAlike() throws ApiException {
        SendSingleChatMsgRequest message = new SendSingleChatMsgRequest()
                .syncOtherMachine(SendSingleChatMsgRequest.SyncOtherMachineEnum.NUMBER_2)
                .toAccount("ann")
                .msgSeq(1_234_567)
                .msgRandom(1_234_567)
                .msgBody(List.of(element()))
                .sendMsgControl(List.of("NoUnread", "NoLastMsg"))
                .forbidCallbackControl(List.of("ForbidBeforeSendMsgCallback", "ForbidAfterSendMsgCallback"));
        assertThat(new SingleChatApi(client()).sendmsg(1, message).getErrorCode())
                .isZero();
        ours(im -> im.sendToUser("ann", 1_234_567, DATA, TIMEOUT_MS));

        List<JsonObject> bodies = simulator.bodies();
        assertThat(bodies).hasSize(2);
        assertThat(bodies.get(1)).isEqualTo(bodies.get(0));
    }

    @Test
    void bothForbidAndEndAlike() throws ApiException {
        ours(im -> im.createGroup(GROUP, TIMEOUT_MS));
        ForbidSendMsgRequest mute = new ForbidSendMsgRequest()
                .groupId(GROUP)
                .addMembersAccountItem("ann")
                .shutUpTime(60);
        assertThat(official().forbidSendMsg(1, mute).getErrorCode()).isZero();
        ours(im -> im.forbidSendMsg(GROUP, "ann", 60, TIMEOUT_MS));
        assertThat(official()
                        .destroyGroup(2, new DestroyGroupRequest().groupId(GROUP))
                        .getErrorCode())
                .isZero();
        ours(im -> im.destroyGroup(GROUP, TIMEOUT_MS));

        List<JsonObject> bodies = simulator.bodies();
        assertThat(bodies).hasSize(5);
        assertThat(bodies.get(2)).isEqualTo(bodies.get(1));
        assertThat(bodies.get(4)).isEqualTo(bodies.get(3));
    }
}
