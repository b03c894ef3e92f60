/** Tencent IM over its REST API: the groups of rooms, and the messages to them (LANE-2). */
@NullMarked
package dev.roomcell.adapter.tencent;

import org.jspecify.annotations.NullMarked;
