package dev.roomcell.dev.rtc;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Whether a call of the cloud's API is signed as TC3-HMAC-SHA256 wants it. */
final class CloudCall {
    private static final Pattern AUTHORIZATION =
            Pattern.compile("TC3-HMAC-SHA256 Credential=([^/]+)/(\\d{4}-\\d\\d-\\d\\d)/([^/]+)/tc3_request, "
                    + "SignedHeaders=([a-z;-]+), Signature=([0-9a-f]{64})");
    /** A signature is good for five minutes. */
    private static final long GOOD_FOR_S = 300;

    private CloudCall() {}

    /** The error code for a call that is not signed as it must be; empty if it is. */
    static Optional<String> refusal(RtcApp app, MultiMap headers, Buffer body, long nowMs) {
        Matcher given = AUTHORIZATION.matcher(header(headers, "authorization"));
        String timestamp = header(headers, "x-tc-timestamp");
        if (!given.matches() || !timestamp.matches("[0-9]{1,12}")) {
            return Optional.of("AuthFailure.InvalidAuthorization");
        }
        if (!given.group(1).equals(app.secretId())) {
            return Optional.of("AuthFailure.SecretIdNotFound");
        }
        long atS = Long.parseLong(timestamp);
        String date =
                Instant.ofEpochSecond(atS).atZone(ZoneOffset.UTC).toLocalDate().toString();
        if (Math.abs(nowMs / 1000 - atS) > GOOD_FOR_S || !date.equals(given.group(2))) {
            return Optional.of("AuthFailure.SignatureExpire");
        }
        String scope = date + "/" + given.group(3) + "/tc3_request";
        String toSign = "TC3-HMAC-SHA256\n" + timestamp + "\n" + scope + "\n"
                + hex(sha256(canonical(headers, given.group(4), body)));
        byte[] key = hmac(hmac(hmac(bytes("TC3" + app.secretKey()), date), given.group(3)), "tc3_request");
        return hex(hmac(key, toSign)).equals(given.group(5))
                ? Optional.empty()
                : Optional.of("AuthFailure.SignatureFailure");
    }

    private static byte[] canonical(MultiMap headers, String signedHeaders, Buffer body) {
        StringBuilder request = new StringBuilder("POST\n/\n\n");
        for (String name : signedHeaders.split(";", -1)) {
            request.append(name)
                    .append(':')
                    .append(header(headers, name).trim())
                    .append('\n');
        }
        request.append('\n').append(signedHeaders).append('\n').append(hex(sha256(body.getBytes())));
        return bytes(request.toString());
    }

    private static String header(MultiMap headers, String name) {
        String value = headers.get(name);
        return value == null ? "" : value;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes).toLowerCase(Locale.ROOT);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(bytes(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
