/**
 * The embedded default: everything that the service needs from outside, as child processes and simulators on
 * loopback, for {@code mvn -Pdev} and for the integration tests. None of it is in the production jar.
 */
@NullMarked
package dev.roomcell.dev;

import org.jspecify.annotations.NullMarked;
