/** What each port promises, as suites that run on the ports in memory and on real MariaDB and Redis. */
@NullMarked
package dev.roomcell.contract;

import org.jspecify.annotations.NullMarked;
