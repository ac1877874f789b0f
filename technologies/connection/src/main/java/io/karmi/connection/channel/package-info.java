/**
 * Ordered channels of bytes between two nodes, and how their ends introduce themselves.
 *
 * <p>A network extends {@link io.karmi.connection.channel.NodeChannel}, which moves bytes. Before
 * that, {@link io.karmi.connection.channel.Introducer} and {@link
 * io.karmi.connection.channel.Handshake} agree on a format at both ends. {@link
 * io.karmi.connection.channel.ChannelListener} listens for networks whose ends meet over a {@link
 * java.nio.channels.SocketChannel}. What then goes over a channel is not known here.
 */
@NullMarked
package io.karmi.connection.channel;

import org.jspecify.annotations.NullMarked;
