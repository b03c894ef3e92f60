/** The direct lane's way out: messages of rooms to whoever shows them (LANE-2). */
@NullMarked
package dev.roomcell.adapter.im;

import org.jspecify.annotations.NullMarked;
