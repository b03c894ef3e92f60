package dev.roomcell.adapter.tencent;

import java.net.URI;

/**
 * Where Tencent IM is, and as whom it is called.
 *
 * @param baseUrl the site, without a path; it belongs to the same region as the app
 * @param sdkAppId the app at Tencent, 1..2,147,483,647
 * @param identifier an administrator of that app
 * @param secretKey signs the calls; its text is the key, also where it looks like hexadecimal digits
 * @param sigTtlMs for how long a signature is good, ms, whole seconds of it
 */
public record TencentSettings(URI baseUrl, long sdkAppId, String identifier, String secretKey, long sigTtlMs) {
    /** Without the key. */
    @Override
    public String toString() {
        return "TencentSettings[" + baseUrl + ", " + sdkAppId + ", " + identifier + "]";
    }
}
