/** Whole nodes from outside: in this JVM or as processes, against real servers, with faults between them. */
@NullMarked
package dev.roomcell.it;

import org.jspecify.annotations.NullMarked;
