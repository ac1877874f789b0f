/**
 * Flink's part of {@code karmi-bench engines}: state and network.
 *
 * <p>{@link io.karmi.engines.flink.FlinkWorker} is the program of a JVM, which {@link
 * io.karmi.engines.EnginesMain} starts for each serializer.
 */
@NullMarked
package io.karmi.engines.flink;

import org.jspecify.annotations.NullMarked;
