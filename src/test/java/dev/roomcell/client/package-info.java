/** How the client behaves towards nodes that answer by a script. */
@NullMarked
package dev.roomcell.client;

import org.jspecify.annotations.NullMarked;
