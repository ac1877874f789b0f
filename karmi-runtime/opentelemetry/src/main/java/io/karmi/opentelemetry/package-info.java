/**
 * Spans of remote calls, as OpenTelemetry's Java agent makes them for the JDK's RMI, and of
 * messages, for programs that have OpenTelemetry's API on their class path. No public API: the
 * service loader finds it.
 */
@NullMarked
package io.karmi.opentelemetry;

import org.jspecify.annotations.NullMarked;
