/**
 * KaRMI over TCP: blocking sockets, one write and one read per call.
 *
 * <p>{@link io.karmi.tcp.TcpTechnology} is the technology, {@link io.karmi.tcp.SocketByteChannel} a
 * connection of it; the call protocol is that of {@link io.karmi.connection}. A {@link
 * io.karmi.tcp.Listener} takes the connections of others, a {@link io.karmi.tcp.Connector} opens
 * connections at either end.
 *
 * <p>Sockets are never given a timeout unless the user asks for one: the JDK switches a socket with
 * a timeout to non-blocking mode for good, and each read then costs three system calls. Deadlines
 * are kept by the {@link io.karmi.connection.guard.Watchdog}, which closes what takes too long.
 */
@NullMarked
package io.karmi.tcp;

import org.jspecify.annotations.NullMarked;
