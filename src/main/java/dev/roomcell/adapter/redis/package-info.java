/** Redis: the route of each room and the address of each node. All keys and scripts stand in this package. */
@NullMarked
package dev.roomcell.adapter.redis;

import org.jspecify.annotations.NullMarked;
