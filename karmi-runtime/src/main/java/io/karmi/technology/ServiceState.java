package io.karmi.technology;

import org.jspecify.annotations.Nullable;

/**
 * State of a {@linkplain ServiceThread service} of the runtime at some moment.
 *
 * @param name of its thread
 * @param isAlive false while its thread cannot be started
 * @param rounds that have ended, with or without a failure
 * @param failures of rounds and of starting the thread
 * @param lastFailure null for none
 * @param workingMillis milliseconds that it works on the present round; 0 while it waits
 */
public record ServiceState(
    String name,
    boolean isAlive,
    long rounds,
    long failures,
    @Nullable String lastFailure,
    long workingMillis) {}
