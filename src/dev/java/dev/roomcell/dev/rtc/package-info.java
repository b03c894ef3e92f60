/** Tencent RTC as far as the service can tell: callbacks that come late, twice or never, and an API that takes users out. */
@NullMarked
package dev.roomcell.dev.rtc;

import org.jspecify.annotations.NullMarked;
