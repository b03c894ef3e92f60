/** The program: its command line, and the wiring of a node. */
@NullMarked
package dev.roomcell;

import org.jspecify.annotations.NullMarked;
