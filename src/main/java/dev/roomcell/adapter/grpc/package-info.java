/** The gRPC edge: validation, the mapping of answers and errors, and the three public services. */
@NullMarked
package dev.roomcell.adapter.grpc;

import org.jspecify.annotations.NullMarked;
