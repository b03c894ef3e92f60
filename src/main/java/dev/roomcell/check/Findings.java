package dev.roomcell.check;

import dev.roomcell.domain.RoomKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The violations found in one room: the first {@link #MOST}, as the later ones follow from them as a rule. */
final class Findings {
    static final int MOST = 100;
    /** A message may quote stored data, but not a whole room. */
    private static final int MESSAGE_CHARS = 500;

    private final RoomKey room;
    private final List<Violation> violations = new ArrayList<>();

    Findings(RoomKey room) {
        this.room = room;
    }

    void add(Invariant invariant, String message) {
        if (violations.size() < MOST) {
            String quoted = message.length() <= MESSAGE_CHARS ? message : message.substring(0, MESSAGE_CHARS) + "…";
            violations.add(new Violation(invariant, room, quoted));
        }
    }

    void require(boolean holds, Invariant invariant, Supplier<String> message) {
        if (!holds) {
            add(invariant, message.get());
        }
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }
}
