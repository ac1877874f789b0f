/**
 * The command {@code karmi-retrofit}: parses arguments and calls {@code jar} or {@code boot}.
 *
 * <p>Its exit code is 0 after success, 1 after a failure such as an unreadable input, and 2 for
 * wrong arguments. An error is one line.
 */
@NullMarked
package io.karmi.retrofit.cli;

import org.jspecify.annotations.NullMarked;
