package dev.roomcell.cell;

import dev.roomcell.port.ImControl;
import dev.roomcell.port.RtcControl;
import dev.roomcell.port.TimerStore;
import dev.roomcell.port.TimerStore.Kind;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Whom the core has do what a room's changes ask for outside (TIMER-1).
 *
 * @param timers where the tasks wait
 * @param rtc who removes users from RTC and ends its rooms; empty: nobody, and nothing is written for them
 * @param im who tells a room's IM group of rights, and of its end; empty: nobody, and nothing is written for them
 */
public record SideTaskPorts(TimerStore timers, Optional<RtcControl> rtc, Optional<ImControl> im) {
    /** The timers that this node can act on. */
    Set<Kind> kinds() {
        Set<Kind> kinds = EnumSet.allOf(Kind.class);
        kinds.removeIf(kind -> switch (kind) {
            case RTC_REMOVE_USER, RTC_SILENCE_USER, RTC_DISMISS_ROOM -> rtc.isEmpty();
            case IM_FORBID_USER, IM_DESTROY_GROUP -> im.isEmpty();
            case CREATE_LIMIT, MIC_DEADLINE, STALE_SWEEP, ROCKET_LAUNCH -> false;
        });
        return kinds;
    }

    /** Without an IM group. */
    public SideTaskPorts(TimerStore timers, Optional<RtcControl> rtc) {
        this(timers, rtc, Optional.empty());
    }
}
