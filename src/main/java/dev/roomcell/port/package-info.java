/**
 * What the core needs from outside, as interfaces with their failures in words. Every call ends within the deadline of
 * its adapter; a returned future may complete on any thread (the core brings it back onto its loop).
 */
@NullMarked
package dev.roomcell.port;

import org.jspecify.annotations.NullMarked;
