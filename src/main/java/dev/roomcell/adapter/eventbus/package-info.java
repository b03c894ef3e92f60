/** The cluster and what its nodes say to each other: membership, and calls on their way to the owner of their room (LEASE-4). */
@NullMarked
package dev.roomcell.adapter.eventbus;

import org.jspecify.annotations.NullMarked;
