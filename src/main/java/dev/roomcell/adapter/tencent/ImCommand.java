package dev.roomcell.adapter.tencent;

import java.util.Locale;

/** A call of the REST API. */
enum ImCommand {
    SEND_GROUP_MSG("group_open_http_svc"),
    CREATE_GROUP("group_open_http_svc"),
    DESTROY_GROUP("group_open_http_svc"),
    FORBID_SEND_MSG("group_open_http_svc"),
    GET_GROUP_INFO("group_open_http_svc"),
    SENDMSG("openim"),
    ACCOUNT_IMPORT("im_open_login_svc");

    private final String path;

    ImCommand(String service) {
        this.path = service + "/" + name().toLowerCase(Locale.ROOT);
    }

    /** Service and command, as they stand in the URL. */
    String path() {
        return path;
    }
}
