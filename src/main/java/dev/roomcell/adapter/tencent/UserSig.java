package dev.roomcell.adapter.tencent;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.zip.Deflater;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tencent's signature of an account, version 2: it stands in every call, and says until when it is good. */
final class UserSig {
    private static final String HMAC = "HmacSHA256";

    private UserSig() {}

    /**
     * The signature as it stands in a URL; it needs no escaping there.
     *
     * @param timeS since when it is good, epoch s
     * @param expireS for how long, s
     */
    static String of(TencentSettings settings, long timeS, long expireS) {
        JsonObject document = new JsonObject()
                .put("TLS.ver", "2.0")
                .put("TLS.identifier", settings.identifier())
                .put("TLS.sdkappid", settings.sdkAppId())
                .put("TLS.expire", expireS)
                .put("TLS.time", timeS)
                .put("TLS.sig", seal(settings, timeS, expireS));
        byte[] packed = deflated(document.encode().getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder()
                .encodeToString(packed)
                .replace('+', '*')
                .replace('/', '-')
                .replace('=', '_');
    }

    /** The part of it that only who has the key can make. */
    static String seal(TencentSettings settings, long timeS, long expireS) {
        String sealed = "TLS.identifier:" + settings.identifier() + "\nTLS.sdkappid:" + settings.sdkAppId()
                + "\nTLS.time:" + timeS + "\nTLS.expire:" + expireS + "\n";
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(settings.secretKey().getBytes(StandardCharsets.UTF_8), HMAC));
            return Base64.getEncoder().encodeToString(mac.doFinal(sealed.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException | InvalidKeyException broken) {
            throw new IllegalStateException("this Java has no " + HMAC, broken);
        }
    }

    private static byte[] deflated(byte[] bytes) {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(bytes);
            deflater.finish();
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            byte[] chunk = new byte[512];
            while (!deflater.finished()) {
                packed.write(chunk, 0, deflater.deflate(chunk));
            }
            return packed.toByteArray();
        } finally {
            deflater.end();
        }
    }
}
