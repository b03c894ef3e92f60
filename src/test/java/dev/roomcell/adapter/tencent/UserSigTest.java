package dev.roomcell.adapter.tencent;

import static org.assertj.core.api.Assertions.assertThat;

import com.tencentyun.TLSSigAPIv2;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Signatures: the vendor's vectors, the vendor's own code, and when a new one is made. */
final class UserSigTest {
    /** The key that the vendor publishes for tests. */
    private static final String KEY = "5bd2850fff3ecb11d7c805251c51ee463a25727bddc2385f3fa8bfee1bb93b5e";

    private static final long EXPIRE_S = 15_552_000;
    private static final String VENDORS = "eJyrVgrxCdZLrSjILEpVsjI0NTU1MjAw0AGLlqUWKVkpGekZKEH4xSnZiQUFmSlAdSYGUACRy"
            + "UxJzSvJTMsEa6jITMzPKs2DacpMB4pZ*mR4hFoalJUHlXmVGGvnurl7Jbm6lntrR5jkuZdXVhSEerhX*RQHZhgl20I1lmTmglxkbmlqaW5qb"
            + "GpUCwCnFTJW";

    static TencentSettings settings(long sigTtlMs) {
        return new TencentSettings(URI.create("http://127.0.0.1:1"), 1_400_000_000, "xiaojun", KEY, sigTtlMs);
    }

    private static JsonObject inflated(String sig) {
        byte[] packed = Base64.getDecoder()
                .decode(sig.replace('*', '+').replace('-', '/').replace('_', '='));
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed);
            byte[] text = new byte[4_096];
            int length = inflater.inflate(text);
            return new JsonObject(new String(text, 0, length, StandardCharsets.UTF_8));
        } catch (DataFormatException e) {
            throw new AssertionError(e);
        } finally {
            inflater.end();
        }
    }

    @Test
    void theSealIsTheOneOfThePublishedVectors() {
        assertThat(UserSig.seal(settings(1), 1_560_000_000, EXPIRE_S))
                .isEqualTo("s8FU8JR5YBrLz9VYrgPuOy2W6ZdCFMvrfWKJcDQqseo=");
        assertThat(UserSig.seal(settings(1), 1_795_975_352, EXPIRE_S))
                .isEqualTo("9LhHU90vwRvJt3+mFGJbEEwK+X4nGwyxpUHGzLsQh2c=");
    }

    @Test
    void theWholeSaysWhatTheVendorsSays() {
        assertThat(inflated(UserSig.of(settings(1), 1_795_975_352, EXPIRE_S))).isEqualTo(inflated(VENDORS));
    }

    @Test
    void theVendorsCodeSignsTheSame() {
        String vendors = new TLSSigAPIv2(1_400_000_000, KEY).genUserSig("xiaojun", 86_400);
        long timeS = inflated(vendors).getLong("TLS.time");

        String ours = UserSig.of(settings(1), timeS, 86_400);

        assertThat(inflated(ours)).isEqualTo(inflated(vendors));
        assertThat(ours).matches("[A-Za-z0-9*_-]+");
    }

    @Test
    @DisplayName("B112: a signature is made anew before it expires, and not for every call")
    void aSignatureIsRenewedBeforeItExpires() {
        AtomicLong nowMs = new AtomicLong(1_000_000);
        CurrentSig current = new CurrentSig(settings(8_000), nowMs::get);
        String first = current.get();
        nowMs.addAndGet(5_999);
        assertThat(current.get()).isEqualTo(first);
        nowMs.addAndGet(1);
        String second = current.get();
        assertThat(inflated(second).getLong("TLS.time")).isEqualTo(1_006);
        assertThat(inflated(second).getLong("TLS.expire")).isEqualTo(8);
        nowMs.addAndGet(-2_000);
        assertThat(inflated(current.get()).getLong("TLS.time")).isEqualTo(1_004);
    }

    @Test
    @DisplayName("B112: of many calls that hear that a signature has expired, the first makes a new one")
    void anExpiredSignatureIsReplacedOnce() {
        AtomicLong nowMs = new AtomicLong(1_000_000);
        CurrentSig current = new CurrentSig(settings(8_000), nowMs::get);
        String first = current.get();
        nowMs.addAndGet(2_000);
        current.expired(first);
        String second = current.get();
        assertThat(second).isNotEqualTo(first);
        nowMs.addAndGet(2_000);
        current.expired(first);
        assertThat(current.get()).isEqualTo(second);
    }

    @Test
    void theKeyIsNotPrinted() {
        assertThat(settings(1).toString()).contains("xiaojun").doesNotContain(KEY);
    }
}
