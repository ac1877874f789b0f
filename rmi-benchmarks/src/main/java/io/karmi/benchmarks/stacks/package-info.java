/**
 * The software configurations of the paper's section 6.2, and how a run measures programs on them.
 *
 * <p>{@link Stack} is the table of configurations: a new one is a row. A {@link Campaign} runs a
 * {@link Plan}, part by part; {@link Jvms} starts the JVMs of one stack, here or on other {@link
 * Hosts}, and either gives back the clients' measurements or fails with what the JVMs printed.
 */
@NullMarked
package io.karmi.benchmarks.stacks;

import org.jspecify.annotations.NullMarked;
