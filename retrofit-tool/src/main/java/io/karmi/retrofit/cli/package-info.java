/**
 * The command {@code karmi-retrofit}: reads arguments, calls {@code jar} or {@code boot}, and exits
 * 0 when it is done, 1 when something is wrong with the input, 2 when something is wrong with the
 * arguments. What is wrong is one line.
 */
@NullMarked
package io.karmi.retrofit.cli;

import org.jspecify.annotations.NullMarked;
