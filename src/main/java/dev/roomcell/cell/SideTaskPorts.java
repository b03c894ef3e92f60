package dev.roomcell.cell;

import dev.roomcell.port.ImControl;
import dev.roomcell.port.RtcControl;
import dev.roomcell.port.TimerStore;
import java.util.Optional;

/**
 * Whom the core has do what a room's changes ask for outside (TIMER-1).
 *
 * @param timers where the tasks wait
 * @param rtc who removes users from RTC and ends its rooms; empty: nobody, and nothing is written for them
 * @param im who tells a room's IM group of rights, and of its end; empty: nobody, and nothing is written for them
 */
public record SideTaskPorts(TimerStore timers, Optional<RtcControl> rtc, Optional<ImControl> im) {
    /** Without an IM group. */
    public SideTaskPorts(TimerStore timers, Optional<RtcControl> rtc) {
        this(timers, rtc, Optional.empty());
    }
}
