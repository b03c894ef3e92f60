/** What can only be asked from inside the adapter: its statements' plans and their speed. */
@NullMarked
package dev.roomcell.adapter.mysql;

import org.jspecify.annotations.NullMarked;
