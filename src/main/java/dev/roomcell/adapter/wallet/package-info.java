/** The wallet and the lottery of lucky gifts, which are other people's services: their ports over gRPC. */
@NullMarked
package dev.roomcell.adapter.wallet;

import org.jspecify.annotations.NullMarked;
