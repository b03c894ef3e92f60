/** MySQL and MariaDB: rooms, command log, outbox, snapshots, timers and the room list. All SQL of a node stands in this package. */
@NullMarked
package dev.roomcell.adapter.mysql;

import org.jspecify.annotations.NullMarked;
