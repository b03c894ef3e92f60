/**
 * A whole cluster in one thread, from one seed: the real core on stepped loops, servers in memory that behave as MySQL and
 * Redis do, wires between them that break, a nemesis, callers, and a look at everything in the end. The servers alone are
 * what tests of the core run on.
 */
@NullMarked
package dev.roomcell.sim;

import org.jspecify.annotations.NullMarked;
