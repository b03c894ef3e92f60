package dev.roomcell.arch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Java file of ours, for the rules that class files know nothing of.
 *
 * @param path below the project's folder, with slashes
 * @param text what is in it
 */
record SourceFile(String path, String text) {
    private static final Path PROJECT = Path.of(System.getProperty("basedir", ""));
    /** A comment, or (as the first group) a text block, or (as the second) a string. */
    private static final Pattern COMMENT_OR_STRING = Pattern.compile(
            "//.*|/\\*(?s:.*?)\\*/|'(?:\\\\.|[^'\\\\])+'|\"\"\"((?s:.*?))\"\"\"|\"((?:\\\\.|[^\"\\\\])*)\"");

    private static final Pattern SQL =
            Pattern.compile("\\b(SELECT\\s|INSERT (IGNORE )?INTO\\s|UPDATE\\s+\\S+\\s+SET\\s|DELETE FROM\\s"
                    + "|REPLACE INTO\\s|CREATE TABLE\\s|ALTER TABLE\\s|DROP TABLE\\s|FOR UPDATE\\b|SKIP LOCKED\\b)");

    /** All files below {@code roots}, which are folders of the project such as {@code src/main/java}. */
    static List<SourceFile> below(String... roots) throws IOException {
        Stream.Builder<SourceFile> files = Stream.builder();
        for (String root : roots) {
            try (Stream<Path> paths = Files.walk(PROJECT.resolve(root))) {
                for (Path path :
                        paths.filter(each -> each.toString().endsWith(".java")).toList()) {
                    String name = PROJECT.relativize(path).toString().replace('\\', '/');
                    files.add(new SourceFile(name, Files.readString(path)));
                }
            }
        }
        return files.build().toList();
    }

    /** The package, as a folder. */
    String folder() {
        String below = path.substring(path.indexOf("/java/") + "/java/".length());
        return below.substring(0, below.lastIndexOf('/'));
    }

    /** Whether the file says in a sentence what its package is for, and that its references are not null. */
    boolean introducesItsPackage() {
        return path.endsWith("/package-info.java")
                && text.contains("\n@NullMarked\n")
                && Pattern.compile("(?s)^/\\*\\*\\s+\\S+(\\s+\\S+){3,}.*?\\*/")
                        .matcher(text)
                        .find();
    }

    /** The strings of the code that read like SQL; comments may speak of it. */
    List<String> sql() {
        return COMMENT_OR_STRING
                .matcher(text)
                .results()
                .map(found -> found.group(1) != null ? found.group(1) : found.group(2))
                .filter(string -> string != null && SQL.matcher(string).find())
                .toList();
    }
}
