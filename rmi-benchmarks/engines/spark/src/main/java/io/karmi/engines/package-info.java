/**
 * Benchmark of the serializers of a data engine.
 *
 * <p>{@link io.karmi.engines.EnginesMain} is the command. It starts a JVM for each {@link
 * io.karmi.engines.Contestant}, in which a {@link io.karmi.engines.Worker} runs {@link
 * io.karmi.engines.Workload}s when it is told to, so that all of them take turns.
 */
@NullMarked
package io.karmi.engines;

import org.jspecify.annotations.NullMarked;
