/** The simulator put to the test: does it find what it is there to find? */
@NullMarked
package dev.roomcell.sim;

import org.jspecify.annotations.NullMarked;
