package io.karmi.tcp;

import io.karmi.connection.guard.ConnectionLimit;
import io.karmi.id.TechnologyId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ports at which a node listens, each for as long as an export uses it. Thread-safe.
 *
 * <p>The one that was chosen for port 0 stays: a later request for any port gets it again.
 */
final class Listeners {
  private final Listener.Acceptor acceptor;
  private final ConnectionLimit limit;
  private final TcpSettings settings;

  /** By the port that was asked for. */
  private final Map<Integer, Listener> byPort = new HashMap<>();

  Listeners(Listener.Acceptor acceptor, ConnectionLimit limit, TcpSettings settings) {
    this.acceptor = acceptor;
    this.limit = limit;
    this.settings = settings;
  }

  /** Begins to use a port; connections wait until {@link #begin}. */
  synchronized TechnologyId listenFromBegin(int port) throws IOException {
    Listener listener = at(port);
    if (listener == null) {
      Tls tls = settings.tls;
      if (tls != null) {
        tls.check();
      }
      listener = open(port);
    } else {
      listener.hold();
    }
    listener.users++;
    return listener.id();
  }

  /** Listens at a port, or leaves it free, also if memory ends meanwhile. */
  private Listener open(int port) throws IOException {
    Listener opened = Listener.open(acceptor, limit, settings, port);
    boolean entered = false;
    try {
      byPort.put(port, opened);
      entered = true;
      return opened;
    } finally {
      if (!entered) {
        opened.close();
      }
    }
  }

  /** The listener of a port, which may be the one that was chosen for port 0. */
  private @Nullable Listener at(int port) {
    Listener asked = byPort.get(port);
    Listener chosen = byPort.get(0);
    return asked == null && chosen != null && chosen.port() == port ? chosen : asked;
  }

  synchronized void begin(TechnologyId endpoint) {
    for (Listener listener : byPort.values()) {
      if (listener.isNamed(endpoint)) {
        listener.begin();
      }
    }
  }

  /** Ends one use of a port. */
  synchronized void release(TechnologyId endpoint) {
    for (Iterator<Map.Entry<Integer, Listener>> all = byPort.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<Integer, Listener> entry = all.next();
      Listener listener = entry.getValue();
      if (listener.isNamed(endpoint) && --listener.users == 0 && entry.getKey() != 0) {
        all.remove(); // first: memory may end while it is closed
        listener.close();
      }
    }
  }

  /** The listening end with a name; the name itself if there is none. */
  synchronized TechnologyId end(TechnologyId name) {
    Listener listener = named(name);
    return listener == null ? name : listener.end;
  }

  /** The port of the end with a name; −1 if there is none. */
  synchronized int port(TechnologyId name) {
    Listener listener = named(name);
    return listener == null ? -1 : listener.port();
  }

  private @Nullable Listener named(TechnologyId name) {
    for (Listener listener : byPort.values()) {
      if (listener.isNamed(name)) {
        return listener;
      }
    }
    return null;
  }

  synchronized void closeAll() {
    byPort.values().forEach(Listener::close);
    byPort.clear();
  }
}
