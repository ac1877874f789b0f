package io.karmi.stock;

import io.karmi.id.ObjectId;
import io.karmi.reference.Node;
import io.karmi.settings.Settings;
import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.rmi.server.RMIServerSocketFactory;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sockets by which stock RMI gets the connections of one port at which KaRMI listens.
 *
 * <p>An object that is exported with this factory names that port in its stubs. The server socket
 * that stock RMI gets is none of the kernel's: it accepts what {@link #offer} hands over.
 * Thread-safe.
 */
public final class PortSockets implements RMIServerSocketFactory {
  private static final System.Logger LOG = System.getLogger(PortSockets.class.getName());

  /** Kept for good, because stock RMI does so with the factories it has seen. */
  private static final Map<Integer, PortSockets> ALL = new ConcurrentHashMap<>();

  private volatile @Nullable Arrivals current;
  private volatile boolean chosen;

  private PortSockets() {}

  /** The connections of a port. */
  public static PortSockets of(int port) {
    return ALL.computeIfAbsent(port, any -> new PortSockets());
  }

  /**
   * Has stock RMI's next export at a port take its connections from KaRMI, which is to listen
   * there, if it can: objects of both may then be exported at the port, in any order.
   *
   * @return whether KaRMI can
   */
  public static boolean choose(int port) {
    Node node = Node.current();
    boolean connected =
        node.locate("localhost", port, ObjectId.REGISTRY).id().technologyCount() > 0
            && !Settings.JRMP.mayBe("false");
    if (!connected) {
      return false;
    }
    try {
      node.listenAt(port).close();
      of(port).chosen = true;
      return true;
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "KaRMI does not listen at port " + port, e);
      return false;
    }
  }

  /** Whether {@link #choose} was called for a port, and KaRMI could listen there. */
  public static boolean isChosen(int port) {
    PortSockets known = ALL.get(port);
    return known != null && known.chosen;
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return open(port, Node.current().listenAt(port));
  }

  /**
   * The server socket that takes what is offered from now on.
   *
   * @param listening closed with it
   */
  ServerSocket open(int port, Closeable listening) throws IOException {
    Arrivals made = new Arrivals(port, listening);
    current = made;
    return made;
  }

  /** Hands a connection over; false if nothing is exported on stock RMI at this port. */
  boolean offer(Socket connection) {
    Arrivals open = current;
    return open != null && open.offer(connection);
  }

  /** A server socket with a queue in place of a port. */
  private static final class Arrivals extends ServerSocket {
    /** The last entry of the queue, from {@link #close}. */
    private static final Object END = new Object();

    /** Milliseconds for which closing waits for an accepting thread that has just begun. */
    private static final long ACCEPT_MILLIS = 5_000;

    private final int port;
    private final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    private final Closeable listening;
    private @Nullable Thread acceptor;
    private boolean closed;

    /**
     * Makes a queue.
     *
     * @param listening closed with it
     */
    Arrivals(int port, Closeable listening) throws IOException {
      this.port = port;
      this.listening = listening;
    }

    synchronized boolean offer(Socket connection) {
      return !closed && queue.offer(connection);
    }

    @Override
    public Socket accept() throws IOException {
      accepting();
      Object next = take();
      if (next == END) {
        queue.add(END);
        throw new SocketException("no more objects of stock RMI at port " + port);
      }
      return (Socket) next;
    }

    private synchronized void accepting() {
      acceptor = Thread.currentThread();
      notifyAll();
    }

    /** As a server socket of the kernel's: an interrupt does not end it. */
    private Object take() {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            return queue.take();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public int getLocalPort() {
      return port;
    }

    @Override
    public void close() throws IOException {
      if (end()) {
        try {
          if (!awaitAcceptor()) {
            closeArrived();
          }
        } finally {
          super.close();
          listening.close();
        }
      }
    }

    /**
     * Waits for stock RMI's thread where connections have arrived and it is yet to come for the
     * first one.
     *
     * @return whether it takes what has arrived before the end; it ends there by itself
     */
    private synchronized boolean awaitAcceptor() {
      boolean interrupted = false;
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ACCEPT_MILLIS);
      long left = ACCEPT_MILLIS;
      while (acceptor == null && queue.peek() != END && left > 0) {
        try {
          wait(left);
        } catch (InterruptedException e) {
          interrupted = true;
        }
        left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      Thread last = acceptor;
      return last != null && last.isAlive() && last != Thread.currentThread();
    }

    /**
     * Each has a place among the connections of the port, which it gives back when it is closed.
     */
    private void closeArrived() {
      for (Object next = queue.poll(); next != null; next = queue.poll()) {
        if (next instanceof Socket) {
          try {
            ((Socket) next).close();
          } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing a connection that came too late", e);
          }
        }
      }
      queue.add(END);
    }

    private synchronized boolean end() {
      boolean first = !closed;
      if (first) {
        closed = true;
        queue.add(END);
      }
      return first;
    }

    @Override
    public synchronized boolean isClosed() {
      return closed;
    }

    @Override
    public String toString() {
      return "connections of stock RMI at port " + port;
    }
  }
}
