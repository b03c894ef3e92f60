/**
 * The ports in memory: they behave as MySQL and Redis do, row for row and byte for byte, on one thread and without a
 * clock of their own, so that whole nodes can run against them step by step.
 */
@NullMarked
package dev.roomcell.sim;

import org.jspecify.annotations.NullMarked;
