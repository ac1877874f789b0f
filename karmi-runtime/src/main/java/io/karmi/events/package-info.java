/**
 * What Java Flight Recorder is told: calls, exports, connections, messages of collectors.
 *
 * <p>The runtime tells the {@link io.karmi.events.Recorder}, which does nothing where {@code
 * jdk.jfr} is absent, and next to nothing while no recording has asked for the events.
 */
@NullMarked
package io.karmi.events;

import org.jspecify.annotations.NullMarked;
