/**
 * What KaRMI will do to a program, read from its class files: {@code --explain}.
 *
 * <p>{@link Launch} reads a command line of {@code java}, {@link ClassUses} one class, {@link
 * Explanation} puts together and prints. Nothing of the program is loaded or run.
 */
@NullMarked
package io.karmi.retrofit.explain;

import org.jspecify.annotations.NullMarked;
