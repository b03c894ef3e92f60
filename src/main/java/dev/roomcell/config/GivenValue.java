package dev.roomcell.config;

/**
 * A value as somebody wrote it, before it is checked.
 *
 * @param text the characters, empty for what has none
 * @param form what the source says it is
 * @param origin where it stands, for messages: a file and line, or an environment variable
 */
record GivenValue(String text, Form form, String origin) {
    private static final int SHOWN_CHARS = 80;

    /** What kind of thing the source holds. The environment knows no kinds. */
    enum Form {
        UNTYPED("text"),
        TEXT("text"),
        INTEGER("a whole number"),
        DECIMAL("a decimal number"),
        BOOLEAN("true or false"),
        NOTHING("nothing"),
        LIST("a list"),
        SECTION("a section"),
        ALIAS("a YAML alias");

        private final String name;

        Form(String name) {
            this.name = name;
        }

        boolean isOneOf(Form first, Form second) {
            return this == first || this == second;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** The value for a message: on one line, of bounded length, text in quotes. */
    String shown() {
        return switch (form) {
            case UNTYPED, TEXT -> '"' + printable(text) + '"';
            case INTEGER, DECIMAL, BOOLEAN -> printable(text);
            case NOTHING, LIST, SECTION, ALIAS -> form.toString();
        };
    }

    static String printable(String text) {
        String oneLine = text.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}]", "?");
        return oneLine.length() <= SHOWN_CHARS ? oneLine : oneLine.substring(0, SHOWN_CHARS) + "…";
    }
}
