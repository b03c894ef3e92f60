/** A small party, played against a running service through gRPC, that checks everything it shows. */
@NullMarked
package dev.roomcell.demo;

import org.jspecify.annotations.NullMarked;
