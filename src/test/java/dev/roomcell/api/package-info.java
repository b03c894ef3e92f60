/** Guards the public API in {@code proto/room/v1}: it only grows, and keeps to its own conventions. */
@NullMarked
package dev.roomcell.api;

import org.jspecify.annotations.NullMarked;
