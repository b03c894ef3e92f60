/** Faults that tests put between the service and what it talks to: a TCP proxy that stops, delays, drops or cuts. */
@NullMarked
package dev.roomcell.fault;

import org.jspecify.annotations.NullMarked;
