/** Tencent RTC: what its callbacks say, and the calls that take users out of its rooms. */
@NullMarked
package dev.roomcell.adapter.rtc;

import org.jspecify.annotations.NullMarked;
