/**
 * Technologies whose nodes are connected by channels of bytes, of any network.
 *
 * <p>A network extends {@link io.karmi.connection.ConnectedTechnology}, which has everything but
 * how to listen and to dial, and {@link io.karmi.connection.channel.NodeChannel}, which moves
 * bytes. Below are four packages, each of which knows those before it only: {@code channel}, {@code
 * guard}, {@code call} and {@code pool}.
 */
@NullMarked
package io.karmi.connection;

import org.jspecify.annotations.NullMarked;
