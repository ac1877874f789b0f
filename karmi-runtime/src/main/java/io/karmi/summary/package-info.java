/**
 * What is printed when a program ends whose agent has the option {@code summary}.
 *
 * <p>{@link Summary} is begun by the agent, by name. {@link StockTally} counts what stock RMI does
 * meanwhile; KaRMI's own calls and the streams have counters anyway.
 */
@NullMarked
package io.karmi.summary;

import org.jspecify.annotations.NullMarked;
