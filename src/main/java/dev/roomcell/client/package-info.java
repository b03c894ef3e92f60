/**
 * The small Java client of a room service: retries with the same command id, follows owner hints, and says so when it
 * does not know what became of a command.
 */
@NullMarked
package dev.roomcell.client;

import org.jspecify.annotations.NullMarked;
