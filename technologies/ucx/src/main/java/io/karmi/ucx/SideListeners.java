package io.karmi.ucx;

import io.karmi.id.TechnologyId;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The ports at which a node takes the TCP connections beside its links, one for each port of the
 * program's, each for as long as an export uses it; that for port 0 stays. Thread-safe.
 */
final class SideListeners {
  private final BiConsumer<SocketChannel, TechnologyId> acceptor;

  /** By the port that was asked for. */
  private final Map<Integer, SideListener> byPort = new HashMap<>();

  SideListeners(BiConsumer<SocketChannel, TechnologyId> acceptor) {
    this.acceptor = acceptor;
  }

  /** Begins to use a port; connections wait until {@link #begin}. */
  synchronized TechnologyId listenFromBegin(int port) throws IOException {
    SideListener listener = byPort.get(port);
    if (listener == null) {
      listener = SideListener.open(acceptor);
      byPort.put(port, listener);
    } else {
      listener.hold();
    }
    listener.users++;
    return listener.id();
  }

  synchronized void begin(TechnologyId endpoint) {
    for (SideListener listener : byPort.values()) {
      if (listener.id().equals(endpoint)) {
        listener.begin();
      }
    }
  }

  /** Ends one use of a port. */
  synchronized void release(TechnologyId endpoint) {
    byPort.entrySet().removeIf(entry -> isReleased(entry.getKey(), entry.getValue(), endpoint));
  }

  private static boolean isReleased(int port, SideListener listener, TechnologyId endpoint) {
    boolean released = listener.id().equals(endpoint) && --listener.users == 0 && port != 0;
    if (released) {
      listener.close();
    }
    return released;
  }

  synchronized void closeAll() {
    byPort.values().forEach(SideListener::close);
    byPort.clear();
  }
}
