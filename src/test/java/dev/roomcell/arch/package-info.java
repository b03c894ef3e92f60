/** Guards the house: who may use whom, and what is not to be used at all. Every rule says why. */
@NullMarked
package dev.roomcell.arch;

import org.jspecify.annotations.NullMarked;
