package io.karmi.messaging.channel;

import org.jspecify.annotations.Nullable;

/**
 * A graph that has come whole.
 *
 * @param bytes its length as sent
 * @param memoryBytes bytes that were allocated to make it
 */
public record ArrivedGraph(@Nullable Object graph, int bytes, long memoryBytes) {}
