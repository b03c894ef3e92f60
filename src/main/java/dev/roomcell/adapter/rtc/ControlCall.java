package dev.roomcell.adapter.rtc;

import com.tencentcloudapi.common.exception.TencentCloudSDKException;
import com.tencentcloudapi.trtc.v20190722.TrtcClient;
import com.tencentcloudapi.trtc.v20190722.models.DismissRoomByStrRoomIdRequest;
import com.tencentcloudapi.trtc.v20190722.models.RemoveUserByStrRoomIdRequest;
import java.util.Locale;

/**
 * One call of TRTC's API.
 *
 * @param action what it does
 * @param roomId the vendor's id of the room
 * @param userId whom it removes; empty for an action on the room
 */
record ControlCall(Action action, String roomId, String userId) {
    /** What a call does. */
    enum Action {
        REMOVE_USER,
        DISMISS_ROOM;

        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Makes the call, and blocks until it is over. */
    void make(TrtcClient client, long sdkAppId) throws TencentCloudSDKException {
        switch (action) {
            case REMOVE_USER -> {
                RemoveUserByStrRoomIdRequest removal = new RemoveUserByStrRoomIdRequest();
                removal.setSdkAppId(sdkAppId);
                removal.setRoomId(roomId);
                removal.setUserIds(new String[] {userId});
                client.RemoveUserByStrRoomId(removal);
            }
            case DISMISS_ROOM -> {
                DismissRoomByStrRoomIdRequest dismissal = new DismissRoomByStrRoomIdRequest();
                dismissal.setSdkAppId(sdkAppId);
                dismissal.setRoomId(roomId);
                client.DismissRoomByStrRoomId(dismissal);
            }
        }
    }
}
