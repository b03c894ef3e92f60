package dev.roomcell.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * An integration test that a build runs nothing beside: it says how long something may take or how much must be done in a
 * time, or starts processes that want the whole machine. The others are run two at a time, in JVMs with servers of their own.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("alone")
public @interface Alone {}
