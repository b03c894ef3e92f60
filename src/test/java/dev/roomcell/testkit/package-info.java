/** What several test classes share: the servers they run against and the tools they look with. */
@NullMarked
package dev.roomcell.testkit;

import org.jspecify.annotations.NullMarked;
