package dev.roomcell.testkit;

import dev.roomcell.port.GiftStore.GiftKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the README tells operators to do about parked gifts, so that it works. */
public final class ParkedGifts {
    private static final Path README =
            Path.of(System.getProperty("basedir", "")).resolve("README.md");

    private ParkedGifts() {}

    /** The statement that lists them. */
    public static String list() {
        return statement("SELECT app_code, command_id");
    }

    /** The statement that puts one back. */
    public static String putBack(GiftKey key) {
        return statement("UPDATE gift_intents")
                .replace("'lala'", "'" + key.appCode() + "'")
                .replace("'gift-1'", "'" + key.commandId() + "'");
    }

    private static String statement(String beginning) {
        try {
            String readme = Files.readString(README);
            String section = readme.substring(readme.indexOf("\n### Parked gifts\n"));
            Matcher found = Pattern.compile(" {4}(" + beginning + "[^;]*);").matcher(section);
            if (!found.find()) {
                throw new AssertionError("the README has no " + beginning);
            }
            return found.group(1);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
