/**
 * What was measured, where and how: the JSON files of {@code karmi-bench}, and the statistics over
 * them.
 *
 * <p>Everything a report shows is in {@link io.karmi.benchmarks.results.Results}; nothing here
 * knows how it was measured.
 */
@NullMarked
package io.karmi.benchmarks.results;

import org.jspecify.annotations.NullMarked;
