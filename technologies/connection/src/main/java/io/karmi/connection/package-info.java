/**
 * The call protocol over one ordered channel of bytes, whatever network carries them.
 *
 * <p>A {@link io.karmi.connection.CallConnection} carries one call at a time, with calls back to
 * its waiting end nested inside: {@link io.karmi.connection.OutgoingCalls} makes those of this end,
 * {@link io.karmi.connection.IncomingCalls} executes those of the other. A {@link
 * io.karmi.connection.ConnectionPool} keeps the idle connections to one node, and a {@link
 * io.karmi.connection.Watchdog} closes what takes too long. {@code docs/wire-format.md}, chapter 3,
 * has the layout of the bytes; {@link io.karmi.connection.Handshake} opens a connection, {@link
 * io.karmi.connection.CallFrameOutput} and {@link io.karmi.connection.CallFrameInput} carry its
 * messages.
 *
 * <p>A network extends {@link io.karmi.connection.ConnectedTechnology}, which dials nodes and
 * accepts connections, and {@link io.karmi.connection.CallConnection}, which moves bytes ({@link
 * io.karmi.connection.OrderedByteChannel}). It extends these classes instead of being an object of
 * its own because of decision 0022: each further object that a call reads after a thread has waited
 * costs more than the work itself.
 */
@NullMarked
package io.karmi.connection;

import org.jspecify.annotations.NullMarked;
