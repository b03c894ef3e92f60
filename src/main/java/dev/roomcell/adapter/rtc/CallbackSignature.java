package dev.roomcell.adapter.rtc;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The header {@code Sign} of a callback: Base64 of HMAC-SHA256 over the body's bytes as they came. */
public final class CallbackSignature {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /** Signatures by {@code key}, 1 to 32 letters and digits, as it stands in the console. */
    public CallbackSignature(String key) {
        this.key = new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    /** The signature of a body. */
    public String of(byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    /** Whether {@code sign} is the body's signature; how long that takes says nothing of where they differ. */
    public boolean isOf(String sign, byte[] body) {
        return MessageDigest.isEqual(
                of(body).getBytes(StandardCharsets.US_ASCII), sign.getBytes(StandardCharsets.UTF_8));
    }
}
