/**
 * The open connections of a technology.
 *
 * <p>{@link io.karmi.connection.pool.Pools} finds the {@link
 * io.karmi.connection.pool.ConnectionPool} of a node, which keeps its idle connections. {@link
 * io.karmi.connection.pool.AcceptedConnections} serves those of other nodes. {@link
 * io.karmi.connection.pool.Connections} has all that are open, of both kinds, and counts.
 */
@NullMarked
package io.karmi.connection.pool;

import org.jspecify.annotations.NullMarked;
