/**
 * A wallet and a lottery of our own on loopback, in tables of their own and over real gRPC, for the dev mode and the
 * integration tests. Which calls go wrong is for a test to say.
 */
@NullMarked
package dev.roomcell.dev.wallet;

import org.jspecify.annotations.NullMarked;
