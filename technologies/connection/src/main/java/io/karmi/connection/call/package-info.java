/**
 * The call protocol over one channel ({@code docs/wire-format.md}, chapter 3, has its layout).
 *
 * <p>A {@link io.karmi.connection.call.CallConnection} carries one call at a time, with calls back
 * to its waiting end nested inside: {@link io.karmi.connection.call.OutgoingCalls} makes those of
 * this end, {@link io.karmi.connection.call.IncomingCalls} executes those of the other. {@link
 * io.karmi.connection.call.CallFrameOutput} and {@link io.karmi.connection.call.CallFrameInput}
 * carry its messages.
 */
@NullMarked
package io.karmi.connection.call;

import org.jspecify.annotations.NullMarked;
