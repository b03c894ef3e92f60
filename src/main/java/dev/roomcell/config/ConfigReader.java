package dev.roomcell.config;

import dev.roomcell.config.GivenValue.Form;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Takes typed values by path out of the environment, the file, or the default given here, in this order, and collects
 * whatever is wrong. A refused value reads as its default, so that one problem does not hide the next.
 */
final class ConfigReader {
    private static final String VARIABLE_PREFIX = "ROOM_";
    private static final Pattern WHOLE_NUMBER = Pattern.compile("0|-?[1-9][0-9]{0,17}");

    private final Map<String, GivenValue> file;
    private final Map<String, String> environment;
    private final List<String> problems;
    private final Set<String> keys = new HashSet<>();
    private final Set<String> refused = new HashSet<>();

    ConfigReader(Map<String, GivenValue> file, Map<String, String> environment, List<String> problems) {
        this.file = file;
        this.environment = environment;
        this.problems = new ArrayList<>(problems);
    }

    static String variable(String path) {
        return VARIABLE_PREFIX + path.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    String text(String path, String byDefault, TextRule rule) {
        GivenValue given = given(path, byDefault, Form.TEXT);
        if (!isText(given)) {
            refuse(path, given.shown() + " must be text, in quotes");
        } else if (!rule.allows().test(given.text())) {
            refuse(path, given.shown() + " must be " + rule.words());
        } else {
            return given.text();
        }
        return byDefault;
    }

    Secret secret(String path, TextRule rule) {
        GivenValue given = given(path, "", Form.TEXT);
        if (isText(given) && rule.allows().test(given.text())) {
            return new Secret(given.text());
        }
        refuse(path, "must be " + rule.words() + ", in quotes; the value is not shown");
        return new Secret("");
    }

    long number(String path, long byDefault, long min, long max) {
        GivenValue given = given(path, Long.toString(byDefault), Form.INTEGER);
        if (given.form().isOneOf(Form.INTEGER, Form.UNTYPED)
                && WHOLE_NUMBER.matcher(given.text()).matches()) {
            long value = Long.parseLong(given.text());
            if (value >= min && value <= max) {
                return value;
            }
        }
        refuse(path, given.shown() + " must be a whole number from " + min + " to " + max);
        return byDefault;
    }

    int count(String path, int byDefault, int min, int max) {
        return Math.toIntExact(number(path, byDefault, min, max));
    }

    boolean flag(String path, boolean byDefault) {
        GivenValue given = given(path, Boolean.toString(byDefault), Form.BOOLEAN);
        if (given.form().isOneOf(Form.BOOLEAN, Form.UNTYPED)
                && (given.text().equals("true") || given.text().equals("false"))) {
            return given.text().equals("true");
        }
        refuse(path, given.shown() + " must be true or false");
        return byDefault;
    }

    /** Checks one key against a limit that depends on another; not if either was refused already. */
    void requireAtMost(String path, long value, String limitWords, long limit, String limitPath) {
        if (value > limit && !refused.contains(path) && !refused.contains(limitPath)) {
            String words = value + " must be at most " + limitWords + " = " + limit;
            refuse(path, words + ", with " + limitPath + " from " + origin(limitPath));
        }
    }

    /** A variable outside the ROOM_ names that must be absent or one of these words, in either case. */
    void requireWord(String variable, Set<String> words) {
        String given = environment.get(variable);
        if (given != null && !words.contains(given.toLowerCase(Locale.ROOT))) {
            String allowed = String.join(", ", new TreeSet<>(words));
            problems.add(variable + ": \"" + GivenValue.printable(given) + "\" must be one of " + allowed
                    + " (environment " + variable + ")");
        }
    }

    void refuse(String path, String words) {
        refused.add(path);
        problems.add(path + ": " + words + " (" + origin(path) + ")");
    }

    /** To be called when every key was read: throws what was collected, and whatever was given but never asked for. */
    void finish() {
        refuseUnknownPaths();
        refuseUnknownVariables();
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    private void refuseUnknownPaths() {
        Set<String> sections = new HashSet<>(Set.of(""));
        keys.forEach(key -> sections.add(key.substring(0, key.indexOf('.'))));
        file.forEach((path, given) -> {
            if (sections.contains(path)) {
                if (!given.form().isOneOf(Form.SECTION, Form.NOTHING)) {
                    problems.add(path + ": " + given.shown() + " must be a section of keys (" + given.origin() + ")");
                }
            } else if (!keys.contains(path) && !isInsideUnknown(path, sections)) {
                problems.add(GivenValue.printable(path) + ": no such key (" + given.origin() + ")");
            }
        });
    }

    /** An unknown section is one problem, not one more for each of its keys. */
    private boolean isInsideUnknown(String path, Set<String> sections) {
        int end = path.lastIndexOf('.');
        return end >= 0 && file.containsKey(path.substring(0, end)) && !sections.contains(path.substring(0, end));
    }

    private void refuseUnknownVariables() {
        Set<String> known = new HashSet<>();
        keys.forEach(key -> known.add(variable(key)));
        for (String variable : new TreeSet<>(environment.keySet())) {
            if (variable.startsWith(VARIABLE_PREFIX) && !known.contains(variable)) {
                problems.add(GivenValue.printable(variable) + ": no key has this variable, and the " + VARIABLE_PREFIX
                        + " names are reserved for keys (environment)");
            }
        }
    }

    private GivenValue given(String path, String byDefault, Form defaultForm) {
        keys.add(path);
        String variable = environment.get(variable(path));
        if (variable != null) {
            return new GivenValue(variable, Form.UNTYPED, origin(path));
        }
        GivenValue inFile = file.get(path);
        return inFile != null ? inFile : new GivenValue(byDefault, defaultForm, origin(path));
    }

    private String origin(String path) {
        if (environment.containsKey(variable(path))) {
            return "environment " + variable(path);
        }
        GivenValue inFile = file.get(path);
        return inFile == null ? "default" : inFile.origin();
    }

    private static boolean isText(GivenValue given) {
        return given.form().isOneOf(Form.TEXT, Form.UNTYPED);
    }
}
