package dev.roomcell.dev;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * An app at the simulated Tencent IM, which checks the signatures of its callers as Tencent does.
 *
 * @param sdkAppId its number
 * @param identifier its administrator
 * @param secretKey what signatures are made with
 */
public record TencentApp(long sdkAppId, String identifier, String secretKey) {
    private static final int SIGNED_BYTES = 4_096;
    private static final int OK = 0;
    private static final int EXPIRED = 70001;
    private static final int WRONG = 70003;
    private static final int OTHER_IDENTIFIER = 70013;
    private static final int OTHER_APP = 70014;

    /** Without the key. */
    @Override
    public String toString() {
        return "TencentApp[" + sdkAppId + ", " + identifier + "]";
    }

    /**
     * What a signature is worth.
     *
     * @param code an error code, 0 if it is good
     * @param untilMs until when it is, epoch ms
     */
    record Checked(int code, long untilMs) {
        private static Checked bad(int code) {
            return new Checked(code, 0);
        }
    }

    /** What a signature is worth at {@code nowMs}. */
    Checked check(String userSig, long nowMs) {
        try {
            JsonObject signed = new JsonObject(inflated(userSig));
            long time = signed.getLong("TLS.time", 0L);
            long expire = signed.getLong("TLS.expire", 0L);
            byte[] seal = signed.getString("TLS.sig", "").getBytes(StandardCharsets.UTF_8);
            if (!MessageDigest.isEqual(seal, seal(signed.getString("TLS.identifier"), time, expire))) {
                return Checked.bad(WRONG);
            }
            if (!identifier.equals(signed.getString("TLS.identifier"))) {
                return Checked.bad(OTHER_IDENTIFIER);
            }
            if (signed.getLong("TLS.sdkappid", 0L) != sdkAppId) {
                return Checked.bad(OTHER_APP);
            }
            long untilMs = (time + expire) * 1000;
            return new Checked(nowMs < untilMs ? OK : EXPIRED, untilMs);
        } catch (IllegalArgumentException | DataFormatException | DecodeException | ClassCastException unreadable) {
            return Checked.bad(WRONG);
        }
    }

    private byte[] seal(String signer, long time, long expire) {
        String text = "TLS.identifier:" + signer + "\nTLS.sdkappid:" + sdkAppId + "\nTLS.time:" + time + "\nTLS.expire:"
                + expire + "\n";
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secretKey.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] sealed = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(sealed).getBytes(StandardCharsets.UTF_8);
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static String inflated(String userSig) throws DataFormatException {
        byte[] packed = Base64.getDecoder()
                .decode(userSig.replace('*', '+').replace('-', '/').replace('_', '='));
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed);
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            byte[] chunk = new byte[512];
            while (!inflater.finished()) {
                int bytes = inflater.inflate(chunk);
                if (bytes == 0 || text.size() > SIGNED_BYTES) {
                    throw new DataFormatException("no signature");
                }
                text.write(chunk, 0, bytes);
            }
            return text.toString(StandardCharsets.UTF_8);
        } finally {
            inflater.end();
        }
    }
}
