/** What operators see of the rooms: metrics. */
@NullMarked
package dev.roomcell.adapter.ops;

import org.jspecify.annotations.NullMarked;
