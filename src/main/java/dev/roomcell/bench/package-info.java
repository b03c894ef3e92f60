/** The load generator: drives a running service from outside, as its clients do, and says what it measured. */
@NullMarked
package dev.roomcell.bench;

import org.jspecify.annotations.NullMarked;
