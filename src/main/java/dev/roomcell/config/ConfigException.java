package dev.roomcell.config;

import java.util.List;

/** The configuration can't be used; nothing was started. The message has every problem, one a line. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    ConfigException(List<String> problems) {
        super(
                problems.size() == 1
                        ? "bad configuration: " + problems.get(0)
                        : "bad configuration, " + problems.size() + " problems:\n  " + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    /** What is wrong: each names the key's path, the value (never a secret's), what is allowed, and where it was given. */
    public List<String> problems() {
        return problems;
    }
}
