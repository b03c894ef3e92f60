/** What an operator does to a running node, from the command line. */
@NullMarked
package dev.roomcell.ctl;

import org.jspecify.annotations.NullMarked;
