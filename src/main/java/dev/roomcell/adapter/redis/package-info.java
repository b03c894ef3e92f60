/** Redis: the route of each room, the address of each node, and the streams of facts. All keys and scripts stand in this package. */
@NullMarked
package dev.roomcell.adapter.redis;

import org.jspecify.annotations.NullMarked;
