/**
 * The settings of a node: read once at start from defaults, the YAML file and the environment, checked as a whole, and
 * immutable from then on.
 */
@NullMarked
package dev.roomcell.config;

import org.jspecify.annotations.NullMarked;
