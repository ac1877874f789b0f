package io.karmi.connection.channel;

import io.karmi.id.TechnologyId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Listeners of a node for channels, one for each port of the program. Each lives as long as an
 * export uses it; the one for port 0 stays. Thread-safe.
 */
public final class ChannelListeners {
  private final Opener opener;

  /** By the port that was asked for. */
  private final Map<Integer, ChannelListener> byPort = new HashMap<>();

  /** Factory of listeners at new addresses. */
  public interface Opener {
    ChannelListener open() throws IOException;
  }

  /** Listeners at no address yet. */
  public ChannelListeners(Opener opener) {
    this.opener = opener;
  }

  /** Begins to use a port; channels wait until {@link #begin}. */
  public synchronized TechnologyId listenFromBegin(int port) throws IOException {
    ChannelListener listener = byPort.get(port);
    if (listener == null) {
      listener = openStarted(port);
    } else {
      listener.hold();
    }
    listener.users++;
    return listener.id;
  }

  private ChannelListener openStarted(int port) throws IOException {
    ChannelListener opened = opener.open();
    boolean started = false;
    try {
      opened.start();
      byPort.put(port, opened);
      started = true;
      return opened;
    } finally {
      if (!started) {
        opened.close();
      }
    }
  }

  /** Ends what {@link #listenFromBegin} began to hold back. */
  public synchronized void begin(TechnologyId endpoint) {
    for (ChannelListener listener : byPort.values()) {
      if (listener.id.equals(endpoint)) {
        listener.begin();
      }
    }
  }

  /** Ends one use of a port. */
  public synchronized void release(TechnologyId endpoint) {
    byPort.entrySet().removeIf(entry -> isReleased(entry.getKey(), entry.getValue(), endpoint));
  }

  private static boolean isReleased(int port, ChannelListener listener, TechnologyId endpoint) {
    boolean released = listener.id.equals(endpoint) && --listener.users == 0 && port != 0;
    if (released) {
      listener.close();
    }
    return released;
  }

  /** Closes all of them. */
  public synchronized void closeAll() {
    byPort.values().forEach(ChannelListener::close);
    byPort.clear();
  }
}
