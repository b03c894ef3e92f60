package dev.roomcell.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.roomcell.config.GivenValue.Form;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Flattens a YAML file into dotted paths. Token by token, because a tree would lose the line numbers and the second of
 * two equal keys.
 */
final class YamlSource {
    private static final YAMLFactory YAML = new YAMLFactory();

    private YamlSource() {}

    /**
     * Every value and every section of the file by its path.
     *
     * @param problems gets a line for each thing that can't be understood, equal keys among them
     */
    static Map<String, GivenValue> read(Path file, List<String> problems) {
        Map<String, GivenValue> values = new LinkedHashMap<>();
        try (YAMLParser parser = YAML.createParser(Files.readString(file))) {
            int line = 1;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME) {
                    line = parser.currentTokenLocation().getLineNr();
                } else if (token != JsonToken.END_OBJECT) {
                    add(parser, token, file, line, values, problems);
                }
            }
        } catch (JsonProcessingException e) {
            values.clear();
            // The parser's own words quote the line, which may hold a password.
            String place =
                    e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr();
            problems.add(file + ": not valid YAML" + place);
        } catch (NoSuchFileException e) {
            problems.add(file + ": no such file");
        } catch (CharacterCodingException e) {
            problems.add(file + ": not UTF-8 text");
        } catch (IOException e) {
            problems.add(file + ": can't be read: " + e.getMessage());
        }
        return values;
    }

    private static void add(
            YAMLParser parser,
            JsonToken token,
            Path file,
            int line,
            Map<String, GivenValue> values,
            List<String> problems)
            throws IOException {
        String pointer = parser.getParsingContext().pathAsPointer().toString();
        String path = pointer.isEmpty() ? "" : pointer.substring(1).replace('/', '.');
        String origin = file + " line " + line;
        Form form = parser.isCurrentAlias() ? Form.ALIAS : form(token);
        String text = token.isScalarValue() ? parser.getText() : "";
        if (token == JsonToken.START_ARRAY) {
            parser.skipChildren();
        }
        if (path.isEmpty() && !form.isOneOf(Form.SECTION, Form.NOTHING)) {
            problems.add(file + ": must hold sections of keys, is " + form);
            return;
        }
        GivenValue first = values.putIfAbsent(path, new GivenValue(text, form, origin));
        if (first != null) {
            String what = path.isEmpty()
                    ? file + ": holds a second document"
                    : GivenValue.printable(path) + ": given twice (" + first.origin() + " and " + origin + ")";
            problems.add(what);
        }
    }

    private static Form form(JsonToken token) {
        return switch (token) {
            case START_OBJECT -> Form.SECTION;
            case START_ARRAY -> Form.LIST;
            case VALUE_NUMBER_INT -> Form.INTEGER;
            case VALUE_NUMBER_FLOAT -> Form.DECIMAL;
            case VALUE_TRUE, VALUE_FALSE -> Form.BOOLEAN;
            case VALUE_NULL -> Form.NOTHING;
            default -> Form.TEXT;
        };
    }
}
