package io.karmi.tcp;

import io.karmi.id.TechnologyId;
import io.karmi.technology.RuntimeThreads;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Takes connections at one port. One thread accepts; each connection then has a thread of its own.
 */
final class Listener {
  private static final int BACKLOG = 1024;
  private static final long PAUSE_MILLIS = 50;
  private static final long CLOSE_MILLIS = 1000;

  /** So long connections wait at most until the exports for which it was opened are made. */
  private static final long BEGIN_MILLIS = 2000;

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final TcpTechnology technology;
  private final ServerSocket socket;
  private final CountDownLatch ended = new CountDownLatch(1);
  private @Nullable String configuredHost;
  private TechnologyId id;
  int users;

  /** Exports that are under way: at first that for which it was opened. */
  private int held = 1;

  private Listener(TcpTechnology technology, ServerSocket socket) {
    this.technology = technology;
    this.socket = socket;
    configuredHost = Address.configuredHost();
    id = newId();
  }

  /**
   * Listens at a port; 0 is any.
   *
   * @throws java.net.BindException if it is in use
   */
  static Listener open(TcpTechnology technology, int port) throws IOException {
    RMISocketFactory factory = RMISocketFactory.getSocketFactory();
    ServerSocket socket =
        factory != null ? factory.createServerSocket(port) : new ServerSocket(port, BACKLOG);
    Listener listener = new Listener(technology, socket);
    RuntimeThreads.start("KaRMI TCP Accept-" + socket.getLocalPort(), listener::acceptAll, true);
    return listener;
  }

  /** Its name for exports from now on: the program may have configured another host since. */
  synchronized TechnologyId id() {
    String host = Address.configuredHost();
    if (!Objects.equals(host, configuredHost)) {
      configuredHost = host;
      id = newId();
    }
    return id;
  }

  int port() {
    return socket.getLocalPort();
  }

  private TechnologyId newId() {
    return new TechnologyId(TcpTechnology.NAME, Address.listLocal(socket.getLocalPort()));
  }

  /** Whether {@link #id} has given that name, now or earlier. */
  boolean isNamed(TechnologyId endpoint) {
    return Address.parseList(endpoint.address()).get(0).port == socket.getLocalPort();
  }

  /** Until {@link #begin} connections wait in the system's queue, if they do so already. */
  synchronized void hold() {
    held++;
  }

  /** Ends one {@link #hold}. */
  synchronized void begin() {
    held--;
    notifyAll();
  }

  private synchronized void awaitBegin() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BEGIN_MILLIS);
    try {
      for (long left = BEGIN_MILLIS; held > 0 && left > 0 && !socket.isClosed(); ) {
        wait(left);
        left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      }
    } catch (InterruptedException e) {
      closeSocket();
    }
  }

  private void acceptAll() {
    awaitBegin();
    try {
      while (!socket.isClosed()) {
        acceptOne();
      }
    } finally {
      ended.countDown();
    }
  }

  private void acceptOne() {
    try {
      Socket accepted = socket.accept();
      if (technology.admission().enter(accepted)) {
        start(name(accepted), accepted);
      }
    } catch (IOException | OutOfMemoryError e) {
      pauseAfter(e);
    }
  }

  private static String name(Socket accepted) {
    return "KaRMI TCP Connection("
        + COUNT.incrementAndGet()
        + ")-"
        + accepted.getInetAddress().getHostAddress();
  }

  private void start(String name, Socket accepted) throws IOException {
    Runnable work = () -> technology.accept(accepted, id);
    try {
      if (technology.settings().virtualThreads) {
        RuntimeThreads.startVirtual(name, work);
      } else {
        RuntimeThreads.start(name, work, true);
      }
    } catch (OutOfMemoryError e) {
      technology.admission().leave();
      accepted.close();
      throw e;
    }
  }

  /** Too many open files, or threads: others may go away soon. */
  private void pauseAfter(Throwable problem) {
    if (socket.isClosed()) {
      return;
    }
    TcpTechnology.LOG.log(System.Logger.Level.WARNING, "cannot accept at " + id, problem);
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      closeSocket();
    }
  }

  /** Afterwards the port is free: the system keeps it for a thread that is still in its accept. */
  void close() {
    closeSocket();
    synchronized (this) {
      notifyAll();
    }
    try {
      if (!ended.await(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
        TcpTechnology.LOG.log(System.Logger.Level.DEBUG, "still accepting at " + id);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeSocket() {
    try {
      socket.close();
    } catch (IOException e) {
      TcpTechnology.LOG.log(System.Logger.Level.DEBUG, "closing the listener at " + id, e);
    }
  }
}
