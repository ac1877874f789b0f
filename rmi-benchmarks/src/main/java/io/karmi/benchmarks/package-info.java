/** The command {@code karmi-bench}: one subcommand per benchmark of the collection. */
@NullMarked
package io.karmi.benchmarks;

import org.jspecify.annotations.NullMarked;
