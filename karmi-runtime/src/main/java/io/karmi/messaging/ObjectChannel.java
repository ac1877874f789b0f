package io.karmi.messaging;

import io.karmi.messaging.channel.SocketWay;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * Objects in order to another node and from it, each graph whole or not at all (Naos, Table 1).
 *
 * <p>The receiving end makes the objects as soon as the bytes of a graph have arrived, and keeps
 * them until they are {@linkplain #read read}. Bytes that have arrived and are not read count
 * against a window, {@code karmi.messaging.window} of the receiving node: while it is full the
 * sender waits. Identity of objects is kept within one graph, and not from one to the next.
 *
 * <p>Thread-safe: several threads that write take turns, and so do those that read.
 */
public interface ObjectChannel extends Closeable {
  /**
   * Opens a channel to a node that takes channels of this name ({@link Messaging#onChannel}).
   *
   * @throws java.rmi.NoSuchObjectException if it takes none of this name
   * @throws RemoteException if the node cannot be reached, refuses the channel, or does not answer
   */
  static ObjectChannel open(Address to, String name) throws RemoteException {
    return Messaging.ofThisNode().openChannel(to, name);
  }

  /**
   * A channel over a connected socket of the program, which belongs to the channel from now on. The
   * other end of the socket does the same. Neither end waits for the other here.
   *
   * <p>Classes are looked for by the context class loader of the calling thread, and then as by an
   * {@code ObjectInputStream}. The timeout of the socket ({@link Socket#setSoTimeout}) is that of
   * {@link #read} from now on.
   *
   * @throws IOException if the socket is not connected, or closed
   */
  static ObjectChannel over(Socket socket) throws IOException {
    MessagingSettings settings = new MessagingSettings();
    return new GraphChannel(
        SocketWay.open(
            socket, settings, settings.windowBytes, settings.messageBytes, LinkLostException::new));
  }

  /**
   * Sends a graph, and returns when the other end has it whole, as objects.
   *
   * @throws java.rmi.MarshalException if it cannot be serialized; nothing was sent
   * @throws java.net.SocketTimeoutException if there was no room for so long that the other end is
   *     given up, which says that nothing was sent; or as {@link SendHandle#await()}
   * @throws IOException as {@link SendHandle#await()}; or if the channel is closed or lost
   */
  void write(@Nullable Object graph) throws IOException;

  /**
   * Sends a graph, and returns when it is marshalled: its objects may be changed at once. Waits
   * while the window is full.
   *
   * @throws IOException as {@link #write}, but for what {@link SendHandle} tells
   */
  SendHandle writeAsync(@Nullable Object graph) throws IOException;

  /**
   * Sends the first elements of an array as one graph: the receiver reads an array of the same type
   * and of this length. As {@link #writeAsync} otherwise.
   *
   * @param count from 0 to the length of {@code elements}
   */
  SendHandle writeElements(@Nullable Object[] elements, int count) throws IOException;

  /**
   * The next graph of the other end; waits for it as long as the other end lives.
   *
   * @throws ClassNotFoundException if the class of something in the next graph is not here; the one
   *     after it is read next
   * @throws java.rmi.UnmarshalException if the next graph cannot be read for another reason, which
   *     is the cause; the one after it is read next
   * @throws java.io.EOFException if the other end has closed the channel, and all is read
   * @throws java.net.SocketTimeoutException if no graph has come for {@code karmi.readTimeout}, or
   *     the timeout of the program's socket; the channel can still be used
   * @throws IOException if the channel is closed or, after all that has come whole, lost
   */
  @Nullable Object read() throws IOException, ClassNotFoundException;

  /**
   * Whether {@link #read} would not wait: a graph is there, or the other end has closed the
   * channel.
   *
   * @throws IOException if the channel is closed or, after all that has come whole is read, lost
   */
  boolean isReadable() throws IOException;

  /**
   * Ends the channel in both directions. What was written still arrives: the call waits until the
   * other end has it, or that end is lost or has not answered for as long as {@link
   * SendHandle#await()} waits. What has come and is not read is dropped. Without effect the second
   * time.
   */
  @Override
  void close() throws IOException;
}
