/**
 * The checker: takes what is stored of rooms, and what clients were told, and says what can't be true. The checks
 * themselves are pure, so the simulator runs the same ones; only {@link dev.roomcell.check.CheckCommand} and what it
 * reads with touch a database.
 */
@NullMarked
package dev.roomcell.check;

import org.jspecify.annotations.NullMarked;
