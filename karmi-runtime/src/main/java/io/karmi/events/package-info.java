/**
 * Events of Java Flight Recorder: calls, exports, connections, messages of collectors.
 *
 * <p>The runtime calls the {@link io.karmi.events.Recorder}. It does nothing where {@code jdk.jfr}
 * is absent, and next to nothing while no recording has enabled the events.
 */
@NullMarked
package io.karmi.events;

import org.jspecify.annotations.NullMarked;
