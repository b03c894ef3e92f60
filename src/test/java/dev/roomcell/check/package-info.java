/** The checker, held against histories that are right and histories that were doctored. */
@NullMarked
package dev.roomcell.check;

import org.jspecify.annotations.NullMarked;
