package dev.roomcell.cell;

import dev.roomcell.port.AdoptionMeter;
import dev.roomcell.port.CellLoop;
import dev.roomcell.port.LiveRoomStore;
import dev.roomcell.port.RoomClock;

/** What {@link Adoption} talks to. */
record AdoptionPorts(CellLoop loop, LiveRoomStore rooms, RoomClock clock, CommandRouter router, AdoptionMeter meter) {}
