/** What the load generator asks for, counts and reports. */
@NullMarked
package dev.roomcell.bench;

import org.jspecify.annotations.NullMarked;
