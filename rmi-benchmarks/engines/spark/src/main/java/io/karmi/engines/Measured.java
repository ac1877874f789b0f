package io.karmi.engines;

/**
 * What was measured.
 *
 * @param kernel what was done
 * @param nanos processor time of the tasks
 * @param bytes that the serializer left in the cache, the shuffle, the broadcast, the state or the
 *     network; negative if they were not counted
 * @param observation the same for each serializer
 */
public record Measured(String kernel, long nanos, long bytes, String observation) {}
