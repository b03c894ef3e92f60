package dev.roomcell.cell;

import dev.roomcell.port.DisplayMeter;
import dev.roomcell.port.RobotDisplays;

/**
 * What robots' displays need.
 *
 * @param displays where they go
 * @param meter hears what becomes of them
 */
public record DisplayPorts(RobotDisplays displays, DisplayMeter meter) {
    /** Of a node that is connected to no IM provider and counts nothing. */
    public static DisplayPorts none() {
        return new DisplayPorts(RobotDisplays.none(), DisplayMeter.none());
    }
}
