/**
 * Goals of {@code karmi-maven-plugin}. Each one runs a command of {@code karmi.jar} in a JVM of its
 * own: that of the toolchain {@code jdk}, where the build has one, else Maven's.
 */
@NullMarked
package io.karmi.maven;

import org.jspecify.annotations.NullMarked;
