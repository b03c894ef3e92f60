/**
 * The application core: cells that own rooms, the group commit that makes their batches durable, the leases that say
 * who may, and the recovery that brings them back. Everything here runs on a {@link dev.roomcell.port.CellLoop}.
 */
@NullMarked
package dev.roomcell.cell;

import org.jspecify.annotations.NullMarked;
