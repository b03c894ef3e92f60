package dev.roomcell.config;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a text value must look like.
 *
 * @param allows whether a value is allowed
 * @param words the rule for people, to follow "must be"
 */
record TextRule(Predicate<String> allows, String words) {
    static final TextRule NODE_ID = matching("[a-z0-9.-]{1,40}", "1..40 of the characters a-z 0-9 . -");

    static final TextRule NODE_ID_OR_EMPTY =
            new TextRule(text -> text.isEmpty() || NODE_ID.allows.test(text), "empty or " + NODE_ID.words);

    static final TextRule SCHEMA = matching("[a-z0-9_]{1,48}", "1..48 of the characters a-z 0-9 _");

    static final TextRule HOST = matching("[A-Za-z0-9.:_-]{1,255}", "a host name or IP address of 1..255 characters");

    static final TextRule HOST_OR_EMPTY =
            new TextRule(text -> text.isEmpty() || HOST.allows.test(text), "empty or " + HOST.words);

    static final TextRule USER = matching("[\\x21-\\x7e]{1,80}", "1..80 printable ASCII characters");

    static final TextRule ADVERTISE_ADDR =
            new TextRule(text -> text.isEmpty() || isHostAndPort(text), "empty or HOST:PORT with a port 1..65535");

    static final TextRule MEMBERS = new TextRule(
            text -> text.isEmpty() || Stream.of(text.split(",", -1)).allMatch(TextRule::isHostAndPort),
            "empty or HOST:PORT,… without spaces, each with a port 1..65535");

    static final TextRule FILE_OR_EMPTY =
            new TextRule(text -> text.isEmpty() || Files.isReadable(Path.of(text)), "empty or a file that can be read");

    static final TextRule KEY_PREFIX = new TextRule(
            text -> text.indexOf('\0') < 0 && text.getBytes(StandardCharsets.UTF_8).length <= 32,
            "0..32 bytes of text without NUL");

    static final TextRule PASSWORD = new TextRule(text -> text.length() <= 256, "text of 0..256 characters");

    static final TextRule CALLBACK_KEY = matching("[A-Za-z0-9]{0,32}", "0..32 letters and digits");

    static final TextRule REGION = matching("[a-z0-9-]{1,32}", "1..32 of the characters a-z 0-9 -");

    /** SEC-1. */
    static final TextRule LOOPBACK_HOST = new TextRule(
            TextRule::isLoopback,
            "a loopback address (127.0.0.0/8, ::1 or localhost), as callers are not authenticated yet and other"
                    + " machines must not reach this port (SEC-1)");

    /** What is posted there tells of users (SEC-1). */
    static final TextRule LOOPBACK_URL = new TextRule(
            text -> text.isEmpty() || isLoopbackUrl(text), "empty or http://HOST:PORT/PATH with a loopback address");

    static final TextRule ACCOUNT = matching("[\\x21-\\x7e]{1,32}", "1..32 printable ASCII characters");

    /** What is signed is not secret by that (SEC-1). */
    static final TextRule ENDPOINT = new TextRule(
            text -> text.matches("https://[A-Za-z0-9.-]{1,255}(:[0-9]{1,5})?")
                    || (text.matches("http://[^/?]*") && isLoopbackUrl(text)),
            "https://HOST, or http://HOST:PORT with a loopback address");

    private static TextRule matching(String regex, String words) {
        return new TextRule(Pattern.compile(regex).asMatchPredicate(), words);
    }

    private static boolean isHostAndPort(String text) {
        if (!text.matches("(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9.-]{1,255}):[0-9]{1,5}")) {
            return false;
        }
        int port = Integer.parseInt(text.substring(text.lastIndexOf(':') + 1));
        return port >= 1 && port <= 65_535;
    }

    private static boolean isLoopbackUrl(String text) {
        try {
            URI url = new URI(text);
            return "http".equals(url.getScheme())
                    && url.getHost() != null
                    && isLoopback(url.getHost().replaceAll("[\\[\\]]", ""))
                    && url.getPort() >= 1
                    && url.getPort() <= 65_535
                    && url.getRawUserInfo() == null
                    && url.getRawFragment() == null;
        } catch (URISyntaxException noUrl) {
            return false;
        }
    }

    private static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        // Literals only: what another name means could change between this check and the bind.
        if (!host.matches("127(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            return false;
        }
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
