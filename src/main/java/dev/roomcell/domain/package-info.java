/**
 * What a room is and what may happen to it: pure functions over immutable state. Nothing here reads a clock, draws a
 * random number or knows a thread; time and ids come in with the {@link dev.roomcell.domain.Stamp}.
 */
@NullMarked
package dev.roomcell.domain;

import org.jspecify.annotations.NullMarked;
