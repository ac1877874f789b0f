/**
 * KaRMI over TCP: blocking sockets, one write and one read per call.
 *
 * <p>{@link io.karmi.tcp.TcpTechnology} is the technology. A {@link io.karmi.tcp.Peer} keeps the
 * idle connections to one node, a {@link io.karmi.tcp.Listener} takes those of others, and a {@link
 * io.karmi.tcp.Connection} carries one call at a time, with calls back to its waiting end nested
 * inside: {@link io.karmi.tcp.Calling} makes those of this end, {@link io.karmi.tcp.Serving}
 * executes those of the other. Bytes are laid out as {@code docs/wire-format.md}, chapter 3, says;
 * {@link io.karmi.tcp.Hello} opens a connection, {@link io.karmi.tcp.FrameOutput} and {@link
 * io.karmi.tcp.FrameInput} carry its messages.
 *
 * <p>Sockets are never given a timeout unless the user asks for one: the JDK switches a socket with
 * a timeout to non-blocking mode for good, and each read then costs three system calls. Deadlines
 * are kept by the {@link io.karmi.tcp.Watchdog}, which closes what takes too long.
 */
@NullMarked
package io.karmi.tcp;

import org.jspecify.annotations.NullMarked;
