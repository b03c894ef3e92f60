/** What callers and callees set alike on the connections between them. */
@NullMarked
package dev.roomcell.wire;

import org.jspecify.annotations.NullMarked;
