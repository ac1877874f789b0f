package io.karmi.uds;

import io.karmi.id.TechnologyId;
import io.karmi.technology.RuntimeThreads;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The sockets at which a node listens, one for each port of the program's, each for as long as an
 * export uses it. Thread-safe.
 *
 * <p>That for port 0 stays. All are removed when the JVM ends.
 */
final class UdsListeners {
  private final String technology;
  private final SocketDirectory directory;
  private final BiConsumer<SocketChannel, TechnologyId> acceptor;

  /** By the port that was asked for. */
  private final Map<Integer, UdsListener> byPort = new HashMap<>();

  private @Nullable Thread atExit;

  UdsListeners(
      String technology,
      SocketDirectory directory,
      BiConsumer<SocketChannel, TechnologyId> acceptor) {
    this.technology = technology;
    this.directory = directory;
    this.acceptor = acceptor;
  }

  /** Begins to use a port; connections wait until {@link #begin}. */
  synchronized TechnologyId listenFromBegin(int port) throws IOException {
    UdsListener listener = byPort.get(port);
    if (listener == null) {
      removeAtExit();
      listener = UdsListener.open(technology, directory, acceptor);
      byPort.put(port, listener);
    } else {
      listener.hold();
    }
    listener.users++;
    return listener.id();
  }

  private void removeAtExit() throws IOException {
    if (atExit != null) {
      return;
    }
    Thread remover = RuntimeThreads.make("KaRMI UDS Exit", this::removeAll, false);
    try {
      Runtime.getRuntime().addShutdownHook(remover);
      atExit = remover;
    } catch (IllegalStateException e) {
      throw new IOException("the JVM is about to end", e);
    }
  }

  private synchronized void removeAll() {
    byPort.values().forEach(UdsListener::remove);
  }

  synchronized void begin(TechnologyId endpoint) {
    for (UdsListener listener : byPort.values()) {
      if (listener.id().equals(endpoint)) {
        listener.begin();
      }
    }
  }

  /** Ends one use of a port. */
  synchronized void release(TechnologyId endpoint) {
    byPort.entrySet().removeIf(entry -> isReleased(entry.getKey(), entry.getValue(), endpoint));
  }

  private static boolean isReleased(int port, UdsListener listener, TechnologyId endpoint) {
    boolean released = listener.id().equals(endpoint) && --listener.users == 0 && port != 0;
    if (released) {
      listener.close();
    }
    return released;
  }

  synchronized void closeAll() {
    byPort.values().forEach(UdsListener::close);
    byPort.clear();
    Thread remover = atExit;
    atExit = null;
    if (remover != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(remover);
      } catch (IllegalStateException e) {
        // it is ending, and there is nothing left to remove
      }
    }
  }
}
