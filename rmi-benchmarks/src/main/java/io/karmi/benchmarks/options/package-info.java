/** What the commands of {@code karmi-bench} have in common. */
@NullMarked
package io.karmi.benchmarks.options;

import org.jspecify.annotations.NullMarked;
