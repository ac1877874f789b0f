/**
 * The transport layer: all that the runtime asks of a network (paper 4.3).
 *
 * <p>{@link io.karmi.technology.Technology} takes calls down, {@link io.karmi.technology.UpCall}
 * brings them up. Neither knows stubs, references or collectors. A new network is a new folder
 * under {@code technologies/} whose tests extend {@code TechnologyContract}; it is found through
 * {@link io.karmi.technology.TechnologyProvider}. Nothing here assumes sockets, byte streams, or a
 * thread per connection: a technology lends memory to marshal into and to unmarshal from.
 *
 * <p>A failure of the network is the {@link java.rmi.RemoteException} that RMI would throw: those
 * after which nothing was sent ({@link java.rmi.ConnectException}, {@link
 * java.rmi.UnknownHostException}, {@link java.rmi.ConnectIOException}, {@link
 * java.rmi.MarshalException} with a cause of marshalling), and those after which the method may
 * have run ({@link java.rmi.UnmarshalException}). What the remote method threw is an ordinary
 * result here ({@link io.karmi.technology.ThrownByCallee}); the reference layer rethrows it.
 */
@NullMarked
package io.karmi.technology;

import org.jspecify.annotations.NullMarked;
