/** Thin shells that give each part its event loop, and start and stop it. */
@NullMarked
package dev.roomcell.verticle;

import org.jspecify.annotations.NullMarked;
