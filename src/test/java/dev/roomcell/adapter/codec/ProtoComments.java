package dev.roomcell.adapter.codec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the comments above messages, fields and values of .proto files say; descriptors of generated code have none. */
final class ProtoComments {
    private static final Pattern SCOPE = Pattern.compile("(?:message|enum|oneof|service) (\\w+) \\{.*");
    private static final Pattern FIELD = Pattern.compile("(?:repeated |optional )?[\\w.]+ (\\w+) = \\d+.*;");
    private static final Pattern VALUE = Pattern.compile("(\\w+) = \\d+;");

    private final Map<String, String> texts = new HashMap<>();
    private final ArrayDeque<String> scopes = new ArrayDeque<>();
    private final List<String> lines = new ArrayList<>();

    static ProtoComments of(Path... files) throws IOException {
        ProtoComments comments = new ProtoComments();
        for (Path file : files) {
            for (String line : Files.readAllLines(file)) {
                comments.take(line.strip());
            }
        }
        return comments;
    }

    private void take(String line) {
        if (line.startsWith("//")) {
            lines.add(line.substring(2).strip());
            return;
        }
        Matcher scope = SCOPE.matcher(line);
        Matcher field = FIELD.matcher(line);
        Matcher value = VALUE.matcher(line);
        if (scope.matches()) {
            put(scope.group(1));
            if (!line.endsWith("}")) {
                // The fields of a oneof are its message's.
                scopes.push(line.startsWith("oneof") ? scopes.element() : scope.group(1));
            }
        } else if (line.equals("}")) {
            scopes.pop();
        } else if (field.matches()) {
            put(scopes.element() + "." + field.group(1));
        } else if (value.matches()) {
            put(scopes.element() + "." + value.group(1));
        }
        lines.clear();
    }

    private void put(String name) {
        texts.put(name, String.join(" ", lines));
    }

    /** Of {@code Message}, {@code Message.field}, {@code Enum} or {@code Enum.VALUE}; empty if there is none. */
    String of(String name) {
        return texts.getOrDefault(name, "");
    }
}
