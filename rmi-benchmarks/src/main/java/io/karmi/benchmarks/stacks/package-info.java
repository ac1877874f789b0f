/**
 * The software configurations of the paper's section 6.2, and how a program runs on one of them in
 * two JVMs.
 *
 * <p>A {@link Stack} says how java is started; {@link TwoJvms} starts the server's and the client's
 * JVM, and either gives back the client's measurements or fails with what the JVMs printed. Nothing
 * here knows a kernel.
 */
@NullMarked
package io.karmi.benchmarks.stacks;

import org.jspecify.annotations.NullMarked;
