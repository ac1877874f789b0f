/**
 * KaRMI over Unix-domain sockets: calls between processes of one user on one host.
 *
 * <p>{@link io.karmi.uds.UdsTechnology} is the technology, {@link io.karmi.uds.UdsChannel} a
 * connection of it; the call protocol is that of {@link io.karmi.connection}. Sockets lie in a
 * {@link io.karmi.uds.SocketDirectory} that no other user can enter, under random names, and a UTID
 * is such a name: a node that finds it in its own directory is on the same host and sees the same
 * files. So a UTID never leads to a socket outside that directory.
 *
 * <p>Where this technology cannot be used, calls go over the next best one.
 */
@NullMarked
package io.karmi.uds;

import org.jspecify.annotations.NullMarked;
