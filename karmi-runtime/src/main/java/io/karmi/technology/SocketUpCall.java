package io.karmi.technology;

import io.karmi.guard.TakenOver;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** A node that also takes sockets on which another protocol is spoken, such as stock RMI's. */
public interface SocketUpCall extends UpCall {
  /**
   * Takes over a connection whose opener speaks another protocol.
   *
   * @param connection its timeout is how long its opener may take to introduce itself
   * @param first the bytes that have been read from it, four at most
   * @param whenClosed runs once when the connection is closed after it was taken over
   * @return null if this JVM does not know that protocol either; then the technology closes it
   */
  @Nullable TakenOver takeOver(Socket connection, byte[] first, Runnable whenClosed);
}
