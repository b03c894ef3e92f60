/** The one place that knows both the protobuf messages and the domain; the other adapters use it. */
@NullMarked
package dev.roomcell.adapter.codec;

import org.jspecify.annotations.NullMarked;
