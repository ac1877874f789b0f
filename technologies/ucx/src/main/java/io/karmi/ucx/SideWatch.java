package io.karmi.ucx;

import io.karmi.technology.ServiceThread;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Watch over the TCP connections beside all links of a technology, and over the time limits of
 * waiting threads: a thread that waits in UCX notices neither. Its own thread lives as long as
 * there are connections. Thread-safe.
 */
final class SideWatch {
  /** Precision of the limits, in milliseconds. */
  private static final long STEP_MILLIS = 10;

  private final ServiceThread service =
      new ServiceThread("KaRMI UCX Watch", true, this::await, this::round);

  private final Set<UcxChannel> limited = ConcurrentHashMap.newKeySet();
  private @Nullable Selector selector;

  synchronized void add(SocketChannel socket, UcxChannel connection) throws IOException {
    Selector open = selector;
    if (open == null) {
      open = Selector.open();
      selector = open;
    }
    socket.register(open, SelectionKey.OP_READ, connection);
    service.ensureRunning();
    open.wakeup();
  }

  /** Wakes the connection's waiting thread when its time is over. */
  void limit(UcxChannel connection) {
    limited.add(connection);
    wake();
  }

  void unlimit(UcxChannel connection) {
    limited.remove(connection);
  }

  /** Called when a socket was closed, so that the selector releases it. */
  void wake() {
    Selector open = current();
    if (open != null) {
      open.wakeup();
    }
  }

  private synchronized @Nullable Selector current() {
    return selector;
  }

  private void await() throws IOException {
    Selector open = current();
    if (open != null) {
      try {
        open.select(this::readable, limited.isEmpty() ? 0 : STEP_MILLIS);
      } catch (ClosedSelectorException e) {
        Ucx.LOG.log(System.Logger.Level.DEBUG, "the watch was ended", e);
      }
    }
  }

  private void readable(SelectionKey key) {
    UcxChannel connection = (UcxChannel) key.attachment();
    try {
      if (connection.lookAside()) {
        key.cancel();
      }
    } catch (CancelledKeyException e) {
      Ucx.LOG.log(System.Logger.Level.DEBUG, "closed meanwhile", e);
    }
  }

  /** False once there are no connections. */
  private boolean round() throws IOException {
    long now = System.nanoTime();
    limited.forEach(connection -> connection.wakeIfOverdue(now));
    synchronized (this) {
      Selector open = selector;
      if (open != null && open.keys().stream().noneMatch(SelectionKey::isValid)) {
        open.close();
        selector = null;
      } else if (open != null && !open.keys().stream().allMatch(SelectionKey::isValid)) {
        open.wakeup(); // a key that was cancelled meanwhile goes with the next select
      }
      return selector != null;
    }
  }
}
